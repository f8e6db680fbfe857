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

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::path::Path;

    use rustix::fs::{Mode, OFlags, XattrFlags, getxattr, open, setxattr};

    use super::*;

    const ACL: &str = "system.posix_acl_access";
    const ORIGIN: &str = "user.origin";
    const STORY: &str = "user.story";
    /// A user and a group to which no file of the tests belongs before.
    const NOBODY: u32 = 65534;

    /// An access control list: the owner and a user may read and write, the group and all others may not.
    fn list(user: u32) -> Vec<u8> {
        let entries =
            [(1, 6, u32::MAX), (2, 6, user), (4, 0, u32::MAX), (16, 6, u32::MAX), (32, 0, u32::MAX)];
        let mut bytes = 2u32.to_le_bytes().to_vec();
        for (tag, may, id) in entries {
            bytes.extend(u16::to_le_bytes(tag));
            bytes.extend(u16::to_le_bytes(may));
            bytes.extend(u32::to_le_bytes(id));
        }
        bytes
    }

    fn attribute(path: &Path, name: &str) -> Option<Vec<u8>> {
        let mut value = vec![0; 4000];
        getxattr(path, name, &mut value[..]).map(|length| value[..length].to_vec()).ok()
    }

    /// A new file with attributes; `None` where the file system has none.
    fn file_with(path: &Path, attributes: &[(&str, &[u8])]) -> Option<File> {
        std::fs::write(path, "text").expect("a file");
        for (name, value) in attributes {
            setxattr(path, *name, value, XattrFlags::empty()).ok()?;
        }
        Some(File::options().read(true).write(true).open(path).expect("the file"))
    }

    /// Gives each of two files one of these sets of attributes: then a copy has what its original has, and no access control
    /// list that the original does not have.
    #[test]
    fn a_copy_gets_the_list_and_the_attributes_of_its_original() {
        let folder = tempfile::tempdir().expect("a folder");
        let [original, copied] = ["original", "copied"].map(|name| folder.path().join(name));
        let (one, other, long) = (list(1001), list(1002), [b'x'; 2100]);
        let sets: [&[(&str, &[u8])]; 8] = [
            &[],
            &[(ACL, &one)],
            &[(ACL, &other)],
            &[(ORIGIN, b"a box")],
            &[(ORIGIN, b"")],
            &[(ORIGIN, b"a book"), (ACL, &one)],
            &[(STORY, &long)],
            &[(STORY, &long), (ORIGIN, b"a box"), (ACL, &other)],
        ];
        for wanted in sets {
            for before in sets {
                let (Some(from), Some(to)) = (file_with(&original, wanted), file_with(&copied, before))
                else {
                    // No such attributes on this file system.
                    return;
                };
                assert_eq!(copy(&from, &from.metadata().expect("the file"), &to), Ok(()));
                for name in [ACL, ORIGIN, STORY] {
                    let value = |of: &[(&str, &[u8])]| of.iter().find(|a| a.0 == name).map(|a| a.1.to_vec());
                    let kept = value(before).filter(|_| name != ACL);
                    let case = format!("{name} of {wanted:?} for {before:?}");
                    assert_eq!(attribute(&copied, name), value(wanted).or(kept), "{case}");
                    assert_eq!(attribute(&original, name), value(wanted), "{case}");
                }
                for path in [&original, &copied] {
                    std::fs::remove_file(path).expect("a file");
                }
            }
        }
    }

    #[test]
    fn a_copy_gets_the_owner_and_the_group_of_its_original() {
        let folder = tempfile::tempdir().expect("a folder");
        let [original, copied] = ["original", "copied"].map(|name| folder.path().join(name));
        let from = file_with(&original, &[]).expect("a file");
        let own = from.metadata().expect("the file");
        for (uid, gid) in [(own.uid(), own.gid()), (own.uid(), NOBODY), (NOBODY, own.gid()), (NOBODY, NOBODY)]
        {
            if fchown(&from, Some(uid), Some(gid)).is_err() {
                // Only root can give a file away.
                continue;
            }
            let to = file_with(&copied, &[]).expect("a file");
            assert_eq!(copy(&from, &from.metadata().expect("the file"), &to), Ok(()), "{uid}:{gid}");
            let now = copied.metadata().expect("the copy");
            assert_eq!((now.uid(), now.gid()), (uid, gid));
            std::fs::remove_file(&copied).expect("the copy");
        }
    }

    /// A file that is open as a path alone has no rights and attributes that could be read or changed.
    #[test]
    fn what_cannot_be_kept_is_an_error_that_says_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let [original, copied] = ["original", "copied"].map(|name| folder.path().join(name));
        let from = file_with(&original, &[]).expect("a file");
        drop(file_with(&copied, &[]));
        let [unreadable, unchangeable] = [&original, &copied]
            .map(|path| File::from(open(path, OFlags::PATH, Mode::empty()).expect("a file")));
        let metadata = from.metadata().expect("the file");
        let why = "not written: its extended attributes cannot be kept: Bad file descriptor (os error 9)";
        assert_eq!(copy(&unreadable, &metadata, &from), Err(why.into()));
        assert_eq!(copy(&from, &metadata, &unchangeable), Ok(()), "there is nothing to change");
        if setxattr(&original, ORIGIN, b"a box", XattrFlags::empty()).is_ok() {
            let why =
                "not written: its attribute `user.origin` cannot be kept: Bad file descriptor (os error 9)";
            assert_eq!(copy(&from, &metadata, &unchangeable), Err(why.into()));
        }
        let why = [
            (
                NOBODY,
                metadata.gid(),
                "not written: it belongs to another user, and the new file would belong to you",
            ),
            (
                metadata.uid(),
                NOBODY,
                "not written: it belongs to a group that you are not in, and the new file could not",
            ),
        ];
        for (uid, gid, why) in why {
            if fchown(&from, Some(uid), Some(gid)).is_ok() {
                let metadata = from.metadata().expect("the file");
                assert_eq!(copy(&from, &metadata, &unchangeable), Err(why.into()));
            }
        }
    }
}
