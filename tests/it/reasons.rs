//! The reasons that `solve` prints for a mate: every escape, block and capture.

fn reasons(puzzle: &str) -> Vec<String> {
    let folder = crate::harness::folder(&[("a.cpz", puzzle)]);
    let run = crate::harness::run(folder.path(), &["solve", "a.cpz"]).exits(0);
    run.stdout.lines().filter_map(|l| l.strip_prefix("      ")).map(String::from).collect()
}

#[test]
fn mate_of_source_003_is_explained_escape_by_escape() {
    let said = reasons("chess3d { board [###,n##,#rr],[#b#,###,###],[###,###,bRK] mate }");
    // The explanation that the source prints, line by line.
    for wanted in [
        "the king on c1 (I) is in check from the rook on c1 (III)",
        "c2 (I): guarded by the bishop on b3 (II)",
        "b2 (I): guarded by the knight on a2 (III)",
        "c1 (II): guarded by the rook on c1 (III)",
        "b1 (II): guarded by the rook on b1 (III)",
        "c2 (II): guarded by the knight on a2 (III)",
        "b2 (II): guarded by the bishop on a1 (I)",
        "b1 (I): occupied by its own rook",
        "nothing can capture the rook on c1 (III)",
        "nothing can block on c1 (II)",
    ] {
        assert!(said.iter().any(|l| l == wanted), "{wanted}\n{said:#?}");
    }
    assert_eq!(said.len(), 10, "{said:#?}");
}

#[test]
fn mate_explains_pinned_and_blocked_defenders() {
    // The knight could take the queen, but for the rook; the bishop could block, but for the pawn.
    let said = reasons(
        "chess { board [[\"W\",\"K\",8,1],[\"W\",\"N\",8,2],[\"B\",\"R\",8,8],[\"B\",\"Q\",6,1],[\"W\",\"P\",7,2],[\"B\",\"K\",1,8]] mate }",
    );
    assert!(said.contains(&"the king on h1 is in check from the queen on f1".to_string()), "{said:#?}");
    assert!(
        said.iter().any(|l| l
            .starts_with("the knight on h2 cannot capture the queen on f1: it is pinned by the rook on h8")),
        "{said:#?}"
    );
}

#[test]
fn two_checks_at_once_cannot_both_be_stopped() {
    let said = reasons(
        "chess3d { board [####,####,r###,####],[####,#q##,####,####],[##r#,###b,####,BRnn],[####,####,#N##,#KQ#] mate }",
    );
    assert!(said.iter().any(|l| l.starts_with("no move captures or blocks both")), "{said:#?}");
}

#[test]
fn check_without_mate_lists_its_answers() {
    let said = reasons("chess3d { board [b#b,###,###],[###,###,RNR],[#q#,###,#K#] mate }");
    let answer = "the knight on b1 (II) can capture the queen on b3 (I)".to_string();
    assert!(said.contains(&answer), "{said:#?}");
    assert_eq!(said.len(), 2, "{said:#?}");
}
