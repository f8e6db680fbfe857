#!/usr/bin/env python3
"""Lists the libraries in a package, as CycloneDX (an SBOM):

    packages/sbom.py [--platform linux-x64] [--out FILE] PART…

A PART is what a package has: program, module (WebAssembly), python (the module for Python) or extension (its JavaScript). Without
--platform it is the platform that this runs on. Cargo and npm say what is linked and bundled; what only runs during a build, and
the standard library of Rust, are not listed. What comes from a registry has its address (purl) and the hash of its lock file. The
list has no time and no path, so that the same sources make the same list, byte by byte.
"""

import argparse
import json
import re
import subprocess
import sys
import uuid
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
# What the packages call their list.
NAME = "sbom.cdx.json"
TARGETS = {
    "linux-x64": "x86_64-unknown-linux-gnu",
    "linux-arm64": "aarch64-unknown-linux-gnu",
    "darwin-x64": "x86_64-apple-darwin",
    "darwin-arm64": "aarch64-apple-darwin",
    "win32-x64": "x86_64-pc-windows-gnu",
}
# The crates behind each part, and the options that they are compiled with.
CRATES = {
    "program": ["--package", "cpz-lang"],
    "python": ["--package", "cpz-python"],
    "module": ["--package", "cpz-wasm", "--features", "complete", "--target", "wasm32-unknown-unknown"],
}
PARTS = [*CRATES, "extension"]


def output(*command, cwd=ROOT):
    """What a command prints. On Windows npm is a script, which only a shell runs."""
    return subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.PIPE, encoding="utf-8", shell=sys.platform == "win32").stdout


def lock_checksums():
    """The SHA-256 of each crate from a registry, by its name and version."""
    lock = (ROOT / "Cargo.lock").read_text(encoding="utf-8")
    block = re.compile(r'^name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"$', re.MULTILINE)
    return {(name, version): checksum for name, version, checksum in block.findall(lock)}


def crate(name, version, licence, checksum):
    """The component of a crate; those of this project have no checksum."""
    found = {"type": "library", "bom-ref": f"{name}@{version}", "name": name, "version": version}
    if checksum:
        address = f"pkg:cargo/{name}@{quote(version)}"
        found |= {"bom-ref": address, "purl": address, "hashes": [{"alg": "SHA-256", "content": checksum}]}
    if licence:
        # Old crates write a slash for "or".
        found["licenses"] = [{"expression": re.sub(r" ?/ ?", " OR ", licence)}]
    return found


def linked(part, target):
    """The crates that are linked into a part, the crate of the part first, and what each of them depends on."""
    checksums = lock_checksums()
    # Macros become part of the compiler, not of the program.
    options = ["--locked", "--edges", "normal,no-proc-macro", "--prefix", "depth", "--format", "{p}\t{l}"]
    command = ["cargo", "tree", *options, *CRATES[part]]
    if target and "--target" not in command:
        command += ["--target", target]
    components, edges, above = {}, {}, []
    for line in output(*command).splitlines():
        depth, name, version, licence = re.match(r"(\d+)(\S+) v(\S+).*\t(.*?)(?: \(\*\))?$", line).groups()
        one = crate(name, version, licence, checksums.get((name, version)))
        components[one["bom-ref"]] = one
        del above[int(depth) :]
        if above:
            edges.setdefault(above[-1], set()).add(one["bom-ref"])
        above.append(one["bom-ref"])
    return components, edges


def bundled():
    """The npm packages that are bundled into the extension, the extension first, and what each of them depends on."""
    # esbuild.mjs bundles nothing else: what the build alone needs is marked as `dev`.
    command = ["npm", "sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"]
    found = json.loads(output(*command, cwd=ROOT / "editors" / "vscode"))
    kept = ["type", "bom-ref", "name", "version", "purl", "hashes", "licenses"]
    components = [{key: one[key] for key in kept if one.get(key)} for one in [found["metadata"]["component"], *found["components"]]]
    components[0] |= {"name": "cpz"}
    del components[0]["purl"]
    edges = {one["ref"]: set(one.get("dependsOn", [])) for one in found["dependencies"]}
    return {one["bom-ref"]: one for one in components}, edges


def sbom(parts, target=None):
    """The document for what a package has, as text. `target` is a target of Rust, None for the one that this runs on."""
    components, edges, roots = {}, {}, set()
    for part in parts:
        more, inside = bundled() if part == "extension" else linked(part, target)
        roots.add(next(iter(more)))
        components |= more
        for one, others in inside.items():
            edges.setdefault(one, set()).update(others)
    workspace = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    version, licence = [re.search(rf'^{key} = "(.+)"$', workspace, re.MULTILINE)[1] for key in ["version", "license"]]
    root = {"type": "application", "bom-ref": "cpz", "name": "cpz", "version": version, "licenses": [{"expression": licence}]}
    if target:
        root["properties"] = [{"name": "cpz:target", "value": target}]
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"lifecycles": [{"phase": "build"}], "component": root},
        "components": [components[one] for one in sorted(components)],
        "dependencies": [
            {"ref": one, "dependsOn": sorted(others)} for one, others in [("cpz", roots), *((one, edges.get(one, ())) for one in sorted(components))]
        ],
    }
    # Signing asks for a number, which is that of the contents.
    number = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(document))
    return json.dumps({**document, "serialNumber": f"urn:uuid:{number}"}, ensure_ascii=False, indent=1) + "\n"


def main():
    """Reads the arguments and writes the list."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--platform", choices=TARGETS)
    parser.add_argument("--out", type=Path)
    parser.add_argument("part", nargs="+", choices=PARTS)
    options = parser.parse_intermixed_args()
    text = sbom(options.part, TARGETS.get(options.platform))
    if options.out:
        options.out.write_text(text, encoding="utf-8", newline="\n")
    else:
        sys.stdout.buffer.write(text.encode())


if __name__ == "__main__":
    main()
