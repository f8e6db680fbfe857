//! How files are written: several commands at once, access rights, and what is no regular file.

use super::*;
use crate::harness::command;
use std::process::Stdio;

/// Starts a command without waiting for it.
fn start(dir: &Path, args: &[&str]) -> std::process::Child {
    command(dir, args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cpz starts")
}

#[test]
fn findings_that_two_commands_record_at_once_are_all_recorded() {
    for round in 0..10 {
        let parts: Vec<String> = (0..4).map(|i| format!("part{i}/a.cpz")).collect();
        let files: Vec<(&str, &str)> = parts.iter().map(|p| (p.as_str(), BROKEN)).collect();
        let dir = folder(&files);
        let running: Vec<_> = (0..4)
            .map(|i| {
                start(dir.path(), &["check", "--baseline", "known.json", "--accept", &format!("part{i}")])
            })
            .collect();
        for child in running {
            let done = child.wait_with_output().expect("it ends");
            assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
        }
        let checked = run(dir.path(), &["check", "--baseline", "known.json"]);
        assert_eq!(checked.code, Some(0), "round {round}: {}", checked.stdout);
    }
}

/// Three commands write the same files at once. What each says that it has written is in the file.
#[test]
fn what_is_reported_as_written_is_written_when_commands_race() {
    let text = "solitaire   \"x\"{ board ...N.....R....B.  solve }\n";
    let names: Vec<String> = (0..150).map(|i| format!("{i:03}.cpz")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), text)).collect();
    let writers: [&[&str]; 3] =
        [&["fmt", "."], &["solve", "--write", "."], &["convert", "--to", "list", "."]];
    for _ in 0..3 {
        let dir = folder(&files);
        let running = writers.map(|args| start(dir.path(), args));
        let said = running.map(|child| {
            let done = child.wait_with_output().expect("it ends");
            String::from_utf8_lossy(&done.stderr).into_owned()
        });
        for name in &names {
            let now = read(dir.path(), name);
            let failed =
                |i: usize| said[i].lines().any(|l| l.contains(name.as_str()) && l.contains("not written"));
            assert!(failed(0) || !now.contains("   \"x\"{"), "{name}: {now}\n{}", said[0]);
            assert!(failed(1) || now.contains("=>"), "{name}: {now}\n{}", said[1]);
            assert!(failed(2) || now.contains("[['"), "{name}: {now}\n{}", said[2]);
        }
        let left = fs::read_dir(dir.path()).expect("the folder").count();
        assert_eq!(left, names.len(), "no temporary file is left");
    }
}

#[test]
#[cfg(unix)]
fn a_locked_file_is_not_written() {
    use rustix::fs::{FlockOperation, flock};
    let dir = folder(&[("a.cpz", MIXED)]);
    let file = fs::File::open(dir.path().join("a.cpz")).expect("the file");
    flock(&file, FlockOperation::LockExclusive).expect("a lock");
    let mut child = start(dir.path(), &["fmt", "a.cpz"]);
    // Time to write in spite of the lock, which is what must not happen. On a busy machine it has less.
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(read(dir.path(), "a.cpz"), MIXED);
    flock(&file, FlockOperation::Unlock).expect("no lock");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert_ne!(read(dir.path(), "a.cpz"), MIXED, "it waited for the lock");
}

/// While a command waits for the lock of a file, another program replaces that file. It keeps the access rights that it has
/// then, not those of the file that was locked.
#[test]
#[cfg(unix)]
fn a_file_that_is_replaced_during_the_wait_keeps_its_access_rights() {
    use rustix::fs::{FlockOperation, flock};
    use std::os::unix::fs::PermissionsExt;
    let dir = folder(&[("a.cpz", MIXED), ("out.json", "old"), ("next.json", "next")]);
    let [out, next] = ["out.json", "next.json"].map(|name| dir.path().join(name));
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    };
    mode(&out, 0o644);
    mode(&next, 0o600);
    let file = fs::File::open(&out).expect("the file");
    flock(&file, FlockOperation::LockExclusive).expect("a lock");
    let mut child = start(dir.path(), &["export", "--to", "json", "a.cpz", "-o", "out.json", "--force"]);
    // It waits for the lock from the moment that its text is written. If that takes longer, it finds the next file at once.
    wait_for_temporary_file(&mut child, dir.path());
    #[cfg(target_os = "linux")]
    wait_until_open(&mut child, &out);
    fs::rename(&next, &out).expect("a rename");
    flock(&file, FlockOperation::Unlock).expect("no lock");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert!(read(dir.path(), "out.json").contains("\"version\""));
    assert_eq!(out.metadata().expect("a mode").permissions().mode() & 0o777, 0o600);
}

/// Waits until a command has opened the file that it writes, with a name that is not yet the right one, or, on Linux, without one.
fn wait_for_temporary_file(child: &mut std::process::Child, folder: &Path) {
    let is_temporary = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with(['#', '.']);
    let open = Path::new("/proc").join(child.id().to_string()).join("fd");
    loop {
        let links = fs::read_dir(&open)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| fs::read_link(entry.path()).ok());
        let unnamed = links
            .filter(|link| link.starts_with(folder))
            .any(|link| link.file_name().is_some_and(is_temporary));
        let named =
            fs::read_dir(folder).expect("a folder").flatten().any(|entry| is_temporary(&entry.file_name()));
        if unnamed || named {
            return;
        }
        assert!(child.try_wait().expect("a child").is_none(), "it ended");
        std::thread::yield_now();
    }
}

/// Waits until a command has opened a file: then it waits for its lock.
#[cfg(target_os = "linux")]
fn wait_until_open(child: &mut std::process::Child, file: &Path) {
    let open = Path::new("/proc").join(child.id().to_string()).join("fd");
    let links = || fs::read_dir(&open).into_iter().flatten().flatten();
    while !links().any(|entry| fs::read_link(entry.path()).is_ok_and(|link| link == file)) {
        assert!(child.try_wait().expect("a child").is_none(), "it ended");
        std::thread::yield_now();
    }
}

/// A file that another program makes while the text of the same file is being read stays.
#[test]
fn an_output_that_appears_meanwhile_is_not_replaced() {
    use std::io::Write;
    let dir = folder(&[]);
    let mut child = command(dir.path(), &["import", "--from", "fen", "-", "-o", "new.cpz"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cpz starts");
    wait_for_temporary_file(&mut child, dir.path());
    fs::write(dir.path().join("new.cpz"), "mine").expect("a file");
    let mut input = child.stdin.take().expect("its input");
    input.write_all(b"8/8/8/4k3/8/8/8/4K2R w - - 0 1\n").expect("it reads");
    drop(input);
    let done = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.contains("new.cpz: not written: there is a file already; `--force` replaces it"), "{said}");
    assert_eq!(read(dir.path(), "new.cpz"), "mine");
    assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 1, "a temporary file is left");
}

/// A temporary file is made beside the file that it becomes, not in the folder of the command, where nothing may be created.
#[test]
#[cfg(target_os = "linux")]
fn files_are_written_from_a_folder_that_cannot_be_written() {
    let dir = folder(&[("a.cpz", "solitaire   { board ...N.....R....B. solve }\n")]);
    let [file, new] = ["a.cpz", "new.json"].map(|name| dir.path().join(name).display().to_string());
    let nowhere = Path::new("/proc");
    run(nowhere, &["export", "--to", "json", &file, "-o", &new]).exits(0);
    run(nowhere, &["export", "--to", "json", &file, "-o", &new, "--force"]).exits(0);
    run(nowhere, &["fmt", &file]).exits(0);
    assert!(read(dir.path(), "a.cpz").starts_with("solitaire {"));
}

/// An access control list: the owner and user 1001 may read and write, the group and all others may not.
#[cfg(target_os = "linux")]
fn acl(user: u32) -> Vec<u8> {
    let undefined_id = u32::MAX;
    let entries: [(u16, u16, u32); 5] = [
        (1, 6, undefined_id),
        (2, 6, user),
        (4, 0, undefined_id),
        (16, 6, undefined_id),
        (32, 0, undefined_id),
    ];
    let mut bytes = 2u32.to_le_bytes().to_vec();
    for (tag, may, id) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(may.to_le_bytes());
        bytes.extend(id.to_le_bytes());
    }
    bytes
}

#[test]
#[cfg(target_os = "linux")]
fn access_control_lists_and_attributes_are_kept() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    const ACL: &str = "system.posix_acl_access";
    let get = |path: &Path, name: &str| {
        let mut value = vec![0; 4000];
        getxattr(path, name, &mut value[..]).map(|n| value[..n].to_vec()).ok()
    };
    for writer in [&["fmt"][..], &["solve", "--write"], &["convert", "--to", "list"], &["check", "--fix"]] {
        for in_default_folder in [false, true] {
            let dir = folder(&[
                ("a.cpz", &format!("{MIXED}solitaire {{ board R.N.B slove }}\n")),
                ("b.cpz", MIXED),
            ]);
            let (a, b) = (dir.path().join("a.cpz"), dir.path().join("b.cpz"));
            fs::set_permissions(&a, fs::Permissions::from_mode(0o600)).expect("a mode");
            fs::set_permissions(&b, fs::Permissions::from_mode(0o640)).expect("a mode");
            if setxattr(&a, ACL, &acl(1001), XattrFlags::empty()).is_err() {
                // No access control lists on this file system.
                return;
            }
            setxattr(&a, "user.origin", b"a box", XattrFlags::empty()).expect("an attribute");
            // More than is read at once.
            setxattr(&a, "user.story", &[b'x'; 3000], XattrFlags::empty()).expect("an attribute");
            if in_default_folder {
                // Each new file would get this list.
                setxattr(dir.path(), "system.posix_acl_default", &acl(1002), XattrFlags::empty())
                    .expect("a list");
            }
            let mode = a.metadata().expect("a mode").mode();
            run(dir.path(), &[writer, &["a.cpz", "b.cpz"]].concat()).exits(0);
            assert_eq!(get(&a, ACL), Some(acl(1001)), "{writer:?}");
            assert_eq!(get(&a, "user.origin").as_deref(), Some(&b"a box"[..]), "{writer:?}");
            assert_eq!(get(&a, "user.story").as_deref(), Some(&[b'x'; 3000][..]), "{writer:?}");
            assert_eq!(a.metadata().expect("a mode").mode(), mode, "{writer:?}");
            assert_eq!(get(&b, ACL), None, "{writer:?}: a list that the folder gives to new files");
            assert_eq!(b.metadata().expect("a mode").mode() & 0o777, 0o640, "{writer:?}");
        }
    }
}

#[test]
#[cfg(unix)]
fn what_is_no_regular_file_is_not_written_and_does_not_hang() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let dir = folder(&[("a.cpz", MIXED)]);
    let pipe = dir.path().join("pipe.cpz");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::from_raw_mode(0o600), 0).expect("a pipe");
    for args in
        [&["check", "pipe.cpz"][..], &["fmt", "pipe.cpz"], &["check", "--baseline", "pipe.cpz", "a.cpz"]]
    {
        let said = run(dir.path(), args).exits(2).stderr;
        assert!(said.contains("named pipe"), "{said}");
    }
    std::os::unix::fs::symlink("nowhere.json", dir.path().join("known.json")).expect("a link");
    let said = run(dir.path(), &["check", "--baseline", "known.json", "--accept", "a.cpz"]).exits(2).stderr;
    assert!(said.contains("leads nowhere"), "{said}");
    assert!(dir.path().join("known.json").is_symlink());
    // Standard input by its name is not written either.
    let mut fmt = command(dir.path(), &["fmt", "/dev/stdin"]);
    let file = fs::File::open(dir.path().join("a.cpz")).expect("the file");
    assert_eq!(fmt.stdin(file).output().expect("it ends").status.code(), Some(2));
    assert_eq!(read(dir.path(), "a.cpz"), MIXED);
}
