//! The log file of `cpz lsp --log`: one line for each message and answer, with time and duration. It contains no
//! text of a document.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tower_lsp::jsonrpc::{Id, Response};

/// A log file, or nothing.
#[derive(Clone, Default)]
pub struct Log(Option<Arc<(Instant, Mutex<File>)>>);

impl Log {
    /// Appends to a file.
    ///
    /// # Errors
    /// Why the file cannot be written.
    pub fn to(path: &Path) -> io::Result<Log> {
        let log = Log(Some(Arc::new((
            Instant::now(),
            Mutex::new(File::options().create(true).append(true).open(path)?),
        ))));
        log.line(&format!(
            "cpz {} ({} {})",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH
        ));
        Ok(log)
    }

    /// Writes panics to the log too.
    pub(crate) fn log_panics(&self) {
        if self.0.is_none() {
            return;
        }
        let (log, before) = (self.clone(), std::panic::take_hook());
        std::panic::set_hook(Box::new(move |info| {
            // Without the message, which may quote a document.
            let place = info.location().map_or(String::new(), |l| format!("{}:{}", l.file(), l.line()));
            log.line(&format!("panic in {} at {place}", std::thread::current().name().unwrap_or("a thread")));
            before(info);
        }));
    }

    /// Writes a line. Errors are ignored, because the server has to go on without a log.
    pub(crate) fn line(&self, text: &str) {
        let Some(log) = &self.0 else { return };
        let at = log.0.elapsed().as_secs_f64();
        let _ = writeln!(log.1.lock().unwrap_or_else(PoisonError::into_inner), "{at:10.4} {text}");
    }

    /// Logs a message. The result logs its answer.
    pub(crate) fn call(&self, method: &str, id: Option<&Id>) -> Call {
        let name = match id {
            Some(id) => format!("{method} {id}"),
            None => method.to_string(),
        };
        if self.0.is_some() {
            // The client chooses the name of the method, so it may have control characters.
            self.line(&name.escape_debug().to_string());
        }
        Call { log: self.clone(), name, started: Instant::now() }
    }
}

/// A message that is not answered yet.
pub(crate) struct Call {
    log: Log,
    name: String,
    started: Instant,
}

impl Call {
    /// Logs the answer of a request.
    pub fn done(&self, response: Option<&Response>) {
        let Some(response) = response.filter(|_| self.log.0.is_some()) else { return };
        let result = match response.error() {
            None => "answered".to_string(),
            Some(error) => format!("error {}", error.code),
        };
        let ms = self.started.elapsed().as_secs_f64() * 1000.0;
        self.log.line(&format!("{} {result} after {ms:.2} ms", self.name.escape_debug()));
    }
}
