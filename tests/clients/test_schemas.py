"""Documents against the JSON schemas that `cpz schema` prints: what the program writes fits them, and nothing else does."""

import json
import subprocess

import jsonschema_rs
import pytest

from conftest import CPZ, EXAMPLES, HUNG, REPOSITORY

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib

SMALL = ["--budget", "1000"]
MISTAKES = """chess { board 8/8/8/4k3/8/8/8/4K2R move Rg7 }
solitaire { board R....N.......... solve }
"""


def cpz(folder, *arguments, text=None, codes=(0, 1)):
    """What a command prints."""
    result = subprocess.run([CPZ, *arguments], cwd=folder, input=text, capture_output=True, text=True, encoding="utf-8", timeout=HUNG)
    assert result.returncode in codes, result.stderr
    return result.stdout


def schema(name):
    text = cpz(REPOSITORY, "schema", name, codes=(0,))
    assert text == (REPOSITORY / "docs" / "schema" / f"{name}.schema.json").read_text(encoding="utf-8")
    return jsonschema_rs.validator_for(json.loads(text))


def assert_fits(name, *documents):
    validator = schema(name)
    for document in documents:
        errors = [f"{error.instance_path}: {error.message}" for error in validator.iter_errors(document)]
        assert not errors, errors


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def test_json_output_fits_its_schema(tmp_path):
    for number, path in enumerate(EXAMPLES):
        (tmp_path / f"{number}.cpz").write_bytes(path.read_bytes())
    (tmp_path / "undecided.cpz").write_text("solitaire { board QQQQ QQQQ QQQQ QQQQ count }")
    (tmp_path / "set-play.cpz").write_text("chess { board 8/8/8/8/8/k1K5/8/7R w mate in 2 set-play }")

    def printed(*arguments, budget=SMALL):
        return json.loads(cpz(tmp_path, *arguments, *budget))

    found = printed("check", "--hints", "--format", "json")
    assert sum(len(file["diagnostics"]) for file in found["files"]) > 30
    assert_fits("check", found, printed("check", "--format", "json", "--baseline", "known.json", "--accept"))
    assert_fits("baseline", json.loads((tmp_path / "known.json").read_text(encoding="utf-8")))
    for name in ["solve", "rate", "hint", "stats"]:
        assert_fits(name, printed(name, "--format", "json"))
    assert_fits("export", printed("export", "--to", "json"))
    exported = cpz(tmp_path, "export", "--to", "jsonl", *SMALL)
    answered = lines(cpz(tmp_path, "lines", *SMALL, text=exported))
    assert len(answered) == len(exported.splitlines())
    assert_fits("lines", *answered)
    assert_fits("repair", printed("repair", "--format", "json", "--max", "10", budget=["--budget", "10000"]))


def test_differences_fit_their_schema(tmp_path):
    for folder, shift in [("old", 0), ("new", 1)]:
        (tmp_path / folder).mkdir()
        for number, path in enumerate(EXAMPLES):
            (tmp_path / folder / f"{number + shift}.cpz").write_bytes(path.read_bytes())
    moved = json.loads(cpz(tmp_path, "diff", "--format", "json", "old", "new", *SMALL))
    assert moved["summary"]["changed"] > 50
    (tmp_path / "a.cpz").write_text(MISTAKES)
    (tmp_path / "b.cpz").write_text("nonsense\n" + MISTAKES.replace("4K2R move", "4R1K1 turn black move => legal mate"))
    small = json.loads(cpz(tmp_path, "diff", "--format", "json", "a.cpz", "b.cpz"))
    whole = json.loads(cpz(tmp_path, "diff", "--format", "json", "/dev/null", "a.cpz"))
    assert_fits("diff", moved, small, whole)
    assert_rejects_changes("diff", small)


def changes(value):
    """The document with each value replaced by another in turn, and without each member of an object. It is the same
    document that is changed and restored, since copies of a large one take longest."""
    other = {"no": "such"}

    def places(value, path):
        members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, member in members:
            yield path, key
            yield from places(member, [*path, key])

    for path, key in list(places(value, [])):
        parent = value
        for step in path:
            parent = parent[step]
        member = parent[key]
        parent[key] = other
        yield f"{path} {key} replaced", value
        if isinstance(parent, dict):
            del parent[key]
            yield f"{path} {key} removed", value
        parent[key] = member


def assert_rejects_changes(name, document):
    validator = schema(name)
    assert validator.is_valid(document)
    accepted = [what for what, bad in changes(document) if validator.is_valid(bad)]
    assert not accepted, name


@pytest.mark.parametrize(
    "command, option",
    [("check", "--format"), ("solve", "--format"), ("repair", "--format"), ("rate", "--format"), ("hint", "--format"), ("export", "--to")],
)
def test_schemas_reject_unknown_keys(tmp_path, command, option):
    (tmp_path / "a.cpz").write_text(MISTAKES)
    solved = ["--solve"] if command == "export" else []
    assert_rejects_changes(command, json.loads(cpz(tmp_path, command, option, "json", *solved)))


@pytest.mark.parametrize("line", [MISTAKES.splitlines()[1], "hello"])
def test_schema_of_lines_rejects_unknown_keys(tmp_path, line):
    assert_rejects_changes("lines", json.loads(cpz(tmp_path, "lines", text=line)))


# Each with whether it is a good configuration.
CONFIGS = [
    ("", True),
    ("rules = 'solo'", True),
    ("rules = 'sol'", False),
    ("rules = 1", False),
    ("empty = '_'", True),
    ("empty = 'x'", False),
    ("empty = '5'", False),
    ("empty = '  '", False),
    ("empty = ''", False),
    ("empty = '·'", True),
    ("empty = ']'", False),
    ("budget = 1", True),
    ("budget = 0", False),
    ("budget = 100000000", True),
    ("budget = 100000001", False),
    ("budget = '1'", False),
    ("exclude = ['drafts/', 'old-*.cpz']", True),
    ("exclude = 'drafts/'", False),
    ("exclude = [1]", False),
    ("[answers]\nsquares = 'names'\nverdicts = 'booleans'", True),
    ("[answers]\nsquares = 'letters'", False),
    ("[answers]\nother = 1", False),
    ("answers = 1", False),
    ("[severity]\nunsolvable = 'off'\nnot-unique = 'hint'", True),
    ("[severity]\nunsolvable = 'of'", False),
    ("[severity]\nsolvable = 'off'", False),
    ("baseline = 'x'", False),
]


def test_schema_of_configurations_agrees_with_the_program(tmp_path):
    validator = schema("config")
    codes = [line.split()[0] for line in cpz(REPOSITORY, "explain", "--list").splitlines() if line.strip()]
    every = "[severity]\n" + "".join(f"{code} = 'warning'\n" for code in codes)
    (tmp_path / "a.cpz").write_text("")
    for config, good in [*CONFIGS, (every, True)]:
        assert validator.is_valid(tomllib.loads(config)) == good, config
        (tmp_path / "cpz.toml").write_text(config, encoding="utf-8")
        cpz(tmp_path, "check", codes=(0,) if good else (1,))
