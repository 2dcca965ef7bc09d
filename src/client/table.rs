//! The macro behind [`super::operations`]: it makes requests, replies and their names from one line an operation.

/// Reads a line as
///
/// ```text
/// Variant function { path, query and body arguments }: METHOD "path" ? query, json(body) => Reply as Envelope { field };
/// ```
///
/// - `{id}` in the path is the argument of that name. A path below `/sandbox/` is beside the API root, not below it.
/// - `? query` names the argument with the query parameters; `json(…)` or `form(…)` the one that is the body.
/// - `as Envelope { field }` reads the answer as that type and takes the field out.
/// - `, any_body` after the reply ignores the answer's body.
macro_rules! operations {
    ($(
        $variant:ident $function:ident $({ $($argument:ident: $type:ty),+ })?:
        $method:ident $path:literal $(? $query:ident)? $(, $content:ident($body:ident))?
        => $reply:ty $(as $envelope:ty { $($field:tt)+ })? $(, $reader:ident)?;
    )+) => {
        /// A request for an operation. Reads that are equal get the same reply.
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum Request {
            $(
                #[doc = concat!("`", stringify!($method), " ", $path, "`")]
                $variant $({ $(#[doc = concat!("The ", stringify!($argument), ".")] $argument: $type),+ })?,
            )+
        }

        /// The reply of an operation.
        #[derive(Debug, Clone, PartialEq)]
        #[expect(clippy::large_enum_variant, reason = "it travels in a box")]
        pub enum Reply {
            $(
                #[doc = concat!("`", stringify!($method), " ", $path, "`")]
                $variant($reply),
            )+
        }

        impl Request {
            /// The name of each operation, in the order of the table.
            pub const NAMES: &[&str] = &[$(stringify!($function)),+];

            /// The name of its operation.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$variant { .. } => stringify!($function),)+ }
            }

            /// The HTTP method, in capitals.
            pub fn method(&self) -> &'static str {
                match self { $(Self::$variant { .. } => stringify!($method),)+ }
            }

            /// Path and query below the base URL, percent-encoded.
            #[expect(unused_variables, reason = "not every line has arguments in its path")]
            pub fn path(&self) -> String {
                match self {
                    $(Self::$variant $({ $($argument),+ })? => with_query(format!($path), &[$($query)?]),)+
                }
            }

            #[expect(unused_variables, reason = "not every argument is a body")]
            pub(super) fn content(&self) -> Option<Content> {
                match self {
                    $(Self::$variant $({ $($argument),+ })? => Vec::from([$(Content::$content($body))?]).pop(),)+
                }
            }

            /// Reads the body of a successful answer.
            pub(super) fn read(&self, body: &[u8]) -> Result<Reply, FailureKind> {
                match self {
                    $(Self::$variant { .. } => {
                        Ok(Reply::$variant(read!(body $(as $envelope)? $(with $reader)?)? $(.$($field)+)?))
                    })+
                }
            }
        }

        impl Reply {
            $(
                #[doc = concat!("The reply of `", stringify!($function), "`, where it is one.")]
                pub fn $function(self) -> Option<$reply> {
                    if let Self::$variant(reply) = self { Some(reply) } else { None }
                }
            )+
        }
    };
}

/// Reads an answer's body: as JSON where the table names no other function.
macro_rules! read {
    ($body:ident) => {
        answer::json($body)
    };
    ($body:ident as $envelope:ty) => {
        answer::json::<$envelope>($body)
    };
    ($body:ident with $reader:ident) => {
        answer::$reader($body)
    };
}

pub(super) use {operations, read};
