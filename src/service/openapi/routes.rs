//! The table of routes, from which both the router and the document are made.

use super::Operation;
use crate::service::state::State;
use axum::Router;
use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{MethodFilter, on};
use std::sync::Arc;

/// An operation as the document shows it.
#[derive(Debug, Clone)]
pub struct Route {
    /// Its method.
    pub method: Method,
    /// Its path below the root that it is nested at.
    pub path: &'static str,
    /// What it does, asks for and answers.
    pub describe: fn() -> Operation,
}

/// Routes below one root, each with its description.
#[derive(Debug, Default)]
pub struct Routes {
    router: Router<Arc<State>>,
    routes: Vec<Route>,
}

impl Routes {
    /// The routes for axum.
    pub fn into_router(self) -> Router<Arc<State>> {
        self.router
    }

    /// The routes for the document.
    pub fn described(&self) -> &[Route] {
        &self.routes
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
        self.router = self.router.route(path, on(filter, handler));
        self.routes.push(Route { method, path, describe });
        self
    }
}
