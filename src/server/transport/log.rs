//! What the server does, line by line in a file, for whoever looks for a fault: when, which method, how long. Nothing
//! of what texts hold is in it.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tower_lsp::jsonrpc::{Id, Response};

/// A log, or none.
#[derive(Clone, Default)]
pub struct Log(Option<Arc<(Instant, Mutex<File>)>>);

impl Log {
    /// A log behind what a file holds already.
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

    /// Has panics told of too.
    pub(crate) fn hear_panics(&self) {
        if self.0.is_none() {
            return;
        }
        let (log, before) = (self.clone(), std::panic::take_hook());
        std::panic::set_hook(Box::new(move |info| {
            // The message may quote a text; where it happened says enough.
            let place = info.location().map_or(String::new(), |l| format!("{}:{}", l.file(), l.line()));
            log.line(&format!("panic in {} at {place}", std::thread::current().name().unwrap_or("a thread")));
            before(info);
        }));
    }

    /// Writes a line. What cannot be written is lost: nobody waits for a log.
    pub(crate) fn line(&self, what: &str) {
        let Some(log) = &self.0 else { return };
        let at = log.0.elapsed().as_secs_f64();
        let _ = writeln!(log.1.lock().unwrap_or_else(PoisonError::into_inner), "{at:10.4} {what}");
    }

    /// Tells of a message that came; what it returns tells of its answer.
    pub(crate) fn call(&self, method: &str, id: Option<&Id>) -> Call {
        let what = match id {
            Some(id) => format!("{method} {id}"),
            None => method.to_string(),
        };
        if self.0.is_some() {
            // A method is what the client calls it.
            self.line(&what.escape_debug().to_string());
        }
        Call { log: self.clone(), what, begun: Instant::now() }
    }
}

/// A message under way.
pub(crate) struct Call {
    log: Log,
    what: String,
    begun: Instant,
}

impl Call {
    /// Tells what became of it.
    pub fn done(&self, response: Option<&Response>) {
        let Some(response) = response.filter(|_| self.log.0.is_some()) else { return };
        let result = match response.error() {
            None => "answered".to_string(),
            Some(error) => format!("error {}", error.code),
        };
        let ms = self.begun.elapsed().as_secs_f64() * 1000.0;
        self.log.line(&format!("{} {result} after {ms:.2} ms", self.what.escape_debug()));
    }
}
