//! What the client makes of servers that fail.

use super::client::{TOKEN, client, config};
use super::server::{Reply, Server, nobody};
use std::time::Duration;
use switchboard::api::{CreateApiKey, ErrorBody};
use switchboard::client::{Attempt, Client, Failure, FailureKind, Request};
use tokio::sync::mpsc;

/// Reads the outbound assistants and keeps the tries.
async fn read(client: &Client) -> (Result<usize, Failure>, Vec<Attempt>) {
    let mut attempts = Vec::new();
    let result = client.call(&Request::ListOutboundAssistants, &mut |attempt| attempts.push(attempt)).await;
    (result.map(|reply| reply.list_outbound_assistants().unwrap().len()), attempts)
}

/// Makes an API key and keeps the tries.
async fn write(client: &Client) -> (FailureKind, Vec<Attempt>) {
    let mut attempts = Vec::new();
    let request = Request::CreateApiKey { body: CreateApiKey { name: "ci".to_owned() } };
    let result = client.call(&request, &mut |attempt| attempts.push(attempt)).await;
    (result.unwrap_err().kind, attempts)
}

#[tokio::test]
async fn a_read_is_tried_again_until_it_succeeds_and_each_try_is_told() {
    let server = Server::start([Reply::Drop, Reply::json(503, ""), Reply::BreakOff, Reply::json(200, "[]")]);
    let (result, attempts) = read(&client(&server)).await;
    assert_eq!(result, Ok(0));
    assert_eq!(attempts.iter().map(|attempt| attempt.number).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(
        attempts.iter().map(|attempt| attempt.status).collect::<Vec<_>>(),
        [None, Some(503), Some(200), Some(200)]
    );
    assert!(attempts[..3].iter().all(|attempt| attempt.fault.is_some() && attempt.retry_in.is_some()), "{attempts:?}");
    assert_eq!((&attempts[3].fault, attempts[3].retry_in), (&None, None));
}

#[tokio::test]
async fn a_read_is_given_up_after_three_retries() {
    let server = Server::start(vec![Reply::json(502, r#"{"message": "Bad gateway."}"#); 9]);
    let (result, attempts) = read(&client(&server)).await;
    let failure = result.unwrap_err();
    assert_eq!(failure.to_string(), "GET /user/assistants/outbound: 502: Bad gateway.");
    assert_eq!((attempts.len(), server.unseen().len()), (4, 4));
    assert_eq!(attempts[3].retry_in, None);
}

#[tokio::test]
async fn a_write_is_tried_exactly_once() {
    for reply in [Reply::Drop, Reply::BreakOff, Reply::json(503, ""), Reply::json(429, "").with("Retry-After", "0")] {
        let server = Server::start(vec![reply; 9]);
        let (_, attempts) = write(&client(&server)).await;
        assert_eq!((attempts.len(), server.unseen().len()), (1, 1));
    }
}

#[tokio::test]
async fn a_write_on_a_connection_that_breaks_has_an_unknown_outcome() {
    let server = Server::start([Reply::json(200, "[]"), Reply::Drop]);
    let client = client(&server);
    read(&client).await.0.unwrap();
    let (kind, _) = write(&client).await;
    assert!(matches!(kind, FailureKind::NoAnswer(_)), "{kind}");
    assert_eq!(server.unseen().len(), 2, "a used connection is no excuse for a second try");
}

#[tokio::test]
async fn nobody_at_the_address_is_unreachable_in_a_few_words() {
    let (result, attempts) = read(&Client::new(config(&nobody())).unwrap()).await;
    assert_eq!(result.unwrap_err().kind, FailureKind::Unreachable("connection refused".to_owned()));
    assert_eq!(attempts.len(), 4);
}

#[tokio::test]
async fn a_name_that_does_not_exist_is_unreachable_in_a_few_words() {
    let mut config = config("http://nowhere.invalid/api");
    config.retries = 0;
    let kind = read(&Client::new(config).unwrap()).await.0.unwrap_err().kind;
    assert_eq!(kind, FailureKind::Unreachable("name not found".to_owned()));
}

#[tokio::test]
async fn a_server_that_does_not_speak_tls_is_unreachable() {
    let server = Server::start([]);
    let mut config = config(&server.base_url().replace("http:", "https:"));
    config.retries = 0;
    let kind = read(&Client::new(config).unwrap()).await.0.unwrap_err().kind;
    assert!(matches!(kind, FailureKind::Unreachable(_)), "{kind}");
}

#[tokio::test]
async fn a_broken_connection_is_no_answer_in_words() {
    for reply in [Reply::Drop, Reply::BreakOff] {
        let server = Server::start(vec![reply; 4]);
        let kind = read(&client(&server)).await.0.unwrap_err().kind;
        let FailureKind::NoAnswer(why) = kind else { panic!("{kind}") };
        assert!(!why.is_empty() && !why.contains("http://") && !why.contains("error"), "{why}");
    }
}

#[tokio::test]
async fn silence_is_no_answer_after_the_deadline() {
    let server = Server::start(vec![Reply::Hang; 2]);
    let mut config = config(&server.base_url());
    config.deadline = Duration::from_millis(50);
    config.retries = 1;
    let (result, attempts) = read(&Client::new(config).unwrap()).await;
    assert_eq!(result.unwrap_err().kind, FailureKind::NoAnswer("timed out after 50 ms".to_owned()));
    assert_eq!(attempts.len(), 2);
    // Off the runtime, which has the connections to close.
    let both_left = tokio::task::spawn_blocking(move || server.client_left() && server.client_left());
    assert!(both_left.await.unwrap());
}

#[tokio::test]
async fn the_wait_that_the_server_asks_for_is_announced_before_it_is_waited() {
    let body = r#"{"message": "Too Many Attempts.", "retry_after": 3}"#;
    let server = Server::start([Reply::json(429, body).with("Retry-After", "7")]);
    let client = client(&server);
    let (told, mut attempts) = mpsc::unbounded_channel();
    let mut observe = move |attempt| drop(told.send(attempt));
    let attempt = tokio::select! {
        _ = client.call(&Request::ListOutboundAssistants, &mut observe) => panic!("it waits for seven seconds"),
        attempt = attempts.recv() => attempt.unwrap(),
    };
    assert_eq!((attempt.status, attempt.retry_in), (Some(429), Some(Duration::from_secs(7))));
    assert_eq!(attempt.fault.as_deref(), Some("429: Too Many Attempts."));
}

#[tokio::test]
async fn a_wait_that_is_too_long_is_not_waited_and_said() {
    let body = r#"{"message": "Too Many Attempts.", "retry_after": 60}"#;
    let server = Server::start([Reply::json(429, body)]);
    let (result, attempts) = read(&client(&server)).await;
    assert_eq!(attempts.len(), 1);
    let fault = attempts[0].fault.as_deref().unwrap();
    assert!(fault.starts_with("429: Too Many Attempts.; the server asks to wait 60 s"), "{fault}");
    let FailureKind::Status { status: 429, body, retry_after } = result.unwrap_err().kind else { panic!("a status") };
    assert_eq!(retry_after, Some(Duration::from_secs(60)));
    assert!(matches!(body, Some(ErrorBody::Limited { retry_after: 60, .. })));
}

#[tokio::test]
async fn an_error_of_the_api_brings_its_own_words_and_is_not_tried_again() {
    let body = r#"{"message": "The given data was invalid.", "errors": {"name": ["The name field is required."]}}"#;
    let server = Server::start([Reply::json(422, body), Reply::json(500, "<html>"), Reply::json(401, "{}")]);
    let client = client(&server);
    let (kind, _) = write(&client).await;
    let FailureKind::Status { status: 422, body: Some(body), .. } = kind else { panic!("{kind}") };
    assert_eq!(body.field_errors().collect::<Vec<_>>(), [("name", "The name field is required.")]);

    let (result, attempts) = read(&client).await;
    assert_eq!(result.unwrap_err().kind, FailureKind::Status { status: 500, body: None, retry_after: None });
    assert_eq!(attempts.len(), 1);
    assert!(read(&client).await.0.unwrap_err().kind.is_unauthenticated());
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_says_where_it_leads() {
    let elsewhere = Server::start([Reply::json(200, "[]")]);
    let target = format!("{}/user?token=hidden", elsewhere.base_url());
    let server = Server::start([Reply::json(302, "").with("Location", target)]);
    let (result, attempts) = read(&client(&server)).await;
    let why = result.unwrap_err().to_string();
    assert!(why.contains("302 redirects to http://127.0.0.1:") && !why.contains("hidden"), "{why}");
    assert_eq!((attempts.len(), attempts[0].status), (1, Some(302)));
    assert!(elsewhere.unseen().is_empty());
}

#[tokio::test]
async fn an_answer_that_is_no_json_is_unreadable_and_not_tried_again() {
    let server = Server::start([Reply::json(200, "<html>Welcome</html>")]);
    let (result, attempts) = read(&client(&server)).await;
    assert!(matches!(result.unwrap_err().kind, FailureKind::Unreadable(_)));
    assert_eq!((attempts.len(), attempts[0].status), (1, Some(200)));
    assert!(
        attempts[0]
            .fault
            .as_deref()
            .unwrap()
            .starts_with("the server's answer is not in the expected format (not JSON")
    );
}

#[tokio::test]
async fn an_answer_without_bound_is_not_read_to_its_end() {
    let body = vec![b' '; 33 * 1024 * 1024];
    let server = Server::start([Reply::Answer { status: 200, headers: Vec::new(), body }]);
    let kind = read(&client(&server)).await.0.unwrap_err().kind;
    assert_eq!(kind, FailureKind::Unreadable("larger than 32 MiB".to_owned()));
}

#[tokio::test]
async fn no_failure_shows_the_token() {
    for reply in [Reply::Drop, Reply::json(500, ""), Reply::json(401, ""), Reply::json(302, ""), Reply::json(200, "?")]
    {
        let server = Server::start(vec![reply; 4]);
        let (result, attempts) = read(&client(&server)).await;
        let failure = result.unwrap_err();
        let shown = format!("{failure} {failure:?} {attempts:?}");
        assert!(!shown.contains(TOKEN) && !shown.contains("secret"), "{shown}");
    }
}
