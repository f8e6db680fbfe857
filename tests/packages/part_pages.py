"""Assembles the website with stand-ins for the core and for mdBook, which take minutes to compile."""

import json
import os
import re

from common import CPZ, ROOT, check, check_equal, check_exit_code, run

SCRIPT = ROOT / "packages" / "pages"

# Called as `mdbook build BOOK --dest-dir DIR`.
MDBOOK = """#!/usr/bin/env bash
set -euo pipefail
[[ $# == 4 && $1 == build && -f $2/book.toml && $3 == --dest-dir && $4 == /* ]]
cpz mdbook supports html
mkdir -p "$4"
touch "$4/index.html" "$4/language.html"
"""


def files(folder):
    """The paths of the files below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def part(place, options):
    """Checks what is in the folder, and when the script replaces a folder."""
    core = place / "core"
    core.mkdir()
    for name in ["cpz.wasm", "cpz-complete.wasm"]:
        (core / name).write_text(name)
    mdbook = place / "cache" / "mdbook-0.5" / "bin" / "mdbook"
    mdbook.parent.mkdir(parents=True)
    mdbook.write_text(MDBOOK)
    mdbook.chmod(0o755)
    env = {**os.environ, "CPZ": str(CPZ), "CPZ_CORE": str(core / "cpz.wasm"), "CPZ_CACHE": str(place / "cache")}
    site = place / "a folder" / "site"

    def build(folder):
        return run(SCRIPT, folder, env=env)

    check_exit_code("the website is built", build(site), 0)
    first = files(site)
    check("the page has the core that was given", (site / "cpz.wasm").read_text() == "cpz.wasm")
    # The site has the name of the repository in its path, so only relative addresses lead to its files.
    addresses = re.findall(r'(?:src|href)="([^"#]+)"', (site / "index.html").read_text())
    check("the page names files of the site", addresses and set(addresses) <= set(first), addresses)
    kept = json.loads(re.search(r'\["\./"[^\]]*\]', (site / "sw.js").read_text())[0])
    check_equal("the page keeps files of the site", [one for one in kept[1:] if one not in first], [])
    check("the page keeps its core", {"cpz.wasm", "cpz-complete.wasm"} <= set(kept), kept)

    # "Try it" in the manual looks for this file, and opens the page that this one leads to.
    check("the manual finds the page", "manual/web/manifest.webmanifest" in first)
    redirection = (site / "manual" / "web" / "index.html").read_text()
    to = re.search(r"location\.replace\('([^']+)' \+ location\.hash\)", redirection)[1]
    check_equal("the manual leads to the page", (site / "manual" / "web" / to).resolve(), site)
    check_equal("the site has the examples", files(site / "examples"), files(ROOT / "examples"))

    (site / "old.html").write_text("old")
    (core / "cpz.wasm").write_text("newer")
    check_exit_code("the website is built again", build(site), 0)
    check_equal("it has the same files", files(site), first)
    check_equal("the core is the newer one", (site / "cpz.wasm").read_text(), "newer")

    mdbook.write_text("#!/bin/sh\nexit 1\n")
    check("a failure is reported", build(site).returncode != 0)
    check_equal("after a failure the old site is left", files(site), first)
    check_equal("nothing else is left", os.listdir(site.parent), ["site"])

    other = place / "other"
    other.mkdir()
    (other / "notes.txt").write_text("notes")
    check_exit_code("another folder is refused", build(other), 2)
    check_equal("it is left as it was", files(other), ["notes.txt"])
