//! Passes a request that was received on to another URL.

use super::cause::{self, spell};
use super::config::{ConfigError, is_plain};
use super::transport::builder;
use reqwest::header::{
    CONNECTION, CONTENT_LENGTH, EXPECT, HOST, HeaderMap, HeaderName, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, TE,
    TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use std::time::Duration;
use url::Url;

/// For the whole of it. Senders commonly wait ten seconds for their own answer.
const DEADLINE: Duration = Duration::from_secs(9);

/// Headers of one connection, which say nothing about the next.
const OF_CONNECTION: [HeaderName; 10] = [
    CONNECTION,
    CONTENT_LENGTH,
    EXPECT,
    HOST,
    PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// Passes requests on to one URL.
#[derive(Debug)]
pub struct Forwarder {
    http: reqwest::Client,
    url: Url,
}

impl Forwarder {
    /// Makes one. Nothing is sent yet.
    ///
    /// # Errors
    /// Where the URL is neither http nor https or carries credentials, or TLS cannot be set up.
    pub fn new(url: Url) -> Result<Self, ConfigError> {
        is_plain(&url)?;
        let http = builder(&url, DEADLINE, DEADLINE).build().map_err(|error| ConfigError::Setup(error.to_string()))?;
        Ok(Self { http, url })
    }

    /// POSTs a body with its original headers, once and without following redirects. Returns the status of the response;
    /// its body is not read.
    ///
    /// # Errors
    /// Why there is no response, in words.
    pub async fn forward(&self, mut headers: HeaderMap, body: impl Into<reqwest::Body>) -> Result<u16, String> {
        for name in OF_CONNECTION {
            headers.remove(name);
        }
        let sent = self.http.post(self.url.clone()).headers(headers).body(body).send().await;
        sent.map(|response| response.status().as_u16()).map_err(|error| {
            if error.is_timeout() { format!("no answer within {}", spell(DEADLINE)) } else { cause::root_cause(&error) }
        })
    }
}
