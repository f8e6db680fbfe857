//! The client's settings: `workspace/configuration` and `workspace/didChangeConfiguration`.

use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;

use ls_types::{ConfigurationItem, DidChangeConfigurationParams, MessageType};
use serde_json::Value;
use tower_lsp::Client;

use crate::lsp::session::Session;
use crate::lsp::session::settings::Settings;
use crate::lsp::state::Event;
use crate::server::handlers::backend::{Backend, CLIENT_TIMEOUT};

pub(crate) async fn did_change_configuration(backend: &Backend, params: DidChangeConfigurationParams) {
    if backend.session.client_capabilities().send_settings {
        return fetch_settings(backend);
    }
    match Settings::section_in(&params.settings) {
        Some(Value::Null) => apply_settings(&first_settings(backend), backend),
        Some(section) => apply_settings(section, backend),
        None => {}
    }
}

/// The settings of `initialize`; null where it has none.
fn first_settings(backend: &Backend) -> Value {
    let first = backend.first_settings.get();
    first.map_or(Value::Null, |settings| settings.get("cpz").unwrap_or(settings).clone())
}

/// Requests the settings from a client that supports `workspace/configuration`.
pub(crate) fn fetch_settings(backend: &Backend) {
    if !backend.session.client_capabilities().send_settings {
        return;
    }
    let (client, session, events) = (backend.client.clone(), backend.session.clone(), backend.events.clone());
    let first = first_settings(backend);
    let request = session.settings_order.next();
    tokio::spawn(async move {
        let item = ConfigurationItem { scope_uri: None, section: Some("cpz".into()) };
        let answer = tokio::time::timeout(CLIENT_TIMEOUT, client.configuration(vec![item])).await;
        if let Ok(Ok(sections)) = answer
            && let Some(section) = sections.first()
        {
            // Without the section, those settings are in force with which the client started the server.
            let section = if section.is_null() { &first } else { section };
            session.settings_order.apply(request, || apply(section, &client, &session, &events));
        }
    });
}

/// Applies the section `cpz` of the settings, and warns the user about invalid values.
pub(crate) fn apply_settings(section: &Value, backend: &Backend) {
    apply(section, &backend.client, &backend.session, &backend.events);
}

fn apply(section: &Value, client: &Client, session: &Session, events: &Sender<Event>) {
    let warn = |message: String| {
        let client = client.clone();
        tokio::spawn(async move { client.show_message(MessageType::WARNING, message).await });
    };
    let (settings, mistakes) = match Settings::read_section(section) {
        Ok(read) => read,
        Err(why) => return warn(why),
    };
    let images = settings.images.unwrap_or(session.client_capabilities().pictures);
    session.pictures.store(images, Ordering::Relaxed);
    let _ = events.send(Event::SettingsChanged(settings));
    if !mistakes.is_empty() {
        warn(mistakes.join("\n"));
    }
}
