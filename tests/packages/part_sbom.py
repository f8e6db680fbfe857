"""Checks the lists of libraries: against the schema of CycloneDX, the program, the lock files and the licences that are allowed."""

import json
import re
import sys
import tomllib

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from license_expression import get_spdx_licensing

from common import CPZ, ROOT, VERSION, check, check_equal

sys.path.insert(0, str(ROOT / "packages"))
import sbom  # noqa: E402 (it is not a package)

SPDX = get_spdx_licensing()
# Allowed for the extension alone: that of minimatch. deny.toml has those of the crates.
JAVASCRIPT = {"BlueOak-1.0.0"}


def check_schema(what, text):
    """Checks that the text is a list of libraries."""
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    check(f"{what}: matches the schema of CycloneDX", error is None, error)


def check_package(what, text, parts, platform=None):
    """Checks that the list in a package is the one of its parts. A wheel for this machine may name no platform."""
    properties = json.loads(text)["metadata"]["component"].get("properties", [])
    target = properties[0]["value"] if properties and not platform else sbom.TARGETS.get(platform)
    check(f"{what} has the list of its libraries", text == sbom.sbom(parts, target), text[:2000])


def reached(document):
    """What the package depends on, by way of others too."""
    edges = {one["ref"]: one["dependsOn"] for one in document["dependencies"]}
    found, waiting = set(), [document["metadata"]["component"]["bom-ref"]]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += edges[one]
    return found


def is_allowed(licence, allowed):
    """Whether the expression can be satisfied with the licences that are allowed."""
    expression = SPDX.parse(licence, validate=True, strict=True)
    terms = {symbol: SPDX.TRUE if str(symbol) in allowed else SPDX.FALSE for symbol in expression.literals}
    return expression.subs(terms).simplify() == SPDX.TRUE


def licences(component):
    """The licence of a component, as an expression."""
    [one] = component["licenses"]
    return one["expression"] if "expression" in one else one["license"]["id"]


def check_list(what, parts, target, allowed, locked):
    """Checks a list, and returns its components by name and version."""
    text = sbom.sbom(parts, target)
    check_schema(what, text)
    document = json.loads(text)
    # What actions/attest asks for.
    check(f"{what}: has a number", {"bomFormat", "specVersion", "serialNumber"} <= set(document))
    components = {one["bom-ref"]: one for one in document["components"]}
    check_equal(f"{what}: each library is there once", len(components), len(document["components"]))
    check_equal(f"{what}: each library is needed by another", reached(document), {"cpz", *components})
    unhashed = [one["bom-ref"] for one in components.values() if "hashes" not in one and not (one["name"].startswith("cpz") and one["version"] == VERSION)]
    check_equal(f"{what}: each library from a registry has a hash", unhashed, [])
    strangers = [one["bom-ref"] for one in components.values() if one.get("purl", "").startswith("pkg:cargo/") and one["hashes"][0]["content"] not in locked]
    check_equal(f"{what}: the hashes of crates are those of Cargo.lock", strangers, [])
    refused = [(ref, licences(one)) for ref, one in components.items() if not is_allowed(licences(one), allowed)]
    check_equal(f"{what}: each licence is allowed", refused, [])
    check(f"{what}: no path of this machine", not re.search(r"file:|(?<!http:/)/(?:home|root|tmp|work|Users)/", text))
    return {(one["name"], one["version"]) for one in components.values()}


def part(place, options):
    """Checks the lists of all packages, and that they name what the program was linked from."""
    allowed = set(tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]["allow"])
    locked = set(re.findall(r'^checksum = "(.+)"$', (ROOT / "Cargo.lock").read_text(), re.MULTILINE))
    for platform, target in sbom.TARGETS.items():
        check_list(f"the program for {platform}", ["program"], target, allowed, locked)
    here = check_list("the wheel", ["program", "python"], None, allowed, locked)
    check("the wheel: the binding for Python is listed", "pyo3" in {name for name, _ in here})
    web = check_list("the extension for browsers", ["module", "extension"], None, allowed | JAVASCRIPT, locked)
    names = {name for name, _ in web}
    check("the extension for browsers: the client is listed, and what needs a disk is not", "vscode-languageclient" in names and not {"clap", "notify", "tokio"} & names, names)

    # The texts of panics have the path of the source: what is in the program is in its list. Rust's own libraries have other paths.
    found = set(re.findall(rb"registry/src/[^/]+/([\w-]+?)-(\d+\.\d+\.\d+[\w.+-]*)/", CPZ.read_bytes()))
    inside = {(name.decode(), version.decode()) for name, version in found}
    check("the program shows its libraries", len(inside & here) > 40, sorted(inside))
    check_equal("each library that the program shows is listed", sorted(inside - here), [])

    # What the checks above would find.
    text = sbom.sbom(["module"])
    check_equal("the same sources make the same list", sbom.sbom(["module"]), text)
    broken = text.replace('"type": "library"', '"type": "something"', 1)
    check("a list that does not match the schema is found", JsonStrictValidator(SchemaVersion.V1_6).validate_str(broken))
    for licence, expected in [("MIT", True), ("GPL-3.0-only OR MIT", True), ("GPL-3.0-only", False), ("MIT AND GPL-3.0-only", False)]:
        check_equal(f"a library under {licence} is {'allowed' if expected else 'refused'}", is_allowed(licence, allowed), expected)
