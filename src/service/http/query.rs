//! Query parameters: the last of several counts, and one without a value counts as not given.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::convert::Infallible;
use url::form_urlencoded;

/// The parameters of a request, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// The value of a parameter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// The parameters as a query, without `left_out`.
    pub fn without(&self, left_out: &str) -> String {
        let kept = self.0.iter().filter(|(name, _)| name != left_out);
        form_urlencoded::Serializer::new(String::new()).extend_pairs(kept).finish()
    }
}

impl From<&str> for Query {
    fn from(text: &str) -> Self {
        let pairs = form_urlencoded::parse(text.as_bytes()).into_owned();
        Self(pairs.filter(|(_, value)| !value.is_empty()).collect())
    }
}

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.uri.query().unwrap_or_default().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_counts_and_an_empty_one_does_not() {
        let query = Query::from("type=&page=1&a%20b=c%26d&page=2");
        assert_eq!(query.get("type"), None);
        assert_eq!(query.get("page"), Some("2"));
        assert_eq!(query.without("page"), "a+b=c%26d");
    }
}
