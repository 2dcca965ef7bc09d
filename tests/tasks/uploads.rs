//! What becomes of an upload, whatever happens on its way.

use super::client::config;
use super::server::{PATIENCE, Reply, Server, nobody};
use crate::support::canned::noon;
use crate::support::server::Server as Service;
use serde_json::{Value, json};
use std::fs::{File, Permissions};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, mpsc};
use std::time::Duration;
use switchboard::client::{Client, ClientConfig};
use switchboard::records::{Records, StorageReply, StorageRequest, Upload, UploadChange, UploadFile, UploadStatus};
use switchboard::service::Clock;
use switchboard::tasks::{self, Answer, Config, Connected, Effect, Event, Handle, Origin, TaskId, Uploading, Work};

const SERVER: &str = "https://api.example.com";
const PROFILE: &str = "test";
const CREATED: &str = r#"{"message": "Document created successfully.", "data": {"id": 31, "status": "processing"}}"#;
/// More than sockets hold back between two programs.
const LARGE: usize = 20 * 1024 * 1024;

/// A channel with a queue, and a folder of files.
struct Bench {
    folder: tempfile::TempDir,
    records: Arc<Records>,
    handle: Handle,
    events: mpsc::Receiver<Event>,
}

impl Bench {
    fn to(base_url: &str) -> Self {
        Self::with(config(base_url), |config| config)
    }

    fn with(client: ClientConfig, tune: impl FnOnce(Config) -> Config) -> Self {
        let records = Arc::new(Records::in_memory().unwrap());
        let (events_in, events) = mpsc::channel();
        let out: tasks::Events = Arc::new(move |event| drop(events_in.send(event)));
        let config = tune(Config::new(Arc::clone(&records), PROFILE));
        let connect = move || std::future::ready(Ok(Connected::new(Client::new(client.clone()).unwrap())));
        let handle = tasks::start(config, connect, out).unwrap();
        Self { folder: tempfile::tempdir().unwrap(), records, handle, events }
    }

    fn store(&self, request: &StorageRequest) -> StorageReply {
        self.records.store(PROFILE, request, noon()).unwrap()
    }

    fn uploads(&self) -> Vec<Upload> {
        self.records.uploads(PROFILE, SERVER).unwrap()
    }

    /// Writes a file, checks it and queues it for this knowledgebase.
    fn queue(&self, knowledgebase: i64, content: &[u8]) -> Upload {
        let path = self.folder.path().join("prices.txt");
        std::fs::write(&path, content).unwrap();
        let inspect = StorageRequest::InspectFile { path: path.clone(), server: SERVER.to_owned() };
        let StorageReply::Inspected(Ok(facts)) = self.store(&inspect) else { panic!("it is text") };
        let (kind, size, digest) = (facts.kind, facts.size, facts.digest);
        let file = UploadFile { path, name: "Prices".to_owned(), description: None, kind, size, digest };
        let change = UploadChange::Add(knowledgebase, "Handbook".to_owned(), vec![file]);
        self.store(&StorageRequest::ChangeUploads { server: SERVER.to_owned(), change });
        self.uploads().pop().unwrap()
    }

    fn start(&self, upload: &Upload) {
        let (number, knowledgebase_id, document) = (upload.number, upload.knowledgebase_id, upload.file.document());
        let work = Work::Upload(Box::new(Uploading { number, knowledgebase_id, document }));
        self.handle.run(Effect::new(TaskId(u64::try_from(number).unwrap()), Origin::new("test"), work));
    }

    /// Its result, and the progress that was told before.
    fn ends(&self) -> (Result<UploadStatus, String>, Vec<u64>) {
        let mut progress = Vec::new();
        loop {
            match self.events.recv_timeout(PATIENCE).expect("an event was due") {
                Event::Progress { sent, .. } => progress.push(sent),
                Event::Done(report) => {
                    let result = report.result.map_err(|failure| failure.kind.to_string());
                    let status = result.map(|answer| match answer {
                        Answer::Uploaded(status) => status,
                        other => panic!("{other:?}"),
                    });
                    return (status, progress);
                }
                _ => {}
            }
        }
    }

    /// Uploads a file of this size; what became of it, which is also what is on disk.
    fn upload(&self, size: usize) -> UploadStatus {
        let upload = self.queue(7, &vec![b'x'; size]);
        self.start(&upload);
        self.settled()
    }

    fn settled(&self) -> UploadStatus {
        let status = self.ends().0.unwrap();
        assert_eq!(self.uploads().last().unwrap().status, status);
        status
    }
}

/// A server that reads so much of a request, answers what it is told, and goes no further until it is dropped.
struct Hostile {
    address: SocketAddr,
    read: mpsc::Receiver<()>,
    _hold: mpsc::Sender<()>,
}

impl Hostile {
    /// Without an answer the connection is closed, or stays open without a word.
    fn start(bytes: usize, closes: bool, answer: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let ((read_in, read), (hold, dropped)) = (mpsc::channel(), mpsc::channel::<()>());
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.read_exact(&mut vec![0; bytes]).unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
            read_in.send(()).unwrap();
            if !closes {
                let _ = dropped.recv();
            }
        });
        Self { address, read, _hold: hold }
    }

    fn base_url(&self) -> String {
        format!("http://{}/api", self.address)
    }

    fn has_read(&self) {
        self.read.recv_timeout(PATIENCE).expect("a request was due");
    }
}

fn failed(status: &UploadStatus) -> &str {
    if let UploadStatus::Failed(why) = status { why } else { panic!("{status:?}") }
}

#[test]
fn file_becomes_one_document_and_its_progress_is_told() {
    let service = Service::start("[[users]]\nemail = \"a@example.com\"\ntokens = [\"t\"]\n", Clock::fixed(noon()));
    service.create("/user/knowledgebases", &json!({"name": "Handbook"}));
    let bench = Bench::with(ClientConfig::new(service.base_url().parse().unwrap(), service.token.clone()), |c| c);
    let upload = bench.queue(1, &vec![b'x'; LARGE]);
    bench.start(&upload);
    let (status, progress) = bench.ends();
    let status = status.unwrap();
    let UploadStatus::Created { document_id: Some(id) } = status else { panic!("{status:?}") };
    assert!(progress.is_sorted() && progress.last().is_none_or(|sent| *sent <= LARGE as u64), "{progress:?}");
    let documents: Value = service.get("/user/knowledgebases/1/documents");
    assert_eq!(documents["data"].as_array().unwrap().len(), 1);
    assert_eq!((&documents["data"][0]["id"], &documents["data"][0]["type"]), (&json!(id), &json!("txt")));

    bench.start(&upload);
    assert_eq!(bench.ends().0, Err("Nothing was uploaded: it is not queued any more".to_owned()));
    assert_eq!(service.get("/user/knowledgebases/1/documents")["data"].as_array().unwrap().len(), 1);
    // Another program, or another profile, is told that this content is there.
    let inspect = StorageRequest::InspectFile { path: upload.file.path, server: SERVER.to_owned() };
    let StorageReply::Inspected(Ok(facts)) = bench.store(&inspect) else { panic!("inspected") };
    assert_eq!((facts.earlier[0].name.as_str(), facts.earlier[0].knowledgebase.as_str()), ("Prices", "Handbook"));
}

#[test]
fn refusals_are_told_in_the_words_of_the_service() {
    let service = Service::start("[[users]]\nemail = \"a@example.com\"\ntokens = [\"t\"]\n", Clock::fixed(noon()));
    let bench = Bench::with(ClientConfig::new(service.base_url().parse().unwrap(), service.token.clone()), |c| c);
    assert_eq!(bench.upload(9), UploadStatus::Refused("Knowledgebase not found.".to_owned()));
    for (reply, words) in [
        (
            Reply::json(422, r#"{"message": "No.", "errors": {"type": ["The selected type is invalid."]}}"#),
            "The selected type is invalid.",
        ),
        (
            Reply::json(422, r#"{"message": "You have reached your plan limit of 5 documents."}"#),
            "You have reached your plan limit of 5 documents.",
        ),
        (Reply::json(413, "<html>"), "the server answered 413 without a reason"),
        (Reply::json(500, r#"{"error": "Failed to create document."}"#), "Failed to create document."),
    ] {
        let server = Server::start([reply]);
        assert_eq!(Bench::to(&server.base_url()).upload(9), UploadStatus::Refused(words.to_owned()));
    }
}

#[test]
fn server_that_refuses_before_the_end_is_heard() {
    let answer = "HTTP/1.1 413 Payload Too Large\r\nContent-Length: 24\r\n\r\n{\"message\": \"Too large\"}";
    let server = Hostile::start(100_000, false, answer);
    let bench = Bench::to(&server.base_url());
    assert_eq!(bench.upload(LARGE), UploadStatus::Refused("Too large".to_owned()));
}

#[test]
fn connection_that_breaks_half_way_leaves_no_document() {
    let server = Hostile::start(100_000, true, "");
    let bench = Bench::to(&server.base_url());
    assert!(!failed(&bench.upload(LARGE)).is_empty());
    assert!(failed(&Bench::to(&nobody()).upload(9)).starts_with("cannot reach the server"));
}

#[test]
fn what_breaks_after_the_whole_file_left_is_unknown_and_never_tried_again() {
    for reply in [Reply::Drop, Reply::BreakOff, Reply::json(500, ""), Reply::json(503, ""), Reply::json(201, "[]")] {
        let server = Server::start(vec![reply; 5]);
        let status = Bench::to(&server.base_url()).upload(200_000);
        assert!(matches!(status, UploadStatus::Unknown(_)), "{status:?}");
        assert_eq!(server.unseen().len(), 1);
    }
}

#[test]
fn cancelled_before_the_whole_file_left_it_leaves_no_document() {
    let server = Hostile::start(100_000, false, "");
    let bench = Bench::to(&server.base_url());
    let upload = bench.queue(7, &vec![b'x'; LARGE]);
    bench.start(&upload);
    server.has_read();
    bench.handle.cancel(TaskId(1));
    assert_eq!(bench.settled(), UploadStatus::Cancelled);
}

#[test]
fn cancelled_after_the_whole_file_left_it_is_unknown() {
    let server = Server::start([Reply::Hang]);
    let bench = Bench::to(&server.base_url());
    let upload = bench.queue(7, &vec![b'x'; 200_000]);
    bench.start(&upload);
    server.request();
    bench.handle.cancel(TaskId(1));
    assert_eq!(bench.settled(), UploadStatus::Unknown("no answer: cancelled after the whole file had left".to_owned()));
    assert!(server.client_left());
}

#[test]
fn upload_that_stands_still_is_given_up() {
    let mut quick = config("http://127.0.0.1:1");
    quick.deadline = Duration::from_millis(20);
    let server = Hostile::start(100_000, false, "");
    quick.base_url = server.base_url().parse().unwrap();
    assert_eq!(failed(&Bench::with(quick.clone(), |c| c).upload(LARGE)), "no answer: no progress for 80 ms");
    let server = Server::start([Reply::Hang]);
    quick.base_url = server.base_url().parse().unwrap();
    let unknown = UploadStatus::Unknown("no answer: no progress for 80 ms".to_owned());
    assert_eq!(Bench::with(quick, |c| c).upload(200_000), unknown);
}

#[test]
fn end_of_the_program_queues_again_what_the_server_cannot_have() {
    let server = Hostile::start(100_000, false, "");
    let bench = Bench::to(&server.base_url());
    bench.start(&bench.queue(7, &vec![b'x'; LARGE]));
    server.has_read();
    bench.handle.shutdown(PATIENCE);
    assert_eq!(bench.uploads()[0].status, UploadStatus::Queued);

    let server = Server::start([Reply::Hang]);
    let bench = Bench::to(&server.base_url());
    bench.start(&bench.queue(7, &vec![b'x'; 200_000]));
    server.request();
    bench.handle.shutdown(Duration::ZERO);
    assert!(matches!(bench.uploads()[0].status, UploadStatus::Unknown(_)));
}

#[test]
fn file_that_changed_since_it_was_checked_never_leaves_whole() {
    let server = Server::start([Reply::json(201, CREATED)]);
    let bench = Bench::to(&server.base_url());
    let shrunk = bench.queue(7, &vec![b'x'; 200_000]);
    File::options().write(true).open(&shrunk.file.path).unwrap().set_len(9).unwrap();
    bench.start(&shrunk);
    assert!(failed(&bench.settled()).ends_with("has changed since it was checked: 9 bytes instead of 200000"));
    let edited = bench.queue(7, &vec![b'x'; 200_000]);
    std::fs::write(&edited.file.path, vec![b'y'; 200_000]).unwrap();
    bench.start(&edited);
    assert!(failed(&bench.settled()).ends_with("prices.txt has changed since it was checked"));
    assert_eq!(server.unseen().len(), 0, "no request was complete");
}

#[test]
fn file_that_shrinks_while_it_is_read_never_leaves_whole() {
    let server = Hostile::start(100_000, false, "");
    let bench = Bench::to(&server.base_url());
    let upload = bench.queue(7, &vec![b'x'; LARGE]);
    bench.start(&upload);
    server.has_read();
    // Sockets hold back far less than this.
    File::options().write(true).open(&upload.file.path).unwrap().set_len((LARGE - 100_000) as u64).unwrap();
    drop(server);
    let why = bench.settled();
    assert!(matches!(&why, UploadStatus::Failed(_)), "{why:?}");
}

#[test]
fn file_without_permission_is_not_created() {
    let server = Server::start([Reply::json(201, CREATED)]);
    let bench = Bench::to(&server.base_url());
    let upload = bench.queue(7, b"secret");
    std::fs::set_permissions(&upload.file.path, Permissions::from_mode(0o000)).unwrap();
    if File::open(&upload.file.path).is_ok() {
        // The superuser reads everything.
        return;
    }
    bench.start(&upload);
    assert!(failed(&bench.settled()).ends_with("cannot be read: permission denied"));
}

#[test]
fn nothing_leaves_where_only_reads_are_allowed() {
    let server = Server::start([Reply::json(201, CREATED)]);
    let bench = Bench::with(config(&server.base_url()), |config| Config { read_only: true, ..config });
    let upload = bench.queue(7, b"prices");
    bench.start(&upload);
    assert_eq!(bench.ends().0, Err("Read-only: nothing was sent".to_owned()));
    assert_eq!((server.unseen().len(), &bench.uploads()[0].status), (0, &UploadStatus::Queued));
}
