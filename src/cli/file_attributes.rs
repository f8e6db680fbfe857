//! Who owns a file and who may read it: what a copy must keep before it takes the place of the original.

use std::fs::{File, Metadata};
use std::os::unix::fs::{MetadataExt, fchown};

/// Gives a copy, which only its owner may read so far, the owner, the group, the access control list and the extended
/// attributes of the original. The caller copies the mode afterwards.
///
/// # Errors
/// A message that says what cannot be kept. Then the copy must not replace the original: it could open the file to
/// other people, or close it to those who may read it.
pub(super) fn copy(original: &File, metadata: &Metadata, copy: &File) -> Result<(), String> {
    let now = copy.metadata().map_err(|e| format!("cannot be written: {e}"))?;
    let (uid, gid) = (metadata.uid(), metadata.gid());
    if now.uid() != uid && fchown(copy, Some(uid), Some(gid)).is_err() {
        return Err("not written: it belongs to another user, and the new file would belong to you".into());
    }
    if now.gid() != gid && fchown(copy, None, Some(gid)).is_err() {
        return Err(
            "not written: it belongs to a group that you are not in, and the new file could not".into()
        );
    }
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    attributes::copy(original, copy)?;
    Ok(())
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod attributes {
    use std::fs::File;

    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr};
    use rustix::io::{Errno, Result};

    /// The access control list of a file: who may read and write it beside its owner and group.
    const ACL: &str = "system.posix_acl_access";

    /// Attributes that follow from the contents, or that the system drops whenever a file is written.
    const NOT_KEPT: [&str; 3] = ["security.ima", "security.evm", "security.capability"];

    /// Longer than any attribute may be.
    const MAX_VALUE: usize = 1 << 20;

    pub(super) fn copy(original: &File, copy: &File) -> std::result::Result<(), String> {
        let wanted = names(original).map_err(|why| refused("its extended attributes", why))?;
        // The folder may have given the copy a list that the original does not have.
        if !wanted.iter().any(|name| name == ACL) && get(copy, ACL).is_ok() {
            fremovexattr(copy, ACL).map_err(|why| refused("its access rights", why))?;
        }
        for name in wanted.iter().filter(|name| !NOT_KEPT.contains(&name.as_str())) {
            let value =
                get(original, name).map_err(|why| refused(&format!("its attribute `{name}`"), why))?;
            if get(copy, name).as_ref() != Ok(&value) {
                let set = fsetxattr(copy, name, &value, XattrFlags::empty());
                set.map_err(|why| refused(&format!("its attribute `{name}`"), why))?;
            }
        }
        Ok(())
    }

    fn refused(what: &str, why: Errno) -> String {
        format!("not written: {what} cannot be kept: {}", std::io::Error::from(why))
    }

    fn names(file: &File) -> Result<Vec<String>> {
        let list = match whole(|buffer| flistxattr(file, buffer)) {
            // A file system without such attributes.
            Err(Errno::NOTSUP | Errno::NOSYS) => Vec::new(),
            list => list?,
        };
        let names = list.split(|&b| b == 0).filter(|name| !name.is_empty());
        Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }

    fn get(file: &File, name: &str) -> Result<Vec<u8>> {
        whole(|buffer| fgetxattr(file, name, buffer))
    }

    /// Reads all of a value, whatever its length.
    fn whole(read: impl Fn(&mut [u8]) -> Result<usize>) -> Result<Vec<u8>> {
        let mut buffer = vec![0; 1024];
        loop {
            match read(&mut buffer) {
                Err(Errno::RANGE) if buffer.len() <= MAX_VALUE => buffer.resize(2 * buffer.len(), 0),
                length => {
                    buffer.truncate(length?);
                    return Ok(buffer);
                }
            }
        }
    }
}
