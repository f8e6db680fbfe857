//! `cpz solve` on a terminal: what it shows of a long search, and Ctrl+C.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Action, Winsize, tcflow, tcsetwinsize};

use super::*;
use crate::harness::{HUNG, command};

/// One key mates at once. No machine finds out about the other first moves within twelve.
const ENDLESS: &str =
    "chess { board r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1 mate in 12 }\n";

/// More nodes than any search visits.
const BUDGET: &str = "1000000000000000";

/// Both ends of a terminal of 100 columns: what a person sees, and what the program writes to.
fn terminal() -> (File, OwnedFd) {
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&person).expect("granted");
    unlockpt(&person).expect("unlocked");
    let size = Winsize { ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&person, size).expect("a size");
    let name = ptsname(&person, Vec::new()).expect("a name");
    let program = File::options().read(true).write(true).open(name.to_str().expect("a path"));
    (person.into(), program.expect("the other end").into())
}

/// Starts the program with its standard error on a terminal.
fn start(dir: &Path, args: &[&str]) -> (Child, File) {
    let (person, program) = terminal();
    let mut command = command(dir, args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(program);
    (command.spawn().expect("the binary starts"), person)
}

/// Reads a terminal until it shows a text, and returns all that it has shown.
fn wait_for(terminal: &mut File, text: &str) -> String {
    let mut shown = String::new();
    let mut buffer = [0; 4096];
    while !shown.contains(text) {
        match terminal.read(&mut buffer) {
            Ok(n) if n > 0 => shown.push_str(&String::from_utf8_lossy(&buffer[..n])),
            ended => panic!("no `{text}`, {ended:?}: {shown}"),
        }
    }
    shown
}

/// Presses Ctrl+C when the program shows that it has found the key.
fn interrupted(dir: &Path, options: &[&str]) -> (Option<i32>, String, String) {
    let args = [&["solve", "--budget", BUDGET], options].concat();
    let (child, mut terminal) = start(dir, &args);
    let mut shown = wait_for(&mut terminal, ", 1 found; ");
    let pid = Pid::from_child(&child);
    kill_process(pid, Signal::INT).expect("the program runs");
    shown += &wait_for(&mut terminal, "Ctrl+C again");
    let ended = child.wait_with_output().expect("the program ends");
    (ended.status.code(), String::from_utf8(ended.stdout).expect("text"), shown)
}

#[test]
fn ctrl_c_prints_what_is_proved() {
    let dir = folder(&[("a.cpz", ENDLESS)]);
    let (code, printed, shown) = interrupted(dir.path(), &["a.cpz"]);
    assert_eq!(code, Some(130));
    assert!(printed.contains("mate in 12 ⇒ at least 1 key\n      1.Qxf7#!"), "{printed}");
    assert!(printed.contains("the play was not searched to the end: the search was stopped"), "{printed}");
    for wanted in ["solving", "length ", ": first move ", " of 1,000,000,000,000,000 nodes"] {
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
}

#[test]
fn ctrl_c_leaves_files_without_an_answer_as_they_are() {
    let dir = folder(&[("a.cpz", ENDLESS)]);
    let (code, printed, _) = interrupted(dir.path(), &["--write", "a.cpz"]);
    assert_eq!((code, &printed[..]), (Some(130), ""));
    assert_eq!(read(dir.path(), "a.cpz"), ENDLESS);
    assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 1, "a temporary file is left");
}

#[test]
fn a_second_ctrl_c_ends_at_once_even_if_the_terminal_is_halted() {
    let dir = folder(&[("a.cpz", ENDLESS)]);
    let (mut person, program) = terminal();
    let halt = program.try_clone().expect("a copy");
    let mut command = command(dir.path(), &["solve", "--budget", BUDGET, "a.cpz"]);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(program).spawn().expect("it starts");
    wait_for(&mut person, ", 1 found; ");
    // As Ctrl+S does: from now on the program waits whenever it shows something.
    tcflow(&halt, Action::OOff).expect("halted");
    let pid = Pid::from_child(&child);
    let end = Instant::now() + HUNG;
    let ended = loop {
        // The pause only sets the pace of the key.
        let _ = kill_process(pid, Signal::INT);
        std::thread::sleep(Duration::from_millis(20));
        match child.try_wait().expect("a state") {
            Some(ended) => break ended,
            None => assert!(Instant::now() < end, "hung"),
        }
    };
    assert_eq!(ended.code(), Some(130));
}
