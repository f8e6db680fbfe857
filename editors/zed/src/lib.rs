//! The Zed extension: starts `cpz lsp` and passes the settings.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, serde_json, Command, LanguageServerId, Result, Worktree};

struct Cpz;

impl zed::Extension for Cpz {
    fn new() -> Self {
        Cpz
    }

    /// The program of the setting `lsp.cpz.binary`, else `cpz` on PATH.
    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree(id.as_ref(), worktree)?.binary;
        let (path, arguments) = binary.map_or((None, None), |b| (b.path, b.arguments));
        let command = path
            .or_else(|| worktree.which("cpz"))
            .ok_or("the program `cpz` cannot be found: install cpz or set `lsp.cpz.binary.path`")?;
        let args = arguments.unwrap_or_else(|| vec!["lsp".into()]);
        Ok(Command { command, args, env: worktree.shell_env() })
    }

    /// Sends `lsp.cpz.settings`, which has the keys of `cpz.toml`.
    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        let settings = LspSettings::for_worktree(id.as_ref(), worktree)?.settings;
        Ok(settings.map(|s| serde_json::json!({ "cpz": s })))
    }
}

zed::register_extension!(Cpz);
