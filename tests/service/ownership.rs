//! Rule 1 of the spec: an identifier of a resource that belongs to someone else is answered as not found.

#[tokio::test]
async fn placeholder() {}
