use super::*;
use crate::ui::panes::tools::edit::{read_json, write_json};
use proptest::prelude::*;

fn import(text: &str) -> Import {
    read(text).unwrap()
}

fn pairs(import: &Import) -> Vec<(String, String)> {
    list::<ToolHeader>(&import.values, "headers").into_iter().map(|one| (one.name, one.value)).collect()
}

#[test]
fn json_body_becomes_parameters_with_types() {
    let found = import(
        r#"curl -sS -X POST https://stock.example.com/v1/articles/search?all=1 \
             -H 'Authorization: Bearer abc' -H "Accept: application/json" \
             --json '{"article": "LM-2040", "pieces": 2, "reserve": true, "tags": ["a"]}'"#,
    );
    assert_eq!(found.values["name"], "search");
    assert_eq!(found.values["endpoint"], "https://stock.example.com/v1/articles/search?all=1");
    assert_eq!((&found.values["method"], &found.values["timeout"]), (&json!("POST"), &json!(10)));
    assert_eq!(pairs(&found)[0], ("Authorization".to_owned(), "Bearer abc".to_owned()));
    let schema: Vec<ToolParameter> = list(&found.values, "schema");
    let shown: Vec<_> =
        schema.iter().map(|one| format!("{} {}: {}", one.name, one.kind.as_str(), one.description)).collect();
    assert_eq!(
        shown,
        [
            "article string: Such as LM-2040",
            "pieces number: Such as 2",
            "reserve boolean: Such as true",
            "tags string: Such as [\"a\"]",
        ]
    );
    let notes = [
        "Not taken over: -s.",
        "Not taken over: -S.",
        "tags is a list or an object in the body: the parameter is a string.",
    ];
    assert_eq!(found.notes, notes);
}

#[test]
fn data_in_the_query_and_forms_become_parameters() {
    let found = import("curl -G https://a.example/x -d q=1 --data-urlencode 'city=São Paulo'");
    assert_eq!(found.values["method"], "GET");
    assert_eq!(found.values["schema"][1]["description"], "Such as São Paulo");
    assert_eq!(found.notes, [""; 0]);
    let found = import("curl https://a.example/x -d a=1 -d b=2");
    assert_eq!((&found.values["method"], &found.values["schema"][1]["name"]), (&json!("POST"), &json!("b")));
    assert_eq!(found.notes, ["The body is a form. A tool sends its parameters as JSON."]);
}

#[test]
fn credentials_become_a_header() {
    for command in
        ["curl -u ada:pw https://a.example/", "curl https://ada:pw@a.example/", "curl -uada:pw https://a.example/"]
    {
        let found = import(command);
        assert_eq!(pairs(&found), [("Authorization".to_owned(), "Basic YWRhOnB3".to_owned())], "{command}");
        assert_eq!(found.values["endpoint"], "https://a.example/");
    }
}

#[test]
fn what_is_not_taken_over_is_named() {
    let found = import("curl -k --http2 -o out.json -m 90 -d @body.json -XHEAD a.example/pay_2");
    assert_eq!(
        found.notes,
        [
            "Not taken over: -k.",
            "Not taken over: --http2.",
            "Not taken over: -o out.json.",
            "Not taken over: --max-time 90. A tool takes 1 to 30 seconds.",
            "Not taken over: --data @body.json. Files are not read.",
            "The URL has no scheme: http is set, as curl does.",
            "A tool cannot send HEAD: the method is GET.",
        ]
    );
    assert_eq!((&found.values["endpoint"], &found.values["name"]), (&json!("http://a.example/pay_2"), &json!("pay")));
}

#[test]
fn what_cannot_be_read_is_said() {
    assert!(read("curl 'https://a.example").unwrap_err().contains("quote"));
    assert_eq!(read("curl -s").unwrap_err(), "the command names no URL");
    assert!(is_command("$ /usr/bin/curl -s x") && is_command("# note\ncurl x") && !is_command("wget x"));
}

#[test]
fn secrets_are_masked_unless_shown_and_asked_for_again() {
    let values = json!({"name": "a", "method": "GET", "endpoint": "https://a.example",
        "headers": [{"name": "X-Api-Key", "value": "very-secret"}]});
    let text = write(values.as_object().unwrap(), false);
    assert!(!text.contains("very-secret") && text.contains("X-Api-Key: •••"), "{text}");
    let found = import(&text);
    assert_eq!((pairs(&found)[0].1.as_str(), found.notes.len()), ("", 1));
    assert!(write(values.as_object().unwrap(), true).contains("very-secret"));
}

fn tool() -> impl Strategy<Value = Values> {
    let header = ("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,12}", "[ -~é受]{0,20}[!-~é受]");
    let header = header.prop_map(|(name, value)| json!({"name": name, "value": value.trim_start()}));
    let parameter = ("[A-Za-z][A-Za-z_]{1,12}", prop_oneof!["string", "number", "boolean"], "[ -~é受\n]{0,30}[a-z]{3}");
    let parameter = parameter.prop_map(|(name, kind, about)| json!({"name": name, "type": kind, "description": about}));
    let text = ("[a-z][a-z_]{0,12}", ".{0,60}", "https://[a-z]{1,8}\\.example/[ -~]{0,12}");
    let method = prop_oneof!["GET", "POST", "PUT", "PATCH", "DELETE"];
    let lists = (prop::collection::vec(header, 0..4), prop::collection::vec(parameter, 0..4));
    (text, method, TIMEOUT, lists).prop_map(|((name, description, endpoint), method, timeout, (headers, schema))| {
        let mut named = std::collections::HashSet::new();
        let schema: Vec<_> = schema.into_iter().filter(|one| named.insert(one["name"].to_string())).collect();
        let tool = json!({"name": name, "description": description, "endpoint": endpoint, "method": method,
            "timeout": timeout, "headers": headers, "schema": schema});
        tool.as_object().unwrap().clone()
    })
}

proptest! {
    #![proptest_config(crate::testing::properties())]

    #[test]
    fn what_is_exported_is_imported_again(values in tool()) {
        let text = write(&values, true);
        prop_assert!(is_command(&text));
        let found = import(&text);
        prop_assert_eq!(&found.values, &values, "{}", text);
        prop_assert_eq!(found.notes, Vec::<String>::new());
        let (again, unknown) = read_json(&write_json(&values, true), &Values::new()).unwrap();
        prop_assert_eq!((again, unknown), (values, Vec::new()));
    }

    #[test]
    fn no_text_is_too_odd_to_read(text in "curl .{0,80}") {
        drop(read(&text));
    }
}
