//! A request as people read it.

/// A request's method, path and body: how it is named on screen and in logs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Operation {
    /// The HTTP method, in capitals.
    pub method: &'static str,
    /// Path and query below the base URL, percent-encoded, e.g. `/user/conversations?page=2`.
    pub path: String,
    /// The JSON body with its secrets masked; `None` where there is none, or a form.
    pub body: Option<String>,
}

impl Operation {
    /// True where asking twice does no harm: such a request may be retried and shared; any other may not.
    pub fn is_read(&self) -> bool {
        self.method == "GET"
    }

    /// `GET /user/me: `, to put in front of what happened to it.
    pub(super) fn label(&self) -> String {
        format!("{} {}: ", self.method, self.path)
    }
}
