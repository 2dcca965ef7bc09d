//! Parses the arguments and runs a command; nothing else.

fn main() {}
