//! The contract: the API's resources, request parameters, error shapes, limits and rules, in types.
//!
//! The client, the forms of the interface and the service all use this one module, so a rule exists once.
//! Text read through these types is as the server sent it; whoever draws it cleans it first.

pub mod account;
pub mod api_key;
pub mod assistant;
pub mod channel;
pub mod conversation;
pub mod digest;
pub mod error;
pub mod field;
pub mod messaging;
pub mod page;
pub mod paths;
pub mod rules;
pub mod timestamp;
pub mod token;
pub mod words;

pub mod answer;
pub mod assistant_change;
pub mod call;
pub mod catalogue;
pub mod knowledgebase;
pub mod message;
pub mod patch;
pub mod query;
pub mod rows;
pub mod sandbox;
pub mod signing;
pub mod tool;
pub mod webhook;

pub use account::{Account, LogIn, LoggedInUser, Login, Password};
pub use api_key::{ApiKey, ApiKeyList, CreateApiKey, CreatedApiKey, CreatedApiKeyBody, MessageBody};
pub use assistant::{AssistantMode, AssistantStatus, AssistantType, OutboundAssistant};
pub use channel::{Channel, NoChannel};
pub use conversation::{Conversation, ConversationFilter, ConversationQuery, ConversationType, PageRef, Party};
pub use digest::ContentDigest;
pub use error::ErrorBody;
pub use field::Field;
pub use messaging::{
    DeliveryStatus, ErrorCode, QualityRating, SendFreeform, SendTemplate, Sender, SenderStatus, SentMessage,
    SessionStatus, Template, TemplateCategory, TemplateStatus, VariableMismatch, WindowStatus,
};
pub use page::{CursorPage, NumberedPage, Page, PageLink, PageQuery};
pub use paths::{BadPath, OwnPath, Paths};
pub use timestamp::{IsoTimestamp, OffsetTimestamp, PlainTimestamp};
pub use token::Token;

pub use answer::{Data, Done};
pub use assistant::{Assistant, AssistantSummary};
pub use assistant_change::{AssistantChange, AssistantConfig, AssistantSettings, KnowledgebaseMode};
pub use call::{Call, CallFilter, CallQuery, CallStarted, CallStatus, CallType, MakeCall};
pub use catalogue::{CatalogueQuery, Language, Model, ModelType, Provider, Voice};
pub use knowledgebase::{
    Document, DocumentStatus, DocumentType, FileDocument, Knowledgebase, KnowledgebaseStatus, Label, WebsiteDocument,
    WebsiteLink,
};
pub use message::{
    AiSwitched, ChatMessage, ChatReply, ConversationHistory, FunctionCall, HistoryMessage, Role, StartConversation,
    StartedConversation,
};
pub use patch::Patch;
pub use query::{Query, Segment};
pub use rows::{Identified, Rows};
pub use signing::SigningSecret;
pub use tool::{Tool, ToolChange, ToolHeader, ToolMethod, ToolParameter};
pub use webhook::{
    CallCompletion, ConversationEnded, DisableWebhook, EnableWebhook, EventSender, ExtractedVariables, TranscriptLine,
    WebhookDelivery, WebhookDeliveryList, WebhookDeliveryStatus, WebhookEvent,
};
