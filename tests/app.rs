//! The whole app, told as stories: keys, and what is seen.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking, its helpers too")]

mod support;

mod app {
    mod activity;
    mod again;
    mod api_keys;
    mod assistants_calls;
    mod assistants_chat;
    mod assistants_edit;
    mod assistants_listen;
    mod assistants_read;
    mod assistants_webhooks;
    mod bulk;
    mod catalogue;
    mod conversations_alerts;
    mod conversations_calls;
    mod conversations_calls_http;
    mod conversations_filter;
    mod conversations_list;
    mod conversations_narrow;
    mod conversations_read;
    mod conversations_read_http;
    mod conversations_reply;
    mod conversations_reply_http;
    mod conversations_take_over;
    mod core;
    mod desk;
    mod faults;
    mod forms;
    mod keys;
    mod knowledge;
    mod knowledge_edit;
    mod knowledge_upload;
    mod messaging;
    mod messaging_compose;
    mod messaging_list;
    mod mouse;
    mod refusals;
    mod scenes;
    mod sizes;
    mod snapshots;
    mod stories;
    mod tools;
    mod tools_edit;
    mod tools_try;
}
