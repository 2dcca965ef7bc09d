//! Files for a knowledgebase: found, reviewed, queued and uploaded, against the real service.

use super::snapshots::picture;
use crate::support::canned::{Canned, noon};
use crate::support::inside::{Inside, service_clock};
use crate::support::pure::Pure;
use crate::support::server::Server;
use crate::support::story::{Clocked as _, Story};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use switchboard::api::DocumentType;
use switchboard::records::{Records, StorageRequest, Upload, UploadChange, UploadFile, UploadStatus};
use switchboard::tasks::{Event, Task, Work};
use switchboard::ui::{Message, Options};
use tempfile::TempDir;

const WORLD: &str = r#"
[[users]]
email = "ada@example.com"
tokens = ["sandbox-ada"]
[[users.assistants]]
name = "Reception"
[[users.knowledgebases]]
name = "Customer handbook"
[[users.knowledgebases.documents]]
name = "Opening hours"
type = "txt"
status = "active"
"#;
/// What the stage calls its server.
const SERVER: &str = "http://127.0.0.1:8787/api";
/// Folders have other names each time, of the same length.
const FILTERS: &[(&str, &str)] = &[(r"\.tmp[A-Za-z0-9]{6}", ".tmpfolder")];

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

fn mixed() -> TempDir {
    let large = vec![b'x'; 20 * 1024 * 1024 + 1];
    folder(&[
        ("House_rules.pdf", b"%PDF-1.7 Be kind."),
        ("prices_2026.md", b"Tea 2 EUR\n"),
        ("prices_copy.txt", b"Tea 2 EUR\n"),
        ("empty.txt", b""),
        ("large.txt", &large),
        ("photo.jpg", b"\xff\xd8\xff\xe0"),
        ("\u{53d7}\u{4ed8} \u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f467}.txt", "いらっしゃいませ".as_bytes()),
    ])
}

fn story_on(size: (u16, u16), options: Options, records: Arc<Records>) -> Story<Inside> {
    let mut story = Story(Inside::start_on(size, options, Server::start(WORLD, service_clock()), records));
    story.sees("page 1 of 1").press("4").sees("Customer handbook");
    story.0.settle();
    story
}

fn story(size: (u16, u16)) -> Story<Inside> {
    story_on(size, Options::default(), Arc::new(Records::in_memory().unwrap()))
}

/// Finds files, up to their review.
fn find(story: &mut Story<Inside>, text: &str) {
    story.press("enter").sees("DOCUMENTS").press("u").sees("Add files to Customer").types(text).press("enter");
    story.sees("FILES FOR").sees_no_more("Checking");
    story.0.settle();
}

fn confirm(story: &mut Story<Inside>) {
    story.0.pass(Duration::from_secs(1));
    story.passes(2).press("y");
}

fn path(folder: &TempDir) -> &str {
    folder.path().to_str().unwrap()
}

/// The names of the documents at the server.
fn documents(story: &Story<Inside>) -> Vec<String> {
    let listed = story.0.server.get("/user/knowledgebases/1/documents");
    let names = listed["data"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned());
    names.filter(|name| name != "Opening hours").collect()
}

fn file(path: &Path, name: &str, content: &str) -> UploadFile {
    std::fs::write(path, content).unwrap();
    let mut digest = switchboard::api::ContentDigest::default();
    digest.update(content.as_bytes());
    let (path, name, digest) = (path.to_owned(), name.to_owned(), digest.finish());
    UploadFile { path, name, description: None, kind: DocumentType::Txt, size: content.len() as u64, digest }
}

/// Queues files as an earlier run has done.
fn queued(records: &Records, files: Vec<UploadFile>) -> Vec<Upload> {
    let change = UploadChange::Add(1, "Customer handbook".to_owned(), files);
    let profile = Options::default().place.profile().to_owned();
    records.store(&profile, &StorageRequest::ChangeUploads { server: SERVER.to_owned(), change }, noon()).unwrap();
    records.uploads(&profile, SERVER).unwrap()
}

#[test]
fn folder_is_reviewed_named_and_uploaded() {
    let folder = mixed();
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = story(size);
        story.press("enter").sees("DOCUMENTS").press("u").sees("Add files to").types(&format!("{}/p", path(&folder)));
        story.sees("photo.jpg");
        picture(&mut story, &format!("knowledge_upload_find_{at}"), FILTERS);
        story.press("backspace backspace enter").sees("FILES FOR").sees_no_more("Checking");
        picture(&mut story, &format!("knowledge_upload_review_{at}"), FILTERS);
        story.press("e").sees("House_rules.pdf").press("ctrl-u").types("Rules of the house").press("ctrl-s");
        story.sees("Rules of the house").press("ctrl-s").sees("Upload 3 files?");
        picture(&mut story, &format!("knowledge_upload_confirm_{at}"), FILTERS);
        confirm(&mut story);
        story.sees("UPLOADS").sees("3 uploaded");
        picture(&mut story, &format!("knowledge_uploads_done_{at}"), FILTERS);
        let mut names = documents(&story);
        names.sort();
        assert_eq!(names, ["Rules of the house", "prices 2026", "受付 👩‍👩‍👧"]);
        story.press("enter").sees("DOCUMENTS OF").sees("prices 2026").sees("processing");
    }
}

#[test]
fn content_that_is_known_is_uploaded_only_when_that_is_said() {
    let folder = folder(&[("prices.txt", b"Tea 2 EUR\n"), ("prices_2.txt", b"Tea 2 EUR\n")]);
    let mut story = story((120, 40));
    find(&mut story, &format!("{}/prices.txt", path(&folder)));
    story.press("ctrl-s").sees("Upload 1 file?");
    confirm(&mut story);
    story.sees("1 uploaded").press("esc").sees("DOCUMENTS OF");
    story.press("u").sees("Add files to").types(path(&folder)).press("enter").sees("FILES FOR");
    story.sees("already uploaded as prices on today").sees("2 left out as known");
    picture(&mut story, "knowledge_upload_known_120x40", FILTERS);
    story.press("ctrl-s").sees("Not now: no file is ready");
    story.press("j space").sees("uploads it again").press("ctrl-s").sees("although uploaded before");
    confirm(&mut story);
    story.sees("2 uploaded");
    assert_eq!(documents(&story), ["prices", "prices 2"]);
}

#[test]
fn folder_of_500_files_becomes_500_documents() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..500 {
        std::fs::write(folder.path().join(format!("page_{number:03}.txt")), format!("Page {number}")).unwrap();
    }
    let mut story = story((120, 40));
    find(&mut story, &format!("{}/*.txt", path(&folder)));
    story.sees("500 ready").press("ctrl-s").sees("Upload 500 files?");
    confirm(&mut story);
    story.0.settle();
    story.sees("500 uploaded");
    let mut names = documents(&story);
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 500);
}

#[test]
fn queue_of_an_earlier_run_goes_on_when_that_is_said() {
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let records = Arc::new(Records::in_memory().unwrap());
    let files = ["one", "two", "three"].map(|name| file(&folder.path().join(format!("{name}.txt")), name, name));
    queued(&records, files.to_vec());
    let server = Server::start(WORLD, service_clock());
    let mut story = Story(Inside::start_on((120, 40), Options::default(), server, records));
    story.sees("3 files are waiting to be uploaded").sees("3 uploads waiting").press("4").sees("Customer handbook");
    story.press("U").sees("UPLOADS").sees("not uploading; s starts");
    story.0.settle();
    assert_eq!(documents(&story), [""; 0]);
    story.press("x").sees("cancelled; not uploaded");
    std::fs::write(folder.path().join("two.txt"), "changed").unwrap();
    story.press("s").sees("1 uploaded").sees("has changed since it was checked");
    assert_eq!(documents(&story), ["three"]);
    picture(&mut story, "knowledge_uploads_resumed_120x40", FILTERS);
    // The file is what it was again.
    std::fs::write(folder.path().join("two.txt"), "two").unwrap();
    story.press("j enter").sees("2 uploaded");
    assert_eq!(documents(&story), ["three", "two"]);
    story.press("C").sees("cancelled; not uploaded").sees_no_more("2 uploaded");
}

#[test]
fn unknown_upload_is_looked_up_before_another_try() {
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let records = Arc::new(Records::in_memory().unwrap());
    let files = ["There", "Gone"].map(|name| file(&folder.path().join(name), name, name));
    for upload in queued(&records, files.to_vec()) {
        records.begin_upload(upload.number, noon()).unwrap();
        let unknown = UploadStatus::Unknown("no answer: connection reset".to_owned());
        records.settle_upload(upload.number, &unknown, noon()).unwrap();
    }
    let server = Server::start(
        &format!("{WORLD}[[users.knowledgebases.documents]]\nname = \"There\"\ntype = \"txt\"\nstatus = \"active\"\n"),
        service_clock(),
    );
    let mut story = Story(Inside::start_on((120, 40), Options::default(), server, records));
    story.sees("2 files have an unknown outcome").press("4").sees("Customer handbook");
    story.press("U").sees("unknown: no answer").press("x").sees("Look it up first").press("s");
    story.0.settle();
    assert_eq!(documents(&story), ["There"], "nothing is uploaded twice by itself");
    story.press("enter").sees("Is this the document?");
    picture(&mut story, "knowledge_uploads_found_120x40", FILTERS);
    story.press("esc").sees("perhaps document 2").press("enter").sees("which you did not take for it");
    story.press("esc").sees_no_more("Upload it again?").press("enter").sees("Is this the document?");
    confirm(&mut story);
    story.sees("1 uploaded").press("j enter").sees("Upload it again?");
    picture(&mut story, "knowledge_uploads_again_120x40", FILTERS);
    story.press("esc").sees("not in the list at").press("enter").sees("Upload it again?");
    confirm(&mut story);
    story.sees("2 uploaded");
    assert_eq!(documents(&story), ["There", "Gone"]);
}

#[test]
fn wrong_path_is_told_at_its_field_and_nothing_typed_is_lost() {
    let folder = folder(&[("a.txt", b"a"), ("b.txt", b"b")]);
    let mut story = story((80, 24));
    story.press("enter").sees("DOCUMENTS").press("u").sees("Add files to").types(&format!("{}/*.pdf", path(&folder)));
    story.press("enter").sees("*.pdf matches no file.").press("ctrl-u");
    story.types(&format!("{0}/a.txt {0}/b.txt", path(&folder))).press("enter").sees("2 ready");
    // What was edited is there again after a look elsewhere.
    story.press("e").sees("Description").press("ctrl-u").types("Alpha").press("ctrl-s").sees("Alpha");
    story
        .press("esc")
        .sees("DOCUMENTS")
        .press("u")
        .sees("Alpha")
        .press("x")
        .sees("1 ready")
        .press("x")
        .sees("DOCUMENTS");
}

#[test]
fn nothing_is_uploaded_where_only_reads_are_allowed() {
    let options = Options { read_only: true, ..Options::default() };
    let mut story = story_on((120, 40), options, Arc::new(Records::in_memory().unwrap()));
    story.press("enter").sees("DOCUMENTS").press("u").sees("Not now: this is read-only").press("U").sees("No uploads");
}

#[test]
fn server_without_the_operation_says_so_and_the_queue_stops() {
    let folder = folder(&[("a.txt", b"a"), ("b.txt", b"b"), ("c.txt", b"c"), ("d.txt", b"d"), ("e.txt", b"e")]);
    let mut story = story((120, 40));
    find(&mut story, path(&folder));
    let fault = serde_json::json!({"path": "/user/knowledgebases/1/documents", "status": 404, "count": 3});
    story.0.server.fault(&fault);
    story.press("ctrl-s").sees("Upload 5 files?");
    confirm(&mut story);
    story.sees("stopped: 3 files in a row were not uploaded; s goes on").sees("2 waiting");
    picture(&mut story, "knowledge_uploads_stopped_120x40", FILTERS);
    story.press("s").sees("2 uploaded").sees("3 not uploaded");
}

fn row(number: i64, name: &str, status: UploadStatus) -> Upload {
    let file = UploadFile {
        path: format!("/srv/handbook/{name}.pdf").into(),
        name: name.to_owned(),
        description: None,
        kind: DocumentType::Pdf,
        size: 14_680_064,
        digest: number.to_string(),
    };
    let knowledgebase = "Customer handbook".to_owned();
    Upload { number, knowledgebase_id: 1, knowledgebase, file, status, hidden: false, changed: noon() }
}

#[test]
fn every_status_of_the_queue_is_shown_and_progress_moves() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut server = Canned::default();
        server.desk.uploads = vec![
            row(1, "House rules", UploadStatus::Created { document_id: Some(31) }),
            row(2, "Prices", UploadStatus::Refused("The file must be a file of type: pdf.".to_owned())),
            row(3, "Warranty", UploadStatus::Unknown("no answer: connection reset".to_owned())),
            row(4, "Returns", UploadStatus::Cancelled),
            row(5, "Old prices", UploadStatus::Failed("cannot reach the server: connection refused".to_owned())),
            row(6, "Catalogue", UploadStatus::Queued),
            row(7, "受付の案内", UploadStatus::Queued),
        ];
        let mut story = Story(Pure::connected(size, Options::default(), server));
        story.press("4 U s");
        let pure = &mut story.0;
        let is_upload = |effect: &&switchboard::tasks::Effect| matches!(effect.task, Task::Server(Work::Upload(_)));
        let id = pure.waiting.iter().find(is_upload).unwrap().id;
        for quarter in 1..=4 {
            *pure = pure.clone().after(1);
            pure.tell(Message::Task(Event::Progress { id, sent: quarter * 1_800_000 }));
        }
        story.sees("49 %").sees("1.7 MiB/s").sees("uploading 49 %, 1 waiting");
        settings.bind(|| insta::assert_snapshot!(format!("knowledge_uploads_{at}"), story.screen().with_looks()));
        story.press("q").sees("A file is being uploaded: q again quits");
        // Cancelled before it was begun, it stays in the queue.
        story.press("j j j j j x").sees("stopped: cancelled; s goes on").sees("2 waiting");
    }
}
