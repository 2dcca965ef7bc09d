//! The colours of a terminal, as some people have them.

use ratatui::style::Color;

/// A colour as red, green and blue.
pub type Rgb = [u8; 3];

/// What a terminal shows on.
#[derive(Debug)]
pub struct Paper {
    pub background: Rgb,
    pub text: Rgb,
    /// Around the window.
    pub border: Rgb,
    /// Black, red, green, yellow, blue, magenta, cyan, white.
    pub colours: [Rgb; 8],
}

/// Light on dark.
pub const DARK: Paper = Paper {
    background: [0x17, 0x1a, 0x21],
    text: [0xd6, 0xda, 0xe2],
    border: [0x2c, 0x31, 0x3c],
    colours: [
        [0x3b, 0x42, 0x52],
        [0xf0, 0x71, 0x78],
        [0x9c, 0xcf, 0x7c],
        [0xe6, 0xc3, 0x7a],
        [0x6f, 0xb3, 0xf2],
        [0xcb, 0x9d, 0xf0],
        [0x5c, 0xcf, 0xe6],
        [0xd6, 0xda, 0xe2],
    ],
};

/// Dark on light.
pub const LIGHT: Paper = Paper {
    background: [0xfc, 0xfb, 0xf9],
    text: [0x2a, 0x2e, 0x36],
    border: [0xdd, 0xda, 0xd4],
    colours: [
        [0x2a, 0x2e, 0x36],
        [0xc2, 0x33, 0x3f],
        [0x3d, 0x7f, 0x2f],
        [0x94, 0x67, 0x00],
        [0x2b, 0x6c, 0xc4],
        [0x8f, 0x43, 0xb0],
        [0x0a, 0x76, 0x8c],
        [0x8a, 0x8e, 0x96],
    ],
};

impl Paper {
    /// What this paper shows for a colour of the text. The bright ones look like the others: bold is told by weight.
    pub fn ink(&self, colour: Color) -> Rgb {
        let named = match colour {
            Color::Black | Color::DarkGray => 0,
            Color::Red | Color::LightRed => 1,
            Color::Green | Color::LightGreen => 2,
            Color::Yellow | Color::LightYellow => 3,
            Color::Blue | Color::LightBlue => 4,
            Color::Magenta | Color::LightMagenta => 5,
            Color::Cyan | Color::LightCyan => 6,
            Color::Gray | Color::White => 7,
            Color::Indexed(index) => usize::from(index % 8),
            Color::Reset | Color::Rgb(..) => return self.text,
        };
        self.colours[named]
    }

    /// A colour as a terminal dims it.
    pub fn dimmed(&self, ink: Rgb) -> Rgb {
        std::array::from_fn(|at| {
            let (ink, paper) = (u16::from(ink[at]), u16::from(self.background[at]));
            u8::try_from((ink * 56 + paper * 44) / 100).unwrap_or(u8::MAX)
        })
    }
}

/// As SVG writes it.
pub fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
