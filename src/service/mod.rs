//! service

pub mod simulation;
pub mod world;
