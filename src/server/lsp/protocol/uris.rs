//! Paths ↔ URIs.

use std::path::{Path, PathBuf};

use ls_types::Uri;

/// The URI of a path.
pub fn uri(path: &Path) -> Option<String> {
    // A path that is not UTF-8 has no URI that converts back to it.
    let text = path.to_str()?;
    if cfg!(windows) {
        return path.is_absolute().then(|| windows_uri(text));
    }
    Uri::from_file_path(path).map(|u| u.as_str().to_string())
}

/// The absolute path in a URI of any scheme.
pub(crate) fn path_of_any(uri: &str) -> Option<String> {
    let uri: Uri = uri.parse().ok()?;
    let path = decoded_path(&uri);
    let path = Some(path).filter(|p| p.starts_with('/'))?;
    if cfg!(windows) { windows_path(&host(&uri), &path) } else { Some(path) }
}

/// The path of a `file:` URI.
pub(crate) fn path(uri: &str) -> Option<PathBuf> {
    let uri: Uri = uri.parse().ok()?;
    path_of(&uri)
}

/// As [`path`].
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let path = decoded_path(uri);
    let is_file = uri.scheme().as_str().eq_ignore_ascii_case("file");
    if !is_file || path.is_empty() {
        return None;
    }
    if cfg!(windows) { windows_path(&host(uri), &path).map(PathBuf::from) } else { Some(PathBuf::from(path)) }
}

fn decoded_path(uri: &Uri) -> String {
    uri.path().decode().to_string_lossy().into_owned()
}

/// The computer in a URI; empty for this one.
fn host(uri: &Uri) -> String {
    let host = uri.authority().map(|a| a.host()).unwrap_or_default();
    // The share of the Linux subsystem is called `wsl$`.
    if host.eq_ignore_ascii_case("localhost") { String::new() } else { host.replace("%24", "$") }
}

/// The path on Windows in a URI, in one spelling: editors write the letter of a drive small or large.
fn windows_path(host: &str, path: &str) -> Option<String> {
    let path = path.replace('/', "\\");
    if !host.is_empty() {
        return Some(format!("\\\\{host}{path}"));
    }
    let path = match path.strip_prefix('\\')? {
        drive if is_drive(drive) => drive[..1].to_ascii_uppercase() + &drive[1..],
        // Relative to the current drive, or a computer in the path: `file:////computer/share`.
        _ => path,
    };
    Some(path)
}

fn is_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// The URI of an absolute path on Windows: `C:\a`, `\\computer\share\a`, or one of these after `\\?\`.
fn windows_uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let path = match path.strip_prefix("//?/") {
        Some(plain) => plain.strip_prefix("UNC/").map_or(plain.to_string(), |share| format!("//{share}")),
        None => path,
    };
    match path.strip_prefix("//") {
        Some(share) => format!("file://{}", encode(share)),
        None if is_drive(&path) => {
            format!("file:///{}{}", path[..1].to_ascii_uppercase(), encode(&path[1..]))
        }
        None => format!("file://{}", encode(&path)),
    }
}

/// Escapes what may not stand in the path of a URI.
pub fn encode(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte as char)
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path on Windows of a URI.
    fn windows(uri: &str) -> Option<String> {
        let uri: Uri = uri.parse().expect("a URI");
        windows_path(&host(&uri), &decoded_path(&uri))
    }

    #[test]
    fn windows_paths_have_one_spelling_in_every_spelling_of_the_uri() {
        for uri in [
            "file:///c%3A/a%20b/%C3%A9.cpz",
            "file:///C:/a%20b/%C3%A9.cpz",
            "file://localhost/c:/a%20b/%C3%A9.cpz",
        ] {
            assert_eq!(windows(uri).as_deref(), Some("C:\\a b\\é.cpz"), "{uri}");
        }
        assert_eq!(windows_uri("c:\\a b\\é.cpz"), "file:///C%3A/a%20b/%C3%A9.cpz");
    }

    #[test]
    fn windows_paths_convert_back() {
        for (path, uri) in [
            ("C:\\", "file:///C%3A/"),
            ("Z:\\100%\\[1]#?.cpz", "file:///Z%3A/100%25/%5B1%5D%23%3F.cpz"),
            ("\\\\server\\share\\a b.cpz", "file://server/share/a%20b.cpz"),
            ("\\\\wsl$\\Debian\\a.cpz", "file://wsl%24/Debian/a.cpz"),
        ] {
            assert_eq!(windows_uri(path), uri);
            assert_eq!(windows(uri).as_deref(), Some(path));
        }
        assert_eq!(windows_uri("\\\\?\\C:\\a.cpz"), "file:///C%3A/a.cpz");
        assert_eq!(windows_uri("\\\\?\\UNC\\server\\share\\a.cpz"), "file://server/share/a.cpz");
        assert_eq!(windows("file:////server/share/a.cpz").as_deref(), Some("\\\\server\\share\\a.cpz"));
        // Nothing here may panic.
        for uri in ["file:", "file:///", "file://c:", "file:///%C3%A9:/a", "untitled:a.cpz", "file:a"] {
            windows(uri);
        }
    }
}
