//! What a world file may say, and how its mistakes are named.

use super::*;
use crate::api::ToolMethod;
use proptest::prelude::*;

/// The mistake of a file, which must be in the line that ends in `# here`.
fn mistake(text: &str) -> String {
    let error = World::parse(text).expect_err(text);
    let line = 1 + text.lines().position(|line| line.ends_with("# here")).expect("a marked line");
    assert_eq!(error.line, line, "{error}\n{text}");
    assert!(!error.message.contains('\n'), "{error}");
    error.message
}

/// A file with a user, an assistant, a sender and a template, and `more` after it.
fn with(more: &str) -> String {
    format!(
        r#"
        [[users]]
        email = "ada@example.com"
        [[users.assistants]]
        name = "Reception"
        [[users.senders]]
        phone_number = "+14155550100"
        [[users.senders.templates]]
        name = "reminder"
        {more}
        "#
    )
}

#[test]
fn the_demo_world_shows_every_kind_and_state() {
    let world = World::parse(DEMO).unwrap();
    let [ada, bob] = &world.users[..] else { panic!("two users") };
    assert_eq!((ada.email.as_str(), ada.kind), ("ada@example.com", UserKind::Tenant));
    assert_eq!(ada.tokens, [Token::new("sandbox-ada")]);
    assert_eq!(ada.generate, Some(Generate { conversations: 2000, calls: 400, seed: 42 }));
    assert_eq!((bob.kind, bob.assistants.len()), (UserKind::Direct, 1));
    for kind in AssistantType::KNOWN {
        assert!(ada.assistants.iter().any(|assistant| assistant.kind == *kind), "{kind:?}");
    }
    for mode in AssistantMode::KNOWN {
        assert!(ada.assistants.iter().any(|assistant| assistant.mode == *mode), "{mode:?}");
    }
    assert!(ada.assistants.iter().any(|assistant| assistant.status == AssistantStatus::Inactive));
    assert!(ada.senders.iter().any(|sender| sender.status == SenderStatus::Offline));
    assert!(ada.senders.iter().any(|sender| sender.assistant.is_none()));
    let templates: Vec<_> = ada.senders.iter().flat_map(|sender| &sender.templates).collect();
    for status in TemplateStatus::KNOWN {
        assert!(templates.iter().any(|template| template.status == *status), "{status:?}");
    }
    for category in TemplateCategory::KNOWN {
        assert!(templates.iter().any(|template| template.category == *category), "{category:?}");
    }
    let documents: Vec<_> = ada.knowledgebases.iter().flat_map(|base| &base.documents).collect();
    for status in DocumentStatus::KNOWN {
        assert!(documents.iter().any(|document| document.status == *status), "{status:?}");
    }
    for kind in DocumentType::KNOWN {
        assert!(documents.iter().any(|document| document.kind == *kind), "{kind:?}");
    }
}

#[test]
fn what_is_left_out_has_the_documented_default() {
    let text = with("body_text = \"Hello\"") + "[[users.knowledgebases]]\nname = \"K\"\ndocuments = [{ name = \"D\" }]";
    let user = World::parse(&text).unwrap().users.remove(0);
    let expected = User {
        email: "ada@example.com".into(),
        name: "ada".into(),
        password: None,
        kind: UserKind::Tenant,
        balance: 100.0,
        tool_limit: 5,
        tokens: vec![],
        generate: None,
        assistants: vec![WorldAssistant {
            name: "Reception".into(),
            kind: AssistantType::Outbound,
            mode: AssistantMode::Pipeline,
            status: AssistantStatus::Active,
            timezone: "UTC".into(),
            initial_message: "Hello, how can I help you?".into(),
            system_prompt: "You are a friendly assistant. Answer briefly.".into(),
            variables: BTreeMap::new(),
            knowledgebase: None,
        }],
        senders: vec![WorldSender {
            phone_number: "+14155550100".into(),
            display_name: "+14155550100".into(),
            status: SenderStatus::Online,
            quality_rating: QualityRating::Green,
            messaging_limit: None,
            assistant: None,
            templates: vec![WorldTemplate {
                name: "reminder".into(),
                language: "en".into(),
                category: TemplateCategory::Utility,
                status: TemplateStatus::Approved,
                body_text: "Hello".into(),
                variables: vec![],
            }],
        }],
        knowledgebases: vec![WorldKnowledgebase {
            name: "K".into(),
            description: None,
            documents: vec![WorldDocument {
                name: "D".into(),
                kind: DocumentType::Txt,
                status: DocumentStatus::Active,
            }],
        }],
        tools: vec![],
    };
    assert_eq!(user, expected);
    let seedless = "[[users]]\nemail = \"a@b\"\ngenerate = { conversations = 9 }\nassistants = [{ name = \"A\" }]";
    let plan = World::parse(seedless).unwrap().users[0].generate;
    assert_eq!(plan, Some(Generate { conversations: 9, calls: 0, seed: 1 }));
    assert_eq!(World::parse("").unwrap().users, []);
}

#[test]
fn tool_has_its_own_rules_and_is_attached_to_assistants_of_its_user() {
    let tool = "[[users]]\nemail = \"a@b\"\nassistants = [{ name = \"A\" }]\n[[users.tools]]\nname = \"check\"\n\
                description = \"D\"\nendpoint = \"https://a.example\"\n";
    let world = World::parse(&format!("{tool}assistants = [\"A\"]")).unwrap();
    let WorldTool { tool: found, assistants } = &world.users[0].tools[0];
    assert_eq!(
        (found.method.clone(), found.timeout, &assistants[..]),
        (Some(ToolMethod::Get), None, &["A".to_owned()][..])
    );
    mistake(&format!("{tool}assistants = [\"B\"] # here"));
    mistake(&tool.replace("\"check\"", "\"Check\" # here"));
}

#[test]
fn faults_of_syntax_and_type_are_named_with_their_line() {
    mistake("[[users]]\nemail = \"a@b # here\nkind = \"tenant\"");
    assert_eq!(
        mistake("[[users]]\nemail = \"a@b\"\nbalance = \"much\" # here"),
        "invalid type: string \"much\", expected f64"
    );
    assert!(mistake("[[users]]\nemail = \"a@b\"\nemail = \"c@d\" # here").contains("duplicate key"));
    mistake("users = 3 # here");
    mistake("[[users]]\nemail = \"a@b\"\ntool_limit = -1 # here");
    mistake("[[users]]\nemail = \"a@b\"\nassistants = [{ name = \"A\" }]\ngenerate = { conversations = -5 } # here");
}

#[test]
fn an_unknown_key_is_named_with_those_there_are() {
    let said = mistake("[[users]]\nemail = \"a@b\"\ncolour = \"red\" # here");
    assert!(said.starts_with("unknown field `colour`, expected one of `email`, `name`,"), "{said}");
    mistake("[[persons]] # here\nemail = \"a@b\"");
    mistake(&with("text = \"Hi\" # here"));
    mistake("[[users]]\nemail = \"a@b\"\n[[users.knowledgebases]]\nname = \"K\"\nstatus = \"empty\" # here");
}

#[test]
fn a_missing_key_is_named_with_the_thing_it_is_missing_from() {
    assert_eq!(mistake("\n[[users]] # here\nkind = \"tenant\""), "missing field `email`");
    assert_eq!(
        mistake("[[users]]\nemail = \"a@b\"\n[[users.assistants]] # here\nmode = \"pipeline\""),
        "missing field `name`"
    );
}

#[test]
fn an_unknown_word_is_named_with_those_there_are() {
    assert_eq!(
        mistake("[[users]]\nemail = \"a@b\"\nkind = \"guest\" # here"),
        "unknown word \"guest\", expected one of: tenant, direct"
    );
    for (key, allowed) in [
        ("type", "outbound, inbound, chat"),
        ("mode", "pipeline, multimodal, dualplex"),
        ("status", "active, inactive"),
    ] {
        let said = mistake(&format!(
            "[[users]]\nemail = \"a@b\"\n[[users.assistants]]\nname = \"A\"\n{key} = \"odd\" # here\n"
        ));
        assert_eq!(said, format!("unknown word \"odd\", expected one of: {allowed}"));
    }
    mistake("[[users]]\nemail = \"a@b\"\n[[users.senders]]\nphone_number = \"+14155550100\"\nstatus = \"busy\" # here");
    mistake(&with("body_text = \"Hi\"\ncategory = \"spam\" # here"));
    mistake(&with("body_text = \"Hi\"\nstatus = \"lost\" # here"));
    for key in ["type", "status"] {
        mistake(&format!(
            "[[users]]\nemail = \"a@b\"\n[[users.knowledgebases]]\nname = \"K\"\n[[users.knowledgebases.documents]]\n\
             name = \"D\"\n{key} = \"odd\" # here"
        ));
    }
}

#[test]
fn an_email_is_there_and_given_once() {
    assert_eq!(mistake("[[users]]\nemail = \" \" # here"), "The email field is required.");
    mistake(&format!("[[users]]\nemail = \"{}\" # here", "x".repeat(256)));
    assert_eq!(
        mistake("[[users]]\nemail = \"a@b\"\n[[users]]\nemail = \"A@B\" # here"),
        "Two users have the email \"A@B\"."
    );
}

#[test]
fn a_balance_is_a_number_from_zero_on() {
    for wrong in ["-0.5", "nan", "inf", "-3"] {
        let said = mistake(&format!("[[users]]\nemail = \"a@b\"\nbalance = {wrong} # here"));
        assert_eq!(said, "The balance must be 0 or more.", "{wrong}");
    }
    assert!(World::parse("[[users]]\nemail = \"a@b\"\nbalance = 3").is_ok_and(|world| world.users[0].balance > 2.9));
}

#[test]
fn a_mistake_never_shows_a_token() {
    let secret = "s3cr3t-t0k3n";
    let given = [
        "tokens = [\"s3cr3t-t0k3n\", \"s3cr3t-t0k3n\"] # here",
        "tokens = [\n\"s3cr3t-t0k3n\",\n\"s3cr3t-t0k3n\", # here\n]",
        "tokens = [\"s3cr3t-t0k3n\", \"\"] # here",
        "tokens = [\"s3cr3t-t0k3n and more\"] # here",
        "tokens = \"s3cr3t-t0k3n\" # here",
        "tokens = s3cr3t-t0k3n # here",
        "tokens = [s3cr3t-t0k3n] # here",
        "tokens = [\"s3cr3t-t0k3n] # here",
        "tokens = [\"s3cr3t-t0k3n\", 5] # here",
        "password = [\"s3cr3t-t0k3n\"] # here",
        "password = s3cr3t-t0k3n # here",
        "password = \"s3cr3t-t0k3n # here",
        "password = \"\" # here",
        "tokens = { first = \"s3cr3t-t0k3n\" } # here",
        "tokens = [[\"s3cr3t-t0k3n\"]] # here",
        "tokens = [\"s3cr3t-t0k3n\" \"b\"] # here",
    ];
    for line in given {
        let said = mistake(&format!("[[users]]\nemail = \"a@b\"\n{line}\n"));
        assert!(!said.contains("s3cr3t") && !said.contains("t0k3n"), "{said}");
    }
    let two = format!("[[users]]\nemail = \"a@b\"\ntokens = [\"{secret}\"]\n[[users]]\nemail = \"c@d\"\n");
    assert_eq!(mistake(&format!("{two}tokens = [\"{secret}\"] # here")), "This token occurs twice.");
}

#[test]
fn an_assistant_has_a_name_of_its_own_and_a_known_time_zone() {
    let user = "[[users]]\nemail = \"a@b\"\n[[users.assistants]]\n";
    assert_eq!(
        mistake(&format!("{user}name = \"A\"\ntimezone = \"Mars/Olympus\" # here")),
        "Unknown time zone \"Mars/Olympus\"."
    );
    mistake(&format!("{user}name = \"A\"\ntimezone = \"\" # here"));
    mistake(&format!("{user}name = \"\" # here"));
    mistake(&format!("{user}name = \"A\"\n[[users.assistants]]\nname = \"A\" # here"));
    mistake(&format!("{user}name = \"A\"\nvariables = {{ count = 3 }} # here"));
}

#[test]
fn conversations_need_an_assistant() {
    mistake("[[users]]\nemail = \"a@b\"\ngenerate = { conversations = 5 } # here");
}

#[test]
fn a_sender_has_a_number_of_its_own_and_an_assistant_that_exists() {
    let user = "[[users]]\nemail = \"a@b\"\n[[users.senders]]\n";
    assert_eq!(
        mistake(&format!("{user}phone_number = \"0415 555 0100\" # here")),
        "The phone number must be in E.164 format, e.g. +14155551234."
    );
    let one = format!("{user}phone_number = \"+14155550100\"\n");
    mistake(&format!("{one}[[users.senders]]\nphone_number = \"+14155550100\" # here"));
    assert_eq!(mistake(&format!("{one}assistant = \"Nobody\" # here")), "This user has no assistant named \"Nobody\".");
    // Another user's assistant is none of this user's.
    let other = "[[users]]\nemail = \"c@d\"\nassistants = [{ name = \"Theirs\" }]\n";
    mistake(&format!("{other}{one}assistant = \"Theirs\" # here"));
}

#[test]
fn a_template_has_a_variable_for_each_placeholder() {
    for right in [
        "body_text = \"{{2}} and {{1}} and {{1}}\"\nvariables = [\"a\", \"b\"]",
        "body_text = \"braces } { }} alone\"",
        "body_text = \"none\"\nvariables = []",
    ] {
        assert!(World::parse(&with(right)).is_ok(), "{right}");
    }
    for wrong in [
        "body_text = \"Hi {{1}}\" # here",
        "body_text = \"Hi {{1}}\"\nvariables = [\"a\", \"b\"] # here",
        "body_text = \"Hi {{1}} {{2}}\"\nvariables = [\"a\"] # here",
        "body_text = \"Hi\"\nvariables = [\"a\"] # here",
        "body_text = \"Hi {{1}} {{3}}\" # here\nvariables = [\"a\", \"b\"]",
        "body_text = \"Hi {{name}}\" # here\nvariables = [\"name\"]",
        "body_text = \"Hi {{0}}\" # here\nvariables = [\"a\"]",
        "body_text = \"Hi {{1\" # here\nvariables = [\"a\"]",
        "body_text = \"Hi {{1}} {{2}}\"\nvariables = [\"a\", \"a\"] # here",
        "body_text = \"Hi {{1}}\"\nvariables = [\" \"] # here",
        "body_text = \"\" # here",
    ] {
        mistake(&with(wrong));
    }
}

#[test]
fn a_mistake_reads_as_its_line_and_its_sentence() {
    let error = World::parse("\n\n[[users]]\nemail = \"\"").unwrap_err();
    assert_eq!(error.to_string(), "line 4: The email field is required.");
}

proptest! {
    #![proptest_config(crate::testing::properties())]

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = World::parse(&text);
    }

    #[test]
    fn no_damage_to_a_world_panics(at in 0..DEMO.len(), cut in 0usize..40, put in "[\\[\\]{}\"'=#\n.,+a-z0-9é]{0,6}") {
        let end = (at + cut).min(DEMO.len());
        if let (Some(head), Some(tail)) = (DEMO.get(..at), DEMO.get(end..)) {
            let text = format!("{head}{put}{tail}");
            if let Err(error) = World::parse(&text) {
                prop_assert!((1..=text.lines().count() + 1).contains(&error.line), "{}", error);
            }
        }
    }

    #[test]
    fn no_placeholders_panic(body in "[{}0-9+a é]{0,20}") {
        let _ = World::parse(&with(&format!("body_text = \"{body}\"")));
    }
}
