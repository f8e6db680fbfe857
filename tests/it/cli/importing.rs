//! `cpz import`: compressed files.

use super::*;

const FIRST: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 First\n";
const SECOND: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 Second\n";

#[test]
fn all_frames_of_a_compressed_file_are_imported() {
    // A frame with remarks, as programs write it that pack with several cores.
    let remark = [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4];
    let both = [zstandard_frame(FIRST), zstandard_frame(SECOND)].concat();
    let with_remarks =
        [&remark[..], &zstandard_frame(FIRST), &remark, &zstandard_frame(SECOND), &remark].concat();
    for bytes in [&both, &with_remarks] {
        let dir = folder(&[]);
        fs::write(dir.path().join("a.fen.zst"), bytes).expect("written");
        let found = run(dir.path(), &["import", "a.fen.zst"]).exits(0).stdout;
        assert_eq!(found.matches("chess \"").count(), 2, "{found}");
    }
}

#[test]
fn what_of_a_compressed_file_cannot_be_unpacked_is_told_in_words() {
    let whole = zstandard_frame(FIRST);
    for (bytes, wanted) in [
        ([&whole[..], b"garbage"].concat(), "something that is not compressed stands behind"),
        ([&whole[..], &whole[..20]].concat(), "is cut off: its end is missing"),
        (whole[..20].to_vec(), "is cut off: its end is missing"),
        (whole[..6].to_vec(), "is cut off: its end is missing"),
        ([&whole[..6], &[0xFF; 20]].concat(), "is damaged"),
    ] {
        let dir = folder(&[]);
        fs::write(dir.path().join("a.fen.zst"), &bytes).expect("written");
        let said = run(dir.path(), &["import", "a.fen.zst"]);
        assert!(said.code != Some(0) && said.stderr.contains(wanted), "{bytes:?}: {}", said.stderr);
    }
}
