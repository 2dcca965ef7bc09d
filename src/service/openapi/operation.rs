//! What one operation does, asks for and answers, as a plain value.

use super::schemas::Schemas;
use crate::api::rules::Fault;
use schemars::JsonSchema;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// Where an operation comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationOrigin {
    /// The API's specification has it.
    Spec,
    /// It goes beyond the specification.
    Extension,
}

impl OperationOrigin {
    fn word(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::Extension => "extension",
        }
    }
}

/// The shapes of an error body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorShape {
    /// What is wrong with which field.
    Validation,
    /// `message` only.
    Message,
    /// `error` only.
    Error,
    /// `success`, `error` and `error_code`, which is one of these.
    Coded(&'static [&'static str]),
    /// `message` and `retry_after`.
    Limited,
    /// `status` (false) and `error`.
    Failed,
}

impl ErrorShape {
    /// The schema of a body of this shape.
    pub fn schema(self) -> Value {
        let text = || json!({"type": "string"});
        let (required, properties) = match self {
            Self::Validation => {
                let sentences = json!({"type": "array", "items": {"type": "string"}, "minItems": 1});
                let errors = json!({"type": "object", "additionalProperties": sentences, "minProperties": 1});
                (json!(["message", "errors"]), json!({"message": text(), "errors": errors}))
            }
            Self::Message => (json!(["message"]), json!({"message": text()})),
            Self::Error => (json!(["error"]), json!({"error": text()})),
            Self::Failed => (json!(["status", "error"]), json!({"status": {"const": false}, "error": text()})),
            Self::Limited => {
                let seconds = json!({"type": "integer", "minimum": 1});
                (json!(["message", "retry_after"]), json!({"message": text(), "retry_after": seconds}))
            }
            Self::Coded(codes) => (
                json!(["success", "error", "error_code"]),
                json!({"success": {"const": false}, "error": text(), "error_code": error_code(codes)}),
            ),
        };
        json!({"type": "object", "required": required, "properties": properties})
    }
}

/// The schema of an error code. One that ends in `_` stands for all that begin so.
fn error_code(codes: &[&str]) -> Value {
    let (families, words): (Vec<&str>, Vec<&str>) = codes.iter().partition(|code| code.ends_with('_'));
    let words = json!({"type": "string", "enum": words});
    if families.is_empty() {
        return words;
    }
    let family = |family: &&str| json!({"type": "string", "pattern": format!("^{family}.+$")});
    json!({"anyOf": std::iter::once(words).chain(families.iter().map(family)).collect::<Vec<_>>()})
}

/// Where a schema comes from.
#[derive(Debug, Clone)]
enum Source {
    /// A type of the contract.
    Type(fn(&mut Schemas) -> Value),
    /// A shape of errors.
    ErrorShape(ErrorShape),
    /// The description itself.
    Literal(Value),
}

impl Source {
    fn schema(&self, schemas: &mut Schemas) -> Value {
        match self {
            Self::Type(make) => make(schemas),
            Self::ErrorShape(shape) => schemas.of_shape(*shape),
            Self::Literal(schema) => schema.clone(),
        }
    }
}

#[derive(Debug, Clone)]
struct DescribedResponse {
    status: u16,
    words: Cow<'static, str>,
    body: Source,
}

#[derive(Debug, Clone)]
struct Parameter {
    place: &'static str,
    name: &'static str,
    words: &'static str,
    required: bool,
    schema: Source,
}

#[derive(Debug, Clone, Default)]
struct DescribedRequest {
    json: Option<Source>,
    /// The fields that the JSON body must have besides those that its type cannot be without.
    needed: Vec<String>,
    multipart: Option<Source>,
}

/// One operation.
#[derive(Debug, Clone)]
pub struct Operation {
    origin: OperationOrigin,
    tag: &'static str,
    id: &'static str,
    summary: &'static str,
    words: Option<Cow<'static, str>>,
    open: bool,
    parameters: Vec<Parameter>,
    request: Option<DescribedRequest>,
    answers: Vec<DescribedResponse>,
}

impl Operation {
    fn new(origin: OperationOrigin, tag: &'static str, id: &'static str, summary: &'static str) -> Self {
        let (parameters, answers) = (Vec::new(), Vec::new());
        Self { origin, tag, id, summary, words: None, open: false, parameters, request: None, answers }
    }

    /// An operation of the specification.
    pub fn spec(tag: &'static str, id: &'static str, summary: &'static str) -> Self {
        Self::new(OperationOrigin::Spec, tag, id, summary)
    }

    /// An operation beyond the specification.
    pub fn extension(tag: &'static str, id: &'static str, summary: &'static str) -> Self {
        Self::new(OperationOrigin::Extension, tag, id, summary)
    }

    /// More about it than its summary says.
    #[must_use]
    pub fn words(mut self, words: impl Into<Cow<'static, str>>) -> Self {
        self.words = Some(words.into());
        self
    }

    /// It asks for no token.
    #[must_use]
    pub fn open(mut self) -> Self {
        self.open = true;
        self
    }

    /// A resource's number in the path.
    #[must_use]
    pub fn path_id(self, name: &'static str, words: &'static str) -> Self {
        self.parameter("path", name, words, true, Source::Literal(json!({"type": "integer"})))
    }

    /// A resource's name in the path.
    #[must_use]
    pub fn path_text(self, name: &'static str, words: &'static str) -> Self {
        self.parameter("path", name, words, true, Source::Literal(json!({"type": "string"})))
    }

    /// A resource's UUID in the path.
    #[must_use]
    pub fn path_uuid(self, name: &'static str, words: &'static str) -> Self {
        let schema = json!({"type": "string", "format": "uuid"});
        self.parameter("path", name, words, true, Source::Literal(schema))
    }

    /// An optional parameter of the query, with its schema.
    #[must_use]
    pub fn query(self, name: &'static str, words: &'static str, schema: Value) -> Self {
        self.parameter("query", name, words, false, Source::Literal(schema))
    }

    /// A required parameter of the query, with its schema.
    #[must_use]
    pub fn required_query(self, name: &'static str, words: &'static str, schema: Value) -> Self {
        self.parameter("query", name, words, true, Source::Literal(schema))
    }

    /// An optional parameter of the query that takes a word.
    #[must_use]
    pub fn query_word<T: JsonSchema>(self, name: &'static str, words: &'static str) -> Self {
        self.parameter("query", name, words, false, Source::Type(Schemas::of_request::<T>))
    }

    fn parameter(
        mut self,
        place: &'static str,
        name: &'static str,
        words: &'static str,
        required: bool,
        schema: Source,
    ) -> Self {
        self.parameters.push(Parameter { place, name, words, required, schema });
        self
    }

    /// It reads a JSON body. All that a body can be refused for before its fields are read is added here.
    #[must_use]
    pub fn body<T: JsonSchema>(mut self) -> Self {
        self.request().json = Some(Source::Type(Schemas::of_request::<T>));
        self
    }

    /// It reads a JSON object with these properties.
    #[must_use]
    pub fn fields(mut self, required: &[&str], properties: &Value) -> Self {
        let schema = json!({"type": "object", "required": required, "properties": properties});
        self.request().json = Some(Source::Literal(schema));
        self
    }

    /// The body must have the fields that a rule misses in an empty one.
    #[must_use]
    pub fn needs(mut self, missing: Vec<Fault>) -> Self {
        self.request().needed = missing.into_iter().map(|fault| fault.field.into_owned()).collect();
        self
    }

    /// It reads a form as well, as for a file.
    #[must_use]
    pub fn form(mut self, required: &[&str], properties: &Value) -> Self {
        let schema = json!({"type": "object", "required": required, "properties": properties});
        self.request().multipart = Some(Source::Literal(schema));
        self
    }

    fn request(&mut self) -> &mut DescribedRequest {
        self.request.get_or_insert_default()
    }

    /// It answers so where it is done.
    #[must_use]
    pub fn answers<T: JsonSchema>(self, status: u16, words: &'static str) -> Self {
        self.answer(status, words.into(), Source::Type(Schemas::of_answer::<T>))
    }

    /// It answers with some JSON object.
    #[must_use]
    pub fn answers_object(self, status: u16, words: &'static str) -> Self {
        self.answer(status, words.into(), Source::Literal(json!({"type": "object"})))
    }

    /// It is refused so. Several shapes of one status are alternatives.
    #[must_use]
    pub fn refuses(self, status: u16, shape: ErrorShape, words: impl Into<Cow<'static, str>>) -> Self {
        self.answer(status, words.into(), Source::ErrorShape(shape))
    }

    /// It is refused so, with a body that has more than a shape.
    #[must_use]
    pub fn refuses_as(self, status: u16, schema: fn(&mut Schemas) -> Value, words: &'static str) -> Self {
        self.answer(status, words.into(), Source::Type(schema))
    }

    fn answer(mut self, status: u16, words: Cow<'static, str>, body: Source) -> Self {
        self.answers.push(DescribedResponse { status, words, body });
        self
    }

    /// The refusals that come before the operation itself, by what it asks for.
    fn common(&self) -> Vec<DescribedResponse> {
        let message = |status, words: &'static str| DescribedResponse {
            status,
            words: words.into(),
            body: Source::ErrorShape(ErrorShape::Message),
        };
        let mut common = Vec::new();
        if !self.open {
            common.push(message(401, "There is no token, or none that is valid."));
        }
        if self.request.is_some() {
            common.push(message(400, "The body cannot be read: it is no JSON, no object or it broke off."));
            common.push(message(413, "The body is too large."));
            common.push(message(415, "The body is of another type."));
        }
        common.push(message(408, "The request took longer than 30 seconds."));
        common.push(message(500, "The service itself failed."));
        common.push(message(
            503,
            "The database is held by another process or its file is gone, or too many bodies are under way.",
        ));
        common
    }

    /// The operation as the document has it.
    pub(super) fn render(&self, schemas: &mut Schemas) -> Value {
        let mut operation = Map::new();
        operation.insert("operationId".to_owned(), self.id.into());
        operation.insert("tags".to_owned(), json!([self.tag]));
        operation.insert("summary".to_owned(), self.summary.into());
        if let Some(words) = &self.words {
            operation.insert("description".to_owned(), words.as_ref().into());
        }
        operation.insert("x-switchboard-origin".to_owned(), self.origin.word().into());
        if self.open {
            operation.insert("security".to_owned(), json!([]));
        }
        if !self.parameters.is_empty() {
            let parameters = self.parameters.iter().map(|parameter| parameter.render(schemas)).collect();
            operation.insert("parameters".to_owned(), Value::Array(parameters));
        }
        if let Some(request) = &self.request {
            operation.insert("requestBody".to_owned(), request.render(schemas));
        }
        operation.insert("responses".to_owned(), self.responses(schemas));
        Value::Object(operation)
    }

    fn responses(&self, schemas: &mut Schemas) -> Value {
        let mut answers = self.answers.clone();
        answers.extend(self.common());
        answers.sort_by_key(|answer| answer.status);
        let mut responses = Map::new();
        for same in answers.chunk_by(|one, other| one.status == other.status) {
            let words: Vec<&str> = same.iter().map(|answer| answer.words.as_ref()).collect();
            let mut shapes: Vec<Value> = same.iter().map(|answer| answer.body.schema(schemas)).collect();
            shapes.dedup();
            let schema = match <[Value; 1]>::try_from(shapes) {
                Ok([only]) => only,
                Err(several) => json!({"anyOf": several}),
            };
            let content = json!({"application/json": {"schema": schema}});
            responses.insert(
                same.first().map_or(0, |answer| answer.status).to_string(),
                json!({"description": words.join(" "), "content": content}),
            );
        }
        Value::Object(responses)
    }
}

impl Parameter {
    fn render(&self, schemas: &mut Schemas) -> Value {
        let mut schema = self.schema.schema(schemas);
        if self.place == "query" && !self.required {
            // One without a value counts as not given.
            schema = json!({"anyOf": [schema, {"const": ""}]});
        }
        let mut parameter = json!({
            "name": self.name,
            "in": self.place,
            "description": self.words,
            "required": self.required,
            "schema": schema,
        });
        if self.required && parameter["schema"]["type"] == "integer" {
            // Numbers count from 1: in a sandbox there is such a thing.
            parameter["example"] = 1.into();
        }
        parameter
    }
}

impl DescribedRequest {
    fn render(&self, schemas: &mut Schemas) -> Value {
        let (mut content, mut required) = (Map::new(), true);
        if let Some(json) = &self.json {
            let mut schema = json.schema(schemas);
            let mut whole = schemas.resolved(&schema);
            if !self.needed.is_empty() {
                require(&mut whole, &self.needed);
                schema = whole.clone();
            }
            // No body is a body without fields.
            required = whole.get("required").is_some();
            content.insert("application/json".to_owned(), json!({"schema": schema}));
        }
        if let Some(form) = &self.multipart {
            content.insert("multipart/form-data".to_owned(), json!({"schema": form.schema(schemas)}));
        }
        json!({"required": required, "content": content})
    }
}

/// Makes fields of an object required, where null is as good as nothing.
fn require(schema: &mut Value, fields: &[String]) {
    schema["required"] = json!(fields);
    for field in fields {
        let property = &mut schema["properties"][field];
        if let Some(Value::Array(kinds)) = property.get_mut("type") {
            kinds.retain(|kind| kind != "null");
        }
        if let Some(Value::Array(alternatives)) = property.get_mut("anyOf") {
            alternatives.retain(|alternative| alternative["type"] != "null");
        }
    }
}
