//! `/user/me` and `/white-label/login`.

use super::text;
use crate::api::rules::API_KEY_NAME_MAX;
use crate::api::{Account, Login};
use crate::service::limits::LOGIN_KEYS_MAX;
use crate::service::openapi::{ErrorShape, Operation};
use serde_json::json;

const TAG: &str = "Account";

/// `GET /user/me`.
pub fn me() -> Operation {
    Operation::extension(TAG, "getAccount", "Read the caller's account and balance")
        .answers::<Account>(200, "The account.")
}

/// `POST /white-label/login`.
pub fn login() -> Operation {
    let password = json!({"type": "string", "minLength": 1});
    let name = json!({"type": ["string", "null"], "maxLength": API_KEY_NAME_MAX});
    let fields = json!({"email": text(API_KEY_NAME_MAX), "password": password, "token_name": name});
    Operation::extension(TAG, "logIn", "Get a session token for a password")
        .words(format!(
            "It works as any bearer token, and is listed among the user's keys until it is deleted there. Where there are \
             {LOGIN_KEYS_MAX} keys, the oldest one of its name gives way."
        ))
        .open()
        .fields(&["email", "password"], &fields)
        .answers::<Login>(200, "The token, which no other answer shows.")
        .refuses(401, ErrorShape::Message, "Email and password do not belong together.")
        .refuses(429, ErrorShape::Limited, "Too many wrong passwords for the email or from the address.")
        .refuses(
            422,
            ErrorShape::Validation,
            format!("A field is missing or invalid, or there are {LOGIN_KEYS_MAX} keys and none of that name."),
        )
}
