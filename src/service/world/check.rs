//! What TOML cannot tell: values that fit each other, are given once, and can be.

use super::parse::{
    AssistantFile, DocumentFile, GenerateFile, KnowledgebaseFile, SenderFile, TemplateFile, ToolFile, UserFile,
    WorldFile, mistake,
};
use super::words::Listed;
use super::{
    Generate, User, UserKind, World, WorldAssistant, WorldDocument, WorldError, WorldKnowledgebase, WorldSender,
    WorldTemplate, WorldTool,
};
use crate::api::{
    AssistantMode, AssistantStatus, AssistantType, DocumentStatus, DocumentType, Password, QualityRating, SenderStatus,
    TemplateCategory, TemplateStatus, Token, ToolChange, ToolMethod, rules,
};
use jiff::tz::TimeZone;
use std::collections::HashSet;
use toml::Spanned;

/// Longest name or email, in characters.
const NAME_MAX: usize = 255;

/// Checks a file against the text it was read from.
pub(super) fn world(text: &str, file: &WorldFile) -> Result<World, WorldError> {
    let mut check = Check { text, emails: HashSet::new(), tokens: HashSet::new(), phones: HashSet::new() };
    let users = file.users.iter().map(|user| check.user(user)).collect::<Result<_, _>>()?;
    Ok(World { users })
}

/// The text for its lines, and what may be given only once.
struct Check<'a> {
    text: &'a str,
    emails: HashSet<String>,
    tokens: HashSet<&'a str>,
    phones: HashSet<&'a str>,
}

impl<'a> Check<'a> {
    fn wrong<T>(&self, value: &Spanned<T>, message: impl Into<String>) -> WorldError {
        mistake(self.text, value.span(), message)
    }

    /// A text that must say something.
    fn filled<'b>(&self, field: &'static str, text: &'b Spanned<String>) -> Result<&'b str, WorldError> {
        match text.as_ref().as_str() {
            blank if blank.trim().is_empty() => Err(self.wrong(text, rules::required(field).sentence)),
            filled => Ok(filled),
        }
    }

    fn name(&self, field: &'static str, name: &Spanned<String>) -> Result<String, WorldError> {
        let text = self.filled(field, name)?;
        rules::at_most(field, text, NAME_MAX).map_err(|fault| self.wrong(name, fault.sentence))?;
        Ok(text.to_owned())
    }

    fn user(&mut self, file: &'a UserFile) -> Result<User, WorldError> {
        let email = self.name("email", &file.email)?;
        if !self.emails.insert(email.to_lowercase()) {
            return Err(self.wrong(&file.email, format!("Two users have the email \"{email}\".")));
        }
        let bases: HashSet<_> = file.knowledgebases.iter().map(|base| base.name.as_ref().as_str()).collect();
        let mut names = HashSet::new();
        let mut assistants = Vec::with_capacity(file.assistants.len());
        for assistant in &file.assistants {
            assistants.push(self.assistant(assistant, &bases)?);
            if !names.insert(assistant.name.as_ref().as_str()) {
                let name = assistant.name.as_ref();
                return Err(
                    self.wrong(&assistant.name, format!("Two assistants of this user have the name \"{name}\"."))
                );
            }
        }
        let name = match &file.name {
            Some(name) => self.name("name", name)?,
            None => email.split('@').next().unwrap_or(&email).to_owned(),
        };
        Ok(User {
            email,
            name,
            password: file.password.as_ref().map(|password| self.password(password)).transpose()?,
            kind: listed(file.kind.as_ref(), UserKind::Tenant),
            balance: self.balance(file.balance.as_ref())?,
            tool_limit: file.tool_limit.unwrap_or(5),
            tokens: file.tokens.iter().map(|token| self.token(token)).collect::<Result<_, _>>()?,
            generate: self.generate(file)?,
            senders: file.senders.iter().map(|sender| self.sender(sender, &names)).collect::<Result<_, _>>()?,
            knowledgebases: file
                .knowledgebases
                .iter()
                .map(|base| self.knowledgebase(base))
                .collect::<Result<_, _>>()?,
            tools: file.tools.iter().map(|tool| self.tool(tool, &names)).collect::<Result<_, _>>()?,
            assistants,
        })
    }

    /// The name of an assistant of this user.
    fn known(&self, assistant: &Spanned<String>, assistants: &HashSet<&str>) -> Result<String, WorldError> {
        let name = assistant.as_ref();
        if assistants.contains(name.as_str()) {
            return Ok(name.clone());
        }
        Err(self.wrong(assistant, format!("This user has no assistant named \"{name}\".")))
    }

    fn tool(&self, file: &ToolFile, assistants: &HashSet<&str>) -> Result<WorldTool, WorldError> {
        let tool = ToolChange {
            name: Some(file.name.as_ref().clone()),
            description: Some(file.description.clone()),
            endpoint: Some(file.endpoint.clone()),
            method: Some(listed(file.method.as_ref(), ToolMethod::Get)),
            timeout: file.timeout,
            headers: Some(file.headers.clone()),
            schema: Some(file.parameters.clone()),
        };
        if let Some(fault) = tool.faults().into_iter().next() {
            return Err(self.wrong(&file.name, fault.sentence));
        }
        let assistants = file.assistants.iter().map(|name| self.known(name, assistants)).collect::<Result<_, _>>()?;
        Ok(WorldTool { tool, assistants })
    }

    fn balance(&self, balance: Option<&Spanned<f64>>) -> Result<f64, WorldError> {
        let Some(balance) = balance else { return Ok(100.0) };
        if !balance.as_ref().is_finite() || balance.as_ref().is_sign_negative() {
            return Err(self.wrong(balance, "The balance must be 0 or more."));
        }
        Ok(*balance.as_ref())
    }

    fn token(&mut self, token: &'a Spanned<Token>) -> Result<Token, WorldError> {
        let text = token.as_ref().expose();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(self.wrong(token, "A token consists of visible ASCII characters without white space."));
        }
        if !self.tokens.insert(text) {
            return Err(self.wrong(token, "This token occurs twice."));
        }
        Ok(token.as_ref().clone())
    }

    fn password(&self, password: &Spanned<Password>) -> Result<Password, WorldError> {
        if password.as_ref().expose().is_empty() {
            return Err(self.wrong(password, rules::required("password").sentence));
        }
        Ok(password.as_ref().clone())
    }

    fn generate(&self, user: &UserFile) -> Result<Option<Generate>, WorldError> {
        let Some(generate) = &user.generate else { return Ok(None) };
        if user.assistants.is_empty() {
            return Err(self.wrong(generate, "Generated conversations need an assistant, and this user has none."));
        }
        let GenerateFile { conversations, calls, seed } = generate.as_ref();
        Ok(Some(Generate { conversations: *conversations, calls: *calls, seed: seed.unwrap_or(1) }))
    }

    fn assistant(&self, file: &AssistantFile, bases: &HashSet<&str>) -> Result<WorldAssistant, WorldError> {
        if let Some(zone) = &file.timezone
            && TimeZone::get(zone.as_ref()).is_err()
        {
            return Err(self.wrong(zone, format!("Unknown time zone \"{}\".", zone.as_ref())));
        }
        if let Some(base) = &file.knowledgebase
            && !bases.contains(base.as_ref().as_str())
        {
            return Err(self.wrong(base, format!("This user has no knowledgebase named \"{}\".", base.as_ref())));
        }
        let or = |given: &Option<String>, default: &str| given.clone().unwrap_or_else(|| default.to_owned());
        Ok(WorldAssistant {
            name: self.name("name", &file.name)?,
            kind: listed(file.kind.as_ref(), AssistantType::Outbound),
            mode: listed(file.mode.as_ref(), AssistantMode::Pipeline),
            status: listed(file.status.as_ref(), AssistantStatus::Active),
            timezone: file.timezone.as_ref().map_or_else(|| "UTC".to_owned(), |zone| zone.as_ref().clone()),
            initial_message: or(&file.initial_message, "Hello, how can I help you?"),
            system_prompt: or(&file.system_prompt, "You are a friendly assistant. Answer briefly."),
            variables: file.variables.clone(),
            knowledgebase: file.knowledgebase.as_ref().map(|base| base.as_ref().clone()),
        })
    }

    fn sender(&mut self, file: &'a SenderFile, assistants: &HashSet<&str>) -> Result<WorldSender, WorldError> {
        let phone = file.phone_number.as_ref();
        rules::e164("phone_number", phone).map_err(|fault| self.wrong(&file.phone_number, fault.sentence))?;
        if !self.phones.insert(phone) {
            return Err(self.wrong(&file.phone_number, format!("Two senders have the number {phone}.")));
        }
        let assistant = file.assistant.as_ref().map(|name| self.known(name, assistants)).transpose()?;
        Ok(WorldSender {
            phone_number: phone.clone(),
            display_name: file.display_name.clone().unwrap_or_else(|| phone.clone()),
            status: listed(file.status.as_ref(), SenderStatus::Online),
            quality_rating: listed(file.quality_rating.as_ref(), QualityRating::Green),
            messaging_limit: file.messaging_limit,
            assistant,
            templates: file.templates.iter().map(|template| self.template(template)).collect::<Result<_, _>>()?,
        })
    }

    fn template(&self, file: &TemplateFile) -> Result<WorldTemplate, WorldError> {
        let name = self.name("name", &file.name)?;
        let body_text = self.filled("body_text", &file.body_text)?;
        let variables = file.variables.as_ref().map_or_else(Vec::new, |names| names.as_ref().clone());
        let wanted = placeholders(body_text).map_err(|message| self.wrong(&file.body_text, message))?;
        if variables.len() != wanted {
            let message = format!(
                "The template has {wanted} placeholders ({{{{1}}}}, {{{{2}}}} …) and {} variables.",
                variables.len()
            );
            // Where variables are given, they are the likelier mistake.
            return Err(match &file.variables {
                Some(variables) => self.wrong(variables, message),
                None => self.wrong(&file.body_text, message),
            });
        }
        if let Some(given) = &file.variables {
            let mut seen = HashSet::new();
            if let Some(odd) = variables.iter().find(|name| name.trim().is_empty() || !seen.insert(name.as_str())) {
                return Err(self.wrong(given, format!("Variable names must be unique and not empty: \"{odd}\".")));
            }
        }
        Ok(WorldTemplate {
            name,
            language: file.language.clone().unwrap_or_else(|| "en".to_owned()),
            category: listed(file.category.as_ref(), TemplateCategory::Utility),
            status: listed(file.status.as_ref(), TemplateStatus::Approved),
            body_text: body_text.to_owned(),
            variables,
        })
    }

    fn knowledgebase(&self, file: &KnowledgebaseFile) -> Result<WorldKnowledgebase, WorldError> {
        Ok(WorldKnowledgebase {
            name: self.name("name", &file.name)?,
            description: file.description.clone(),
            documents: file.documents.iter().map(|document| self.document(document)).collect::<Result<_, _>>()?,
        })
    }

    fn document(&self, file: &DocumentFile) -> Result<WorldDocument, WorldError> {
        Ok(WorldDocument {
            name: self.name("name", &file.name)?,
            kind: listed(file.kind.as_ref(), DocumentType::Txt),
            status: listed(file.status.as_ref(), DocumentStatus::Active),
        })
    }
}

fn listed<T: Clone>(word: Option<&Listed<T>>, default: T) -> T {
    word.map_or(default, |Listed(word)| word.clone())
}

/// How many placeholders a template's text has: `{{1}}` to `{{n}}`, each at least once, in any order.
fn placeholders(body: &str) -> Result<usize, String> {
    let mut seen = HashSet::new();
    for piece in body.split("{{").skip(1) {
        let Some((inside, _)) = piece.split_once("}}") else {
            return Err("A placeholder that starts with {{ is not closed.".to_owned());
        };
        // Digits only: `parse` would take a plus sign too.
        let digits = inside.bytes().all(|byte| byte.is_ascii_digit());
        let Some(number) = inside.parse::<usize>().ok().filter(|number| digits && *number >= 1) else {
            return Err(format!("\"{{{{{inside}}}}}\" is not a placeholder; expected {{{{1}}}}, {{{{2}}}} …"));
        };
        seen.insert(number);
    }
    match (1..=seen.len()).find(|number| !seen.contains(number)) {
        Some(missing) => Err(format!("Placeholders are numbered from 1 without gaps; {{{{{missing}}}}} is missing.")),
        None => Ok(seen.len()),
    }
}
