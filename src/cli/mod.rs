//! cli

pub mod serve;
