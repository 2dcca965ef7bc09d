//! A user's story: what is pressed, and what is seen. It reads the same on every stage.

use super::screen::Screen;
use ratatui::layout::Size;
use std::time::Duration;
use switchboard::ui::input::{Input, Key, Mouse, MouseKind};

/// How long what must come is waited for. Nothing waits for it to pass.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Where a story can be told.
pub trait Stage {
    /// A person does something.
    fn input(&mut self, input: Input);

    /// The window gets another size.
    fn resize(&mut self, size: Size);

    /// The first screen for which `wanted` holds; the last one there was where none did in good time.
    fn until(&mut self, wanted: &dyn Fn(&Screen) -> bool) -> Result<Screen, Screen>;
}

/// A stage whose clock is in the storyteller's hand.
pub trait Clocked: Stage {
    /// Time goes by.
    fn pass(&mut self, span: Duration);
}

impl<S: Stage + ?Sized> Stage for Box<S> {
    fn input(&mut self, input: Input) {
        (**self).input(input);
    }

    fn resize(&mut self, size: Size) {
        (**self).resize(size);
    }

    fn until(&mut self, wanted: &dyn Fn(&Screen) -> bool) -> Result<Screen, Screen> {
        (**self).until(wanted)
    }
}

impl<S: Clocked + ?Sized> Clocked for Box<S> {
    fn pass(&mut self, span: Duration) {
        (**self).pass(span);
    }
}

/// A story on its stage.
pub struct Story<S>(pub S);

impl<S: Stage> Story<S> {
    /// Presses keys, named as the settings name them and separated by spaces.
    pub fn press(&mut self, keys: &str) -> &mut Self {
        for key in keys.split_whitespace() {
            self.0.input(Input::Key(key.parse().unwrap()));
        }
        self
    }

    /// Types a text, letter by letter.
    pub fn types(&mut self, text: &str) -> &mut Self {
        text.chars().for_each(|letter| self.0.input(Input::Key(Key::char(letter))));
        self
    }

    /// Pastes a text.
    pub fn pastes(&mut self, text: &str) -> &mut Self {
        self.0.input(Input::Paste(text.to_owned()));
        self
    }

    /// Clicks on a cell.
    pub fn clicks(&mut self, x: u16, y: u16) -> &mut Self {
        self.0.input(Input::Mouse(Mouse { kind: MouseKind::Press, x, y }));
        self
    }

    /// Turns the wheel over a cell, towards oneself.
    pub fn wheels_down(&mut self, x: u16, y: u16) -> &mut Self {
        self.0.input(Input::Mouse(Mouse { kind: MouseKind::WheelDown, x, y }));
        self
    }

    /// Gives the window another size.
    pub fn resizes(&mut self, width: u16, height: u16) -> &mut Self {
        self.0.resize(Size { width, height });
        self
    }

    /// Waits until a row shows this text.
    pub fn sees(&mut self, text: &str) -> &mut Self {
        self.waits(&format!("{text:?} to be seen"), |screen| screen.shows(text))
    }

    /// Waits until no row shows this text.
    pub fn sees_no_more(&mut self, text: &str) -> &mut Self {
        self.waits(&format!("{text:?} to be gone"), |screen| !screen.shows(text))
    }

    /// Waits until the row at this place is selected, counted from 1 below the header of the list.
    pub fn sees_selected(&mut self, row: usize) -> &mut Self {
        self.waits(&format!("row {row} to be selected"), |screen| {
            let lines = screen.lines();
            let header = lines.iter().position(|line| line.contains("UPDATED"));
            header.and_then(|header| lines.get(header + row)).is_some_and(|line| line.starts_with(" ▌"))
        })
    }

    /// Where the row at this place is on screen, counted from 1 below the header of the list.
    pub fn row(&mut self, row: u16) -> u16 {
        let header = self.screen().lines().iter().position(|line| line.contains("UPDATED")).unwrap();
        u16::try_from(header).unwrap() + row
    }

    /// Waits until the screen is as wanted.
    pub fn waits(&mut self, what: &str, wanted: impl Fn(&Screen) -> bool) -> &mut Self {
        if let Err(screen) = self.0.until(&wanted) {
            panic!("waited for {what}, but there was\n{screen}\n");
        }
        self
    }

    /// What is on screen.
    pub fn screen(&mut self) -> Screen {
        self.0.until(&|_| true).unwrap_or_else(|screen| screen)
    }
}

impl<S: Clocked> Story<S> {
    /// Lets seconds go by.
    pub fn passes(&mut self, seconds: u64) -> &mut Self {
        self.0.pass(Duration::from_secs(seconds));
        self
    }
}
