//! The Catalogue pane, against the real service.

use super::snapshots::picture;
use crate::support::inside::Inside;
use crate::support::story::Story;

fn story(size: (u16, u16)) -> Story<Inside> {
    let mut story = Story(Inside::small(size));
    story.sees("page 1 of 3").press("6").sees("VOICES");
    story
}

#[test]
fn voices_are_listed_with_language_provider_and_preview() {
    for (size, name) in [((120, 40), "catalogue_120x40"), ((80, 24), "catalogue_80x24")] {
        let mut story = story(size);
        story.sees("NAME").sees("LANGUAGE").sees("Preview");
        picture(&mut story, name, &[]);
    }
}

#[test]
fn tab_goes_through_the_parts_and_narrowing_stays_with_its_part() {
    let mut story = story((120, 40));
    story.press("tab").sees("SYNTHESIZERS").press("tab tab").sees("MODELS").sees("language model");
    story.press("/").types("multi").sees("(of ").press("enter").sees_no_more("language model");
    story.press("tab").sees("LANGUAGES").sees("English").press("shift-tab").sees("/ multi");
    story.press("esc").sees("language model");
}

#[test]
fn voices_are_filtered_by_mode_and_language_on_the_server() {
    let mut story = story((120, 40));
    story.sees("German ").press("f").sees("Mode").press("right tab").types("germ").press("enter").press("ctrl-s");
    story.sees("mode: pipeline").sees("language: German");
    picture(&mut story, "catalogue_filtered_120x40", &[]);
    story.press("x").sees_no_more("mode: pipeline");
}

#[test]
fn filter_form_looks_as_it_did() {
    for (size, name) in [((120, 40), "catalogue_filter_120x40"), ((80, 24), "catalogue_filter_80x24")] {
        let mut story = story(size);
        story.sees("Amelia").press("f").sees("Mode");
        picture(&mut story, name, &[]);
    }
}

#[test]
fn what_cannot_be_done_says_why() {
    let mut story = story((80, 24));
    story.press("x").sees("Not now: no filter is set");
    story.press("tab f").sees("Not now: only voices have filters");
}
