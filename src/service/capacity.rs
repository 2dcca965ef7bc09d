//! What a caller may take of the service, in one place with its numbers. Each process counts for itself.
//!
//! **Places.** A connection takes one of [`PLACES`]. It belongs to the user whose token was last shown on it, or else, as a
//! guest's, to the address that it comes from. Of what a trusted proxy passes on, each request belongs to its own user, or to
//! the address that the proxy names. Guests have [`FOR_GUESTS`] at most, so that the others are a reserve for users. A new
//! connection always gets a place. If all are taken, the holder with the most loses one; if only those for guests are, the
//! guest with the most does. It is the connection that has been still for the longest. One whose request is being answered
//! goes only if its holder has no other; waiting for a body is not answering.
//!
//! **Bodies.** A guest's has [`GUEST_BODY`] at most and [`GUEST_BODY_LIMIT`] to arrive, a user's [`BODY`]. All bodies
//! that are kept share [`BODIES`], counted by the length that they announce. No holder may keep more than is left: the first
//! user gets half, the next half of the rest, so a newcomer always finds room. Beyond that the answer is 503 with
//! `Retry-After`. A file is looked at as it comes, and not kept.
//!
//! **Time.** A head, an idle connection, a request and a connection have their limits below, and an answer has to be read
//! at [`LEAST_READ`] in each [`READ_SPAN`].
//!
//! **Work.** As many reading requests are answered at a time as there are cores, in turns among users and addresses
//! ([`super::turns`]); what may write has threads of its own. [`LOGINS`] passwords are checked at a time, in turns too; how
//! many may be wrong is said in [`super::login_throttle`].

use std::time::Duration;

/// Connections at a time, as far as the process may open so many files.
pub(super) const PLACES: usize = 512;
/// Of these, for those whose last request showed no valid token.
pub(super) const FOR_GUESTS: usize = PLACES / 2;

/// Bytes of a head, and of what is read ahead of a body: the most that a connection keeps before anything is known of it.
pub(super) const HEAD: usize = 80 * 1024;
/// Bytes of the largest body in JSON, and of all the fields of a form.
pub(super) const BODY: usize = 1024 * 1024;
/// The same for a guest, who can only log in.
pub(super) const GUEST_BODY: usize = 16 * 1024;
/// Bytes of all bodies that are kept while they arrive.
pub(super) const BODIES: usize = 32 * BODY;
/// Of a body that is too large so many bytes are received and thrown away, so that a caller still writing reads the answer.
pub(super) const DRAIN: usize = 16 * BODY;

/// How long a head may take, from the beginning of a connection or from its first byte.
pub(super) const HEAD_LIMIT: Duration = Duration::from_secs(10);
/// How long a guest's body may take.
pub(super) const GUEST_BODY_LIMIT: Duration = Duration::from_secs(10);
/// How long a connection may stay idle after an answer.
pub(super) const IDLE_LIMIT: Duration = Duration::from_secs(75);
/// The longest that a request may take, its body included.
pub(super) const REQUEST_LIMIT: Duration = Duration::from_secs(30);
/// The same for a form: 20 MiB take their time on a slow link.
pub(super) const UPLOAD_LIMIT: Duration = Duration::from_secs(600);
/// After this long a connection is closed once its request is answered, so that none lives for ever.
pub(super) const LIFETIME: Duration = Duration::from_secs(600);
/// How long a request that is being answered has to finish when its connection is to end.
pub(super) const GRACE: Duration = Duration::from_secs(10);
/// Bytes of an answer that the system may hold for a reader, asked for; Linux takes twice as much. With more, a slow reader
/// would hold megabytes there, and seem to read nothing until a third of them is gone.
pub(super) const SEND_BUFFER: u32 = 64 * 1024;
/// Connections that wait to be accepted.
pub(super) const BACKLOG: u32 = 1024;
/// Within each [`READ_SPAN`] the other side reads so many bytes at least, as long as there are any to read.
pub(super) const LEAST_READ: usize = 32 * 1024;
/// See [`LEAST_READ`].
pub(super) const READ_SPAN: Duration = Duration::from_secs(10);

/// Passwords checked at the same time: each keeps a core busy for a tenth of a second.
pub(super) const LOGINS: usize = 2;
