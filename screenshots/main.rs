//! Makes the pictures in `screenshots/`: the real app on the embedded service, at a fixed time and seed, led by the same
//! stories that tests tell.

mod paper;
mod svg;

/// The stages of the stories, as the tests have them.
#[allow(dead_code, reason = "the tests use the rest")]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::missing_panics_doc, reason = "a story that fails panics")]
#[path = "../tests/support"]
mod support {
    pub mod calls;
    pub mod canned;
    pub mod desk;
    pub mod inside;
    pub mod screen;
    pub mod server;
    pub mod story;
    pub mod talks;
}

use color_eyre::eyre::{OptionExt as _, WrapErr as _};
use paper::Paper;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options as Reading, Tree, fontdb::Database};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use support::inside::{Inside, service_clock};
use support::server::Server;
use support::story::{Clocked as _, Story};
use switchboard::service::world::DEMO;
use switchboard::ui::Options;

const WIDE: (u16, u16) = (120, 40);
const SMALL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (200, 50);

/// A picture: its name, its size in cells, its paper, and the story that leads there.
type Picture = (&'static str, (u16, u16), &'static Paper, fn(&mut Story<Inside>));

const PICTURES: &[Picture] = &[
    ("conversations", WIDE, &paper::DARK, |story| {
        story.press("j j").passes(1).0.settle();
    }),
    ("conversations-light", WIDE, &paper::LIGHT, |story| {
        story.press("j j").passes(1).0.settle();
    }),
    ("conversations-small", SMALL, &paper::DARK, |story| {
        story.press("j j");
    }),
    ("narrowing", WIDE, &paper::DARK, |story| {
        story.press("/").types("recep").sees("server's order");
    }),
    ("inspector", WIDE, &paper::DARK, |story| {
        story.press("j j j enter").0.settle();
        story.passes(1).sees("Assistant");
    }),
    ("transcript-large", LARGE, &paper::DARK, |story| {
        story.press("/").types("受付").press("enter").0.settle();
        story.press("j j enter").0.settle();
        story.passes(1).sees("Assistant");
    }),
    ("tool-calls", WIDE, &paper::LIGHT, |story| {
        story.press("/").types("مكتب").press("enter").0.settle();
        story.press("j enter").0.settle();
        story.passes(1).sees("Assistant").press("enter");
    }),
    ("reply", WIDE, &paper::DARK, |story| {
        reply(story).types("Your fabric samples are on their way.");
    }),
    ("reply-held", SMALL, &paper::LIGHT, |story| {
        reply(story).types("Your fabric samples are on their way.").press("enter").sees("Send this message?");
        story.passes(1).press("y").sees("held");
    }),
    ("calls", WIDE, &paper::DARK, |story| {
        story.press("]").sees("STATUS").0.settle();
        story.press("f").sees("Filter calls").types("comp").press("enter").sees("status: completed").0.settle();
        story.press("j j").passes(1);
    }),
    ("filter", WIDE, &paper::DARK, |story| {
        story.press("f").sees("Filter conversations").types("m").press("tab tab").types("11-05..11-01");
        story.press("enter").sees("before the first");
    }),
    ("activity", WIDE, &paper::DARK, |story| {
        for page in ["page 2 of", "page 3 of"] {
            story.press("n").sees(page);
            story.0.settle();
        }
        story.0.server.fault(&json!({"path": "/user/conversations", "status": 503, "count": 1}));
        story.press("r").sees("failing").press("8").sees("503").press("esc enter").sees("Failed:");
    }),
    ("messaging", WIDE, &paper::DARK, |story| {
        windows(story).press("j");
    }),
    ("messaging-small", SMALL, &paper::LIGHT, |story| {
        windows(story);
    }),
    ("send", WIDE, &paper::DARK, |story| {
        form(story);
    }),
    ("confirm", SMALL, &paper::DARK, |story| {
        form(story).types("10:30").press("enter").sees("Send this message?");
    }),
    ("holds", WIDE, &paper::DARK, |story| {
        windows(story);
        for _ in 0..2 {
            story
                .press("f")
                .sees("From")
                .types("Your parcel is with the driver.")
                .press("ctrl-s")
                .sees("Send this message?");
            story.passes(1).press("y").sees("Sending to");
        }
        story.sees("takes it back");
    }),
    ("freeform", WIDE, &paper::DARK, |story| {
        windows(story).press("j f").sees("Assistant").types("Your parcel is with the driver.");
    }),
    ("take-over", SMALL, &paper::DARK, |story| {
        story.press("a").sees("Take this conversation over?");
    }),
    ("many", WIDE, &paper::DARK, many),
    ("knowledge", WIDE, &paper::DARK, |story| {
        story.press("4").sees("Catalogue 2026");
        story.0.settle();
        story.press("j").passes(1).press("enter").sees("shop.example.com");
    }),
    ("website", SMALL, &paper::LIGHT, |story| {
        story.press("4").sees("Catalogue 2026");
        story.0.settle();
        story.press("j enter c").sees("ADD A WEBSITE");
        story.0.settle();
        story.types("Fabrics").press("tab tab").types("https://example.com/fabrics").press("tab ctrl-n");
        story.types("https://example.com/care");
    }),
    ("assistants", WIDE, &paper::DARK, |story| {
        story.press("2").sees("Reception");
        story.0.settle();
        // The conversations of today are counted once the selection has rested.
        story.passes(1).sees("today (UTC)");
    }),
    ("webhooks", SMALL, &paper::LIGHT, |story| {
        story.press("2").sees("Reception");
        story.0.settle();
        story.press("w").sees("Webhooks of");
    }),
    ("prompt", WIDE, &paper::DARK, |story| {
        story.press("2").sees("Reception");
        story.0.settle();
        story.press("e").sees("EDIT ");
        story.0.settle();
        story.press("end").types(" (new)").press("ctrl-o").sees("CHANGES");
    }),
    ("tools", WIDE, &paper::DARK, |story| {
        story.press("5").sees("check_stock");
        story.0.settle();
    }),
    ("tool", SMALL, &paper::LIGHT, |story| {
        story.press("5").sees("check_stock");
        story.0.settle();
        story.press("e").sees("EDIT check_stock");
        story.0.settle();
    }),
    ("catalogue", WIDE, &paper::DARK, |story| {
        story.press("6").sees("Katharina").press("j j").sees("Used by");
    }),
    ("api-keys", SMALL, &paper::DARK, |story| {
        story.press("7").sees("LAST USED").press("c").sees("Create an API key").types("nightly export");
    }),
    ("help", SMALL, &paper::LIGHT, |story| {
        story.press("?").sees("Keys that work here");
    }),
];

/// A file of recipients, with mistakes.
const PEOPLE: &str = "phone,name,customer_name,date,time
+44 7700 900101,Aoife Byrne,Aoife,3 May,10:30
+44 7700 900102,Femi Adeyemi,Femi,3 May,11:00
+44 7700 9001,Rosa Lind,Rosa,3 May,11:30
+44 7700 900104,Jakob Weiss,Jakob,,12:00
+44 7700 900102,Femi Adeyemi,Femi,3 May,12:30
+49 1512 3456789,Greta Holm,Greta,4 May,09:00
+81 90 1234 5678,佐藤 陽菜,陽菜,4 May,09:30
";

/// Leads to Messaging, with every window answered for.
fn windows(story: &mut Story<Inside>) -> &mut Story<Inside> {
    story.press("3").sees("WINDOWS").sees("appointment_reminder");
    for _ in 0..300 {
        story.0.pass(Duration::from_millis(50));
    }
    story.sees("close within 1 h")
}

/// Leads to the line below the newest messaging conversation, which was taken over from the AI.
fn reply(story: &mut Story<Inside>) -> &mut Story<Inside> {
    story.press("/").types("type:messaging assistant:order").press("enter").0.settle();
    story.press("s").sees("The AI answers").press("enter").sees("Reply").0.settle();
    story.passes(1)
}

/// Leads to a form that is filled but for its last variable.
fn form(story: &mut Story<Inside>) -> &mut Story<Inside> {
    windows(story).press("/").types("Harriet").press("enter s").sees("Send a template");
    story.press("enter").types("3 May").press("tab").sees("3 May at")
}

/// Leads to the dry run of a file.
#[expect(clippy::unwrap_used, reason = "a story that fails panics")]
fn many(story: &mut Story<Inside>) {
    let file = std::env::temp_dir().join("appointments.csv");
    std::fs::write(&file, PEOPLE).unwrap();
    windows(story).press("b").types(file.to_str().unwrap()).press("enter").sees("cannot be sent");
    std::fs::remove_file(&file).unwrap();
}

/// Fonts for what the first font lacks, where systems keep them; the first one found is used.
const FALLBACKS: &[&str] = &[
    "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
    "/System/Library/Fonts/PingFang.ttc",
];

fn fonts() -> Database {
    let mut fonts = Database::new();
    fonts.load_font_data(dejavu::sans_mono::regular().to_vec());
    fonts.load_font_data(dejavu::sans_mono::bold().to_vec());
    match FALLBACKS.iter().find_map(|path| std::fs::read(path).ok()) {
        Some(font) => fonts.load_font_data(font),
        None => eprintln!("no font for Chinese and Japanese was found: such letters will be missing"),
    }
    fonts
}

/// Tells one story and gives its last screen as SVG.
fn draw((_, size, paper, tell): &Picture) -> String {
    let server = Server::start(DEMO, service_clock());
    let mut story = Story(Inside::start(*size, Options::default(), server));
    story.sees("page 1 of");
    story.0.settle();
    tell(&mut story);
    story.0.settle();
    svg::write(&story.screen(), paper)
}

fn png(svg: &str, fonts: &Arc<Database>) -> color_eyre::Result<Vec<u8>> {
    let reading = Reading { fontdb: Arc::clone(fonts), ..Reading::default() };
    let tree = Tree::from_str(svg, &reading)?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or_eyre("the picture is too large")?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or_eyre("the picture is empty")?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    Ok(pixels.encode_png()?)
}

/// Pixels of the PNG for one of the SVG.
const SCALE: f32 = 1.25;

fn main() -> color_eyre::Result<()> {
    color_eyre::install()?;
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("screenshots"), PathBuf::from);
    let fonts = Arc::new(fonts());
    for picture in PICTURES {
        let svg = draw(picture);
        let save = |extension: &str, bytes: &[u8]| {
            let path = Path::new(&folder).join(picture.0).with_extension(extension);
            std::fs::write(&path, bytes).wrap_err_with(|| path.display().to_string())
        };
        save("svg", svg.as_bytes())?;
        let png = png(&svg, &fonts)?;
        save("png", &png)?;
        println!("{} ({} KB)", picture.0, png.len() / 1024);
    }
    Ok(())
}
