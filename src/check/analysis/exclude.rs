//! Patterns of files to skip, as in a `.gitignore`.

#[cfg(feature = "native")]
mod patterns {
    use std::path::Path;

    use ignore::gitignore::{Gitignore, GitignoreBuilder};

    /// Why a pattern cannot be read.
    pub(crate) fn pattern_error(pattern: &str) -> Option<String> {
        let mut strict = GitignoreBuilder::new("");
        strict.allow_unclosed_class(false);
        strict.add_line(None, pattern).err().map(|error| error.to_string())
    }

    /// Decides which files below a folder to skip.
    #[derive(Clone, Debug)]
    pub struct Exclude(Option<Gitignore>);

    impl Exclude {
        /// Patterns relative to a folder.
        pub fn new(folder: &Path, patterns: &[String]) -> Exclude {
            if patterns.is_empty() {
                return Exclude(None);
            }
            let mut builder = GitignoreBuilder::new(folder);
            for pattern in patterns {
                // `read_config` reports patterns that cannot be read.
                let _ = builder.add_line(None, pattern);
            }
            Exclude(builder.build().ok())
        }

        /// Whether to skip a file, or a folder that it is in. Files outside of the folder are not skipped.
        pub fn holds(&self, file: &Path) -> bool {
            let Some(ignore) = &self.0 else { return false };
            file.starts_with(ignore.path()) && ignore.matched_path_or_any_parents(file, false).is_ignore()
        }
    }
}

/// Where there are no files, nothing is skipped and every pattern is accepted: the code that reads patterns is large.
#[cfg(not(feature = "native"))]
mod patterns {
    use std::path::Path;

    pub(crate) fn pattern_error(_: &str) -> Option<String> {
        None
    }

    /// Skips nothing.
    #[derive(Clone, Debug)]
    pub struct Exclude;

    impl Exclude {
        /// Skips nothing, whatever the patterns.
        pub fn new(_: &Path, _: &[String]) -> Exclude {
            Exclude
        }

        /// Whether to skip a file: no.
        pub fn holds(&self, _: &Path) -> bool {
            false
        }
    }
}

pub use patterns::Exclude;
pub(crate) use patterns::pattern_error;
