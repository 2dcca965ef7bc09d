//! A tool as a `curl` command, and what a `curl` command says about a tool.
//!
//! What such a command cannot say, names and descriptions, stands before it in comments: a shell skips them.

use super::edit::{Values, list, value};
use crate::api::tool::{MASK, ParameterType, TIMEOUT, TIMEOUT_DEFAULT};
use crate::api::{ToolHeader, ToolMethod, ToolParameter};
use crate::ui::text::json_text;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value as Json, json};
use url::{Url, form_urlencoded};

/// What stands before the JSON of each comment.
const TOOL: &str = "# tool ";
const PARAMETER: &str = "# parameter ";

/// Options of `curl` with a value that says nothing about a tool. The value must not be taken for the URL.
const WITH_VALUE: &[&str] = &[
    "-o",
    "--output",
    "-x",
    "--proxy",
    "-w",
    "--write-out",
    "-c",
    "--cookie-jar",
    "-E",
    "--cert",
    "--key",
    "--cacert",
    "--capath",
    "-T",
    "--upload-file",
    "-F",
    "--form",
    "--form-string",
    "-r",
    "--range",
    "-K",
    "--config",
    "-D",
    "--dump-header",
    "--connect-timeout",
    "--retry",
    "--retry-delay",
    "--retry-max-time",
    "--resolve",
    "--limit-rate",
    "-U",
    "--proxy-user",
    "--interface",
    "--ciphers",
    "--max-redirs",
    "--aws-sigv4",
    "--unix-socket",
    "--connect-to",
];
/// Short options, and the long ones that they stand for.
const SHORT: &[(&str, &str)] = &[
    ("-X", "--request"),
    ("-H", "--header"),
    ("-d", "--data"),
    ("-u", "--user"),
    ("-G", "--get"),
    ("-A", "--user-agent"),
    ("-e", "--referer"),
    ("-b", "--cookie"),
    ("-m", "--max-time"),
    ("-I", "--head"),
];
/// Long options that are taken over, with a value.
const TAKEN: &[&str] = &[
    "--request",
    "--header",
    "--data",
    "--data-raw",
    "--data-ascii",
    "--data-binary",
    "--data-urlencode",
    "--json",
    "--user",
    "--url",
    "--user-agent",
    "--referer",
    "--cookie",
    "--max-time",
    "--url-query",
    "--oauth2-bearer",
];

/// What was read, and what of it was not taken over.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Import {
    pub values: Values,
    pub notes: Vec<String>,
}

/// True where a text is a `curl` command.
pub fn is_command(text: &str) -> bool {
    let command = text.lines().map(str::trim_start).find(|line| !line.is_empty() && !line.starts_with('#'));
    let word = command.and_then(|line| line.trim_start_matches(['$', '%', ' ']).split_whitespace().next());
    word.is_some_and(|word| matches!(word.rsplit(['/', '\\']).next(), Some("curl" | "curl.exe")))
}

// Writing.

fn quoted(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=,@%+".contains(&byte);
    if !text.is_empty() && text.bytes().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// True where parameters are sent in the query of the URL, not in a JSON body.
pub fn in_query(method: &ToolMethod) -> bool {
    matches!(method, ToolMethod::Get | ToolMethod::Delete)
}

/// The command, with a made-up value for each parameter. Secrets stand as [`MASK`] unless they are to be shown.
pub fn write(values: &Values, shows_secrets: bool) -> String {
    let text = |name| json_text(value(values, name));
    let (headers, schema): (Vec<ToolHeader>, Vec<ToolParameter>) = (list(values, "headers"), list(values, "schema"));
    let mut lines = vec![format!("{TOOL}{}", json!({"name": text("name"), "description": text("description")}))];
    lines.extend(schema.iter().map(|one| format!("{PARAMETER}{}", json!(one))));
    let method = ToolMethod::from(&*text("method"));
    let mut words = vec![format!("curl -X {} {}", quoted(method.as_str()), quoted(&text("endpoint")))];
    words.extend(headers.iter().map(|one| format!("-H {}", quoted(&header(&one.name, one.shown(shows_secrets))))));
    words.push(format!("-m {}", value(values, "timeout").as_i64().unwrap_or(TIMEOUT_DEFAULT)));
    if in_query(&method) {
        if !schema.is_empty() {
            words.push("-G".to_owned());
        }
        let pair = |one: &ToolParameter| format!("{}={}", one.name, json_text(&example(one)));
        words.extend(schema.iter().map(|one| format!("--data-urlencode {}", quoted(&pair(one)))));
    } else if !schema.is_empty() {
        let body: Map<_, _> = schema.iter().map(|one| (one.name.clone(), example(one))).collect();
        words.push(format!("--json {}", quoted(&Json::Object(body).to_string())));
    }
    lines.push(words.join(" \\\n  "));
    lines.join("\n")
}

/// `curl` takes a header without a value only with a semicolon.
fn header(name: &str, value: &str) -> String {
    if value.is_empty() { format!("{name};") } else { format!("{name}: {value}") }
}

fn example(parameter: &ToolParameter) -> Json {
    match parameter.kind {
        ParameterType::Number => 1.into(),
        ParameterType::Boolean => true.into(),
        _ => format!("<{}>", parameter.name).into(),
    }
}

// Reading.

/// What the options say, one after the other.
#[derive(Default)]
struct Command {
    method: Option<String>,
    urls: Vec<String>,
    headers: Vec<ToolHeader>,
    data: Vec<String>,
    is_json: bool,
    in_query: bool,
    timeout: Option<i64>,
    notes: Vec<String>,
}

/// The tool that a command calls.
///
/// # Errors
/// Why it cannot be read, in words without a full stop.
pub fn read(text: &str) -> Result<Import, String> {
    let (comments, command) = comments(text);
    let words = shlex::split(&joined(command)).ok_or("a quote is not closed, or the command ends in a backslash")?;
    let mut words = words.into_iter().skip_while(|word| matches!(word.as_str(), "$" | "%")).skip(1);
    let mut read = Command::default();
    while let Some(word) = words.next() {
        if word.len() < 2 || !word.starts_with('-') {
            read.urls.push(word);
            continue;
        }
        for (option, attached) in options(&word) {
            let takes = TAKEN.contains(&&*option) || WITH_VALUE.contains(&&*option);
            let value = if takes { attached.or_else(|| words.next()) } else { None };
            read.take(&option, value);
        }
    }
    read.finish(comments)
}

/// The command without the backslashes that continue its lines: as words of their own they would be empty ones.
fn joined(command: &str) -> String {
    let (mut joined, mut quote, mut letters) = (String::new(), None, command.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if quote != Some('\'') => match letters.next() {
                Some('\n') if quote.is_none() => joined.push(' '),
                Some('\r') if quote.is_none() && letters.next_if_eq(&'\n').is_some() => joined.push(' '),
                next => joined.extend(std::iter::once(letter).chain(next)),
            },
            _ => {
                quote = match quote {
                    None if matches!(letter, '\'' | '"') => Some(letter),
                    Some(open) if open == letter => None,
                    quote => quote,
                };
                joined.push(letter);
            }
        }
    }
    joined
}

/// The comments before the command, and the command.
fn comments(text: &str) -> (Vec<&str>, &str) {
    let (mut found, mut rest) = (Vec::new(), text.trim_start());
    while rest.starts_with('#') {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        found.push(line.trim_end());
        rest = after.trim_start();
    }
    (found, rest)
}

/// The options in a word, long ones by name, each with the value that is attached to it: `-sSXPOST` are three.
fn options(word: &str) -> Vec<(String, Option<String>)> {
    if word.starts_with("--") {
        return vec![(word.to_owned(), None)];
    }
    let mut found = Vec::new();
    for (at, letter) in word[1..].char_indices() {
        let short = format!("-{letter}");
        let long = SHORT.iter().find(|(known, _)| *known == short).map_or(&*short, |(_, long)| long);
        let rest = &word[1 + at + letter.len_utf8()..];
        if TAKEN.contains(&long) || WITH_VALUE.contains(&long) {
            found.push((long.to_owned(), Some(rest.to_owned()).filter(|rest| !rest.is_empty())));
            return found;
        }
        found.push((long.to_owned(), None));
    }
    found
}

impl Command {
    fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    fn take(&mut self, option: &str, value: Option<String>) {
        let Some(value) = value else {
            match option {
                "--get" => self.in_query = true,
                "--head" => self.note("A tool cannot send HEAD: the method is GET."),
                // The only one that a tool always does.
                "--compressed" => {}
                _ => self.note(format!("Not taken over: {option}.")),
            }
            return;
        };
        match option {
            "--request" => self.method = Some(value),
            "--url" => self.urls.push(value),
            "--header" => self.header(&value),
            "--user-agent" => self.put("User-Agent", &value),
            "--referer" => self.put("Referer", &value),
            "--oauth2-bearer" => self.put("Authorization", &format!("Bearer {value}")),
            "--cookie" if value.contains('=') => self.put("Cookie", &value),
            "--user" => self.put("Authorization", &basic(&value)),
            "--max-time" => match value.parse() {
                Ok(seconds) if TIMEOUT.contains(&seconds) => self.timeout = Some(seconds),
                _ => self.note(format!("Not taken over: --max-time {value}. A tool takes 1 to 30 seconds.")),
            },
            "--data" | "--data-ascii" | "--data-binary" | "--json" if value.starts_with('@') => {
                self.note(format!("Not taken over: {option} {value}. Files are not read."));
            }
            "--json" => {
                self.is_json = true;
                self.data.push(value);
            }
            "--data" | "--data-ascii" | "--data-binary" | "--data-raw" => self.data.push(value),
            "--data-urlencode" => self.data.push(urlencoded(&value)),
            "--url-query" => {
                self.note(format!("Not taken over: {option} {value}."));
            }
            _ if value.len() > 40 => self.note(format!("Not taken over: {option}.")),
            _ => self.note(format!("Not taken over: {option} {value}.")),
        }
    }

    fn put(&mut self, name: &str, value: &str) {
        self.headers.push(ToolHeader { name: name.to_owned(), value: value.to_owned() });
    }

    fn header(&mut self, text: &str) {
        match text.split_once(':') {
            Some((name, value)) if value.trim() == MASK => {
                self.note(format!("The value of {name} is masked: type it."));
                self.put(name.trim(), "");
            }
            Some((name, value)) if !value.trim().is_empty() => self.put(name.trim(), value.trim_start()),
            _ => self
                .note(format!("Not taken over: the header {}, which has no value.", text.trim_end_matches([':', ';']))),
        }
    }

    fn finish(mut self, comments: Vec<&str>) -> Result<Import, String> {
        let mut urls = std::mem::take(&mut self.urls).into_iter();
        let url = urls.next().ok_or("the command names no URL")?;
        for other in urls {
            self.note(format!("Not taken over: {other}. A tool has one URL."));
        }
        let endpoint = self.endpoint(url);
        let has_data = !self.data.is_empty();
        let method =
            self.method.clone().unwrap_or_else(|| if has_data && !self.in_query { "POST" } else { "GET" }.into());
        let mut method = method.to_uppercase();
        if ToolMethod::KNOWN.iter().all(|known| known.as_str() != method) {
            self.note(format!("A tool cannot send {method}: the method is GET."));
            "GET".clone_into(&mut method);
        }
        let mut schema = self.body();
        let mut described = Json::Null;
        for comment in comments {
            if let Some(json) = comment.strip_prefix(TOOL) {
                described = serde_json::from_str(json).unwrap_or_default();
            } else if let Some(known) = comment.strip_prefix(PARAMETER)
                && let Ok(known) = serde_json::from_str::<ToolParameter>(known)
            {
                match schema.iter_mut().find(|one| one.name == known.name && one.description.starts_with(EXAMPLE)) {
                    Some(one) => *one = known,
                    None => schema.push(known),
                }
            }
        }
        let name = described["name"].as_str().map_or_else(|| named(&endpoint), str::to_owned);
        let values = json!({
            "name": name, "description": described["description"].as_str(), "endpoint": endpoint, "method": method,
            "timeout": self.timeout.unwrap_or(TIMEOUT_DEFAULT), "headers": self.headers, "schema": schema,
        });
        let values = values.as_object().cloned().unwrap_or_default();
        Ok(Import { values, notes: self.notes })
    }

    /// The URL with a scheme and without credentials, which become a header.
    fn endpoint(&mut self, url: String) -> String {
        let url = if url.contains("://") {
            url
        } else {
            self.note("The URL has no scheme: http is set, as curl does.");
            format!("http://{url}")
        };
        let Ok(mut parsed) = Url::parse(&url) else { return url };
        if parsed.username().is_empty() && parsed.password().is_none() {
            return url;
        }
        let credentials = format!("{}:{}", parsed.username(), parsed.password().unwrap_or_default());
        self.put("Authorization", &basic(&credentials));
        let bare = parsed.set_username("").and_then(|()| parsed.set_password(None));
        bare.map_or(url, |()| parsed.into())
    }

    /// A parameter for each field of the body, or of the query where the data is sent there.
    fn body(&mut self) -> Vec<ToolParameter> {
        let json = self.data.concat();
        if let Ok(Json::Object(fields)) = serde_json::from_str::<Json>(&json) {
            return fields.into_iter().map(|(name, value)| self.parameter(name, &value)).collect();
        }
        let text = self.data.join("&");
        if text.is_empty() {
            return Vec::new();
        }
        let looks_like_pairs = text.split('&').all(|pair| pair.contains('=')) && !self.is_json;
        if !looks_like_pairs {
            self.note("Not taken over: the body, which is neither a JSON object nor name=value pairs.");
            return Vec::new();
        }
        if !self.in_query {
            self.note("The body is a form. A tool sends its parameters as JSON.");
        }
        form_urlencoded::parse(text.as_bytes())
            .map(|(name, value)| self.parameter(name.into(), &value.into()))
            .collect()
    }

    fn parameter(&mut self, name: String, value: &Json) -> ToolParameter {
        let kind = match value {
            Json::Number(_) => ParameterType::Number,
            Json::Bool(_) => ParameterType::Boolean,
            Json::String(_) => ParameterType::String,
            other => {
                let what = if other.is_null() { "null" } else { "a list or an object" };
                self.note(format!("{name} is {what} in the body: the parameter is a string."));
                ParameterType::String
            }
        };
        let example: String = json_text(value).chars().take(200).collect();
        ToolParameter { name, kind, description: format!("{EXAMPLE}{example}") }
    }
}

/// What the description of an imported parameter begins with, until somebody writes a better one.
const EXAMPLE: &str = "Such as ";

fn basic(credentials: &str) -> String {
    format!("Basic {}", STANDARD.encode(credentials))
}

/// `name=content` with the content encoded, as curl does.
fn urlencoded(data: &str) -> String {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    match data.split_once('=') {
        Some((name, content)) => format!("{}={}", encoded(name), encoded(content)),
        None => encoded(data),
    }
}

/// A name for a tool of this endpoint: its last part that has letters.
fn named(endpoint: &str) -> String {
    let path = Url::parse(endpoint).map(|url| url.path().to_ascii_lowercase()).unwrap_or_default();
    let words = |part: &str| {
        let letters = |byte: char| if byte.is_ascii_lowercase() { byte } else { '_' };
        part.chars().map(letters).collect::<String>().trim_matches('_').to_owned()
    };
    path.rsplit('/').map(words).find(|name| !name.is_empty()).unwrap_or_else(|| "imported_tool".to_owned())
}

#[cfg(test)]
mod tests;
