//! Fills an empty database from a world, and finds the people of a filled one.

use super::accounts::user_kind;
use super::api_keys::insert_key;
use super::assistant_changes::insert_assistant;
use super::bulk::{self, Owner};
use super::calls_past;
use super::catalogue::FirstChoice;
use super::documents::{NewDocument, insert_document};
use super::knowledgebases::insert_knowledgebase;
use super::tools::insert_tool;
use super::{Store, StoreError, execute, many, one};
use crate::api::{AssistantConfig, AssistantSettings, DocumentStatus, QualityRating, TemplateStatus};
use crate::service::keys::TokenHash;
use crate::service::world::{self, World};
use crate::service::{passwords, simulation};
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, Transaction};
use std::collections::BTreeMap;
use std::time::Duration;
use uuid::Uuid;

/// How long a document that a world has in work goes on being processed.
const WORLD_PROCESSING: Duration = Duration::from_secs(90);

/// How long the platform takes to look at a template: statuses are asked for every 4 hours.
pub(super) const TEMPLATE_REFRESH: SignedDuration = SignedDuration::from_hours(4);

/// A user whose customers are simulated, with the ids of the stored rows.
#[derive(Debug)]
pub struct SimulatedUser {
    /// The user's number.
    pub user_id: i64,
    /// The user as a world would describe it, without tokens and balance.
    pub user: world::User,
    /// The numbers of the user's assistants, in the same order.
    pub assistants: Vec<i64>,
    /// The numbers of the user's senders, in the same order.
    pub senders: Vec<i64>,
}

impl Store {
    /// Whether the database has no users.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn is_empty(&self) -> Result<bool, StoreError> {
        self.read(|reader| {
            Ok(one(reader, "SELECT MAX(id) FROM users /* scans: one row */", [], |row| row.get::<_, Option<i64>>(0))?
                .is_none())
        })
    }

    /// Fills an empty database in one transaction. Generated conversations end at `now` or before.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn fill(&self, world: &World, now: Timestamp) -> Result<(), StoreError> {
        self.write(|tx| {
            let mut owners = Vec::new();
            for user in &world.users {
                let owner = insert_user(tx, user, now)?;
                owners.push((owner, user));
            }
            let plans = owners.iter().filter_map(|(owner, user)| Some((owner, user, user.generate.as_ref()?)));
            bulk::load(tx, plans.clone().map(|(.., plan)| plan.conversations + plan.calls).sum(), || {
                plans.clone().try_for_each(|(owner, user, plan)| {
                    bulk::insert(tx, owner, simulation::generate(user, plan, now))?;
                    calls_past::insert(tx, owner, user, simulation::past_calls::generate(user, plan, now))
                })
            })
        })
    }

    /// All users whose customers are simulated and who have an assistant.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn simulated_users(&self) -> Result<Vec<SimulatedUser>, StoreError> {
        self.read_at_once(|reader| {
            let find =
                "SELECT id, email, kind FROM users WHERE is_simulated ORDER BY id /* scans: once, when a sandbox starts */";
            let users = many(reader, find, [], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
            })?;
            let simulated_users = users
                .into_iter()
                .map(|(user_id, email, kind)| simulated_user(reader, user_id, email, &kind))
                .collect::<Result<Vec<_>, StoreError>>()?;
            Ok(simulated_users.into_iter().filter(|simulated_user| !simulated_user.assistants.is_empty()).collect())
        })
    }
}

fn insert_user(tx: &Transaction<'_>, user: &world::User, now: Timestamp) -> Result<Owner, StoreError> {
    let at = now.as_microsecond();
    let password_hash = user.password.as_ref().map(passwords::hash).transpose()?;
    let user_id = one(
        tx,
        "INSERT INTO users (email, kind, balance_micros, tool_limit, is_simulated, created_at, name, password_hash) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id",
        // Who has conversations made up has customers; the others stay as the world file describes them.
        (
            &user.email,
            user.kind.as_str(),
            micros(user.balance),
            user.tool_limit,
            user.generate.is_some(),
            at,
            &user.name,
            password_hash,
        ),
        |row| row.get(0),
    )?;
    for token in &user.tokens {
        insert_key(tx, user_id, "World file", now, |_| ((), TokenHash::of(token)))?;
    }
    let bases = user
        .knowledgebases
        .iter()
        .map(|base| Ok((base.name.as_str(), insert_described_knowledgebase(tx, user_id, base, now)?)))
        .collect::<Result<BTreeMap<_, _>, StoreError>>()?;
    let assistants = user
        .assistants
        .iter()
        .map(|assistant| insert_described(tx, user_id, assistant, &bases, now))
        .collect::<Result<Vec<_>, _>>()?;
    let by_name: BTreeMap<_, _> =
        user.assistants.iter().map(|assistant| assistant.name.as_str()).zip(assistants.iter().copied()).collect();
    let senders = user
        .senders
        .iter()
        .map(|sender| {
            let assistant_id = sender.assistant.as_deref().and_then(|name| by_name.get(name));
            insert_sender(tx, user_id, assistant_id.copied(), sender, now)
        })
        .collect::<Result<Vec<_>, _>>()?;
    for world::WorldTool { tool, assistants } in &user.tools {
        let id = insert_tool(tx, user_id, tool, now)?;
        for assistant in assistants.iter().filter_map(|name| by_name.get(name.as_str())) {
            execute(tx, "INSERT INTO assistant_tools (assistant_id, tool_id) VALUES ($1, $2)", (assistant, id))?;
        }
    }
    Ok(Owner { user_id, assistants, senders })
}

fn insert_sender(
    tx: &Transaction<'_>,
    user_id: i64,
    assistant_id: Option<i64>,
    sender: &world::WorldSender,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let id = one(
        tx,
        "INSERT INTO senders (user_id, assistant_id, phone_number, display_name, status, quality_rating, \
         messaging_limit) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
        (
            user_id,
            assistant_id,
            &sender.phone_number,
            &sender.display_name,
            sender.status.as_str(),
            sender.quality_rating.as_str(),
            sender.messaging_limit,
        ),
        |row| row.get(0),
    )?;
    for template in &sender.templates {
        let variables =
            serde_json::to_string(&template.variables).map_err(|_| StoreError::Unreadable("list of variables"))?;
        let pending = template.status == TemplateStatus::Pending;
        let refresh_at = pending.then(|| now.saturating_add(TEMPLATE_REFRESH).unwrap_or(Timestamp::MAX));
        execute(
            tx,
            "INSERT INTO templates (sender_id, name, language, category, status, body_text, variables, refresh_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            (
                id,
                &template.name,
                &template.language,
                template.category.as_str(),
                template.status.as_str(),
                &template.body_text,
                variables,
                refresh_at.map(Timestamp::as_microsecond),
            ),
        )?;
    }
    Ok(id)
}

/// Stores an assistant with what the catalogue has for its language and engine.
fn insert_described(
    tx: &Transaction<'_>,
    user_id: i64,
    assistant: &world::WorldAssistant,
    bases: &BTreeMap<&str, i64>,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let first = FirstChoice::of(tx, simulation::language_code(&assistant.timezone), &assistant.mode)?;
    let text = |(name, text): (&String, &String)| (name.clone(), text.clone().into());
    let config = AssistantConfig {
        name: assistant.name.clone(),
        kind: assistant.kind.clone(),
        mode: assistant.mode.clone(),
        voice_id: first.voice,
        language_id: first.language,
        timezone: assistant.timezone.clone(),
        initial_message: assistant.initial_message.clone(),
        system_prompt: assistant.system_prompt.clone(),
        variables: assistant.variables.iter().map(text).collect(),
        knowledgebase_id: assistant.knowledgebase.as_deref().and_then(|name| bases.get(name)).copied(),
        settings: AssistantSettings {
            llm_model_id: first.llm_model,
            multimodal_model_id: first.multimodal_model,
            ..AssistantSettings::default()
        },
        ..AssistantConfig::default()
    };
    insert_assistant(tx, user_id, assistant_uuid, &assistant.status, &config, now)
}

/// Stores a knowledgebase and returns its number. A document that is being processed will be done in a while, and succeed.
fn insert_described_knowledgebase(
    tx: &Transaction<'_>,
    user_id: i64,
    knowledgebase: &world::WorldKnowledgebase,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let world::WorldKnowledgebase { name, description, documents } = knowledgebase;
    let id = insert_knowledgebase(tx, user_id, name, description.as_deref(), now)?;
    for world::WorldDocument { name, kind, status } in documents {
        let (outcome, ready_at) = match status {
            DocumentStatus::Processing => {
                (DocumentStatus::Active, now.saturating_add(WORLD_PROCESSING).unwrap_or(Timestamp::MAX))
            }
            done => (done.clone(), now),
        };
        insert_document(tx, id, &NewDocument { name, description: None, kind: kind.clone(), outcome, ready_at }, now)?;
    }
    Ok(id)
}

/// The same for the same number, so that a world looks the same each time it is filled.
fn assistant_uuid(id: i64) -> Uuid {
    let mut rng = fastrand::Rng::with_seed(id.unsigned_abs());
    uuid::Builder::from_random_bytes(rng.u128(..).to_be_bytes()).into_uuid()
}

#[expect(clippy::cast_possible_truncation, reason = "a balance beyond what fits is kept as the most that does")]
fn micros(amount: f64) -> i64 {
    (amount * 1e6).round() as i64
}

fn simulated_user(reader: &Connection, user_id: i64, email: String, kind: &str) -> Result<SimulatedUser, StoreError> {
    let (assistants, people): (Vec<i64>, Vec<world::WorldAssistant>) = many(
        reader,
        "SELECT id, name, type, mode, status, timezone, initial_message, system_prompt FROM assistants \
         WHERE user_id = $1 AND deleted_at IS NULL ORDER BY id",
        [user_id],
        |row| {
            let assistant = world::WorldAssistant {
                name: row.get(1)?,
                kind: row.get_ref(2)?.as_str()?.into(),
                mode: row.get_ref(3)?.as_str()?.into(),
                status: row.get_ref(4)?.as_str()?.into(),
                timezone: row.get(5)?,
                initial_message: row.get(6)?,
                system_prompt: row.get(7)?,
                variables: BTreeMap::new(),
                knowledgebase: None,
            };
            Ok((row.get::<_, i64>(0)?, assistant))
        },
    )?
    .into_iter()
    .unzip();
    let (senders, numbers): (Vec<i64>, Vec<world::WorldSender>) = many(
        reader,
        "SELECT s.id, s.phone_number, s.display_name, s.status, a.name FROM senders AS s \
         LEFT JOIN assistants AS a ON a.id = s.assistant_id WHERE s.user_id = $1 ORDER BY s.id",
        [user_id],
        |row| {
            let sender = world::WorldSender {
                phone_number: row.get(1)?,
                display_name: row.get(2)?,
                status: row.get_ref(3)?.as_str()?.into(),
                quality_rating: QualityRating::Green,
                messaging_limit: None,
                assistant: row.get(4)?,
                templates: Vec::new(),
            };
            Ok((row.get::<_, i64>(0)?, sender))
        },
    )?
    .into_iter()
    .unzip();
    let user = world::User {
        name: email.clone(),
        email,
        password: None,
        kind: user_kind(kind),
        balance: 0.0,
        tool_limit: 0,
        tokens: Vec::new(),
        generate: None,
        assistants: people,
        senders: numbers,
        knowledgebases: Vec::new(),
        tools: Vec::new(),
    };
    Ok(SimulatedUser { user_id, user, assistants, senders })
}
