//! The table of routes, from which both the router and the document are made.

use super::Operation;
use crate::api::Channel;
use crate::service::state::State;
use axum::Router;
use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{MethodFilter, on};
use std::sync::Arc;

/// A route as the document needs it.
#[derive(Debug, Clone)]
pub struct DescribedRoute {
    /// Its method.
    pub method: Method,
    /// Its path below the root that it is nested at, with the neutral word for the channel.
    pub path: &'static str,
    /// What it does, asks for and answers.
    pub describe: fn() -> Operation,
}

/// Routes below one root, each with its description.
#[derive(Debug)]
pub struct Routes {
    channel: Channel,
    router: Router<Arc<State>>,
    /// Only the test that makes the document reads them.
    #[cfg(test)]
    described: Vec<DescribedRoute>,
}

impl Routes {
    /// None yet. Their paths are routed under the channel's own word.
    pub fn new(channel: &Channel) -> Self {
        Self {
            channel: channel.clone(),
            router: Router::new(),
            #[cfg(test)]
            described: Vec::new(),
        }
    }

    /// The routes for axum.
    pub fn into_router(self) -> Router<Arc<State>> {
        self.router
    }

    /// The routes for the document.
    #[cfg(test)]
    pub fn described(&self) -> &[DescribedRoute] {
        &self.described
    }

    /// Adds a `GET`.
    #[must_use]
    pub fn get<T: 'static>(
        self,
        path: &'static str,
        handler: impl Handler<T, Arc<State>>,
        describe: fn() -> Operation,
    ) -> Self {
        self.on(MethodFilter::GET, Method::GET, path, handler, describe)
    }

    /// Adds a `POST`.
    #[must_use]
    pub fn post<T: 'static>(
        self,
        path: &'static str,
        handler: impl Handler<T, Arc<State>>,
        describe: fn() -> Operation,
    ) -> Self {
        self.on(MethodFilter::POST, Method::POST, path, handler, describe)
    }

    /// Adds a `PUT`.
    #[must_use]
    pub fn put<T: 'static>(
        self,
        path: &'static str,
        handler: impl Handler<T, Arc<State>>,
        describe: fn() -> Operation,
    ) -> Self {
        self.on(MethodFilter::PUT, Method::PUT, path, handler, describe)
    }

    /// Adds a `DELETE`.
    #[must_use]
    pub fn delete<T: 'static>(
        self,
        path: &'static str,
        handler: impl Handler<T, Arc<State>>,
        describe: fn() -> Operation,
    ) -> Self {
        self.on(MethodFilter::DELETE, Method::DELETE, path, handler, describe)
    }

    fn on<T: 'static>(
        mut self,
        filter: MethodFilter,
        method: Method,
        path: &'static str,
        handler: impl Handler<T, Arc<State>>,
        describe: fn() -> Operation,
    ) -> Self {
        self.router = self.router.route(&self.channel.spell_path(path), on(filter, handler));
        #[cfg(test)]
        self.described.push(DescribedRoute { method, path, describe });
        #[cfg(not(test))]
        let _ = (method, describe);
        self
    }
}
