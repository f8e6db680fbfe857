//! Compiles the generated parser and its scanner.

use std::path::Path;

fn main() {
    let src = Path::new("src");
    let files = [src.join("parser.c"), src.join("scanner.c")];
    let mut build = cc::Build::new();
    // The generated parser has unused functions and parameters.
    build.std("c11").include(src).flag_if_supported("-Wno-unused").flag_if_supported("-Wno-unused-parameter");
    build.flag_if_supported("-utf-8");
    for file in &files {
        build.file(file);
        println!("cargo:rerun-if-changed={}", file.display());
    }
    build.compile("tree-sitter-cpz");
}
