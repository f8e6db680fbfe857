"""Tests the manual pages and completions that packages/share writes."""

import os
import pty
import re
import select
import shutil
import time

from common import CPZ, HUNG, ROOT, check, isolated_env, must_run, find_program, run, check_equal

SHARE = ROOT / "packages" / "share"


def commands():
    """The commands in the help of the program."""
    output = must_run(CPZ, "--help").split("Commands:\n")[1].split("\n\n")[0]
    return [name for name in re.findall(r"^  ([a-z-]+)", output, re.MULTILINE) if name != "help"]


def pages(place, folder, env):
    """Tests the page of the program and the page of each command."""
    names = ["cpz", *[f"cpz-{name}" for name in commands()]]
    check_equal(
        "each command has a page", sorted(path.name for path in folder.iterdir()), sorted(f"{name}.1" for name in names)
    )
    for name in names:
        text = (folder / f"{name}.1").read_text()
        check(
            f"{name}.1 has its name in the title", re.search(rf"^\.TH \"?{name}\"? \"?1\b", text, re.MULTILINE | re.IGNORECASE), text
        )
        check(f"{name}.1 has a description", re.search("^\\.SH \"?NAME\"?\n" + name.replace("-", r"\\?-") + r" \\- \S", text, re.MULTILINE), text)
    if shutil.which("man"):
        for name in names:
            result = run("man", "-M", folder.parent, "-P", "cat", name, env={**os.environ, "LC_ALL": "C.UTF-8"})
            check(f"man {name}", result.returncode == 0 and name in result.stdout and not result.stderr, result)
    else:
        print("  skipped: man is not installed")


def bash(file, env):
    """Calls the completion as bash does."""

    def completed(*words):
        script = (
            'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
            '_cpz "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"; printf "%s\\n" "${COMPREPLY[@]}"'
        )
        return must_run("bash", "--norc", "-c", script, "bash", file, *words, env=env).split()

    definition = must_run("bash", "--norc", "-c", 'source "$1"; complete -p cpz', "bash", file, env=env)
    check("bash: cpz has a completion", "-F _cpz" in definition and definition.rstrip().endswith(" cpz"), definition)
    check_equal("bash: cpz ch", completed("cpz", "ch"), ["check"])
    check_equal("bash: cpz check --format s", completed("cpz", "check", "--format", "s"), ["sarif"])
    check_equal("bash: cpz explain unso", completed("cpz", "explain", "unso"), ["unsolvable"])
    check("bash: every command", set(commands()) <= set(completed("cpz", "")), completed("cpz", ""))


def zsh(place, folder, env):
    """Types into zsh on a terminal; a stand-in for cpz writes down the completed arguments."""
    arguments = place / "arguments"
    program = place / "programs" / "cpz"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >{arguments}.new\nmv {arguments}.new {arguments}\n')
    program.chmod(0o755)
    env = {**env, "PATH": f"{program.parent}:{env['PATH']}", "TERM": "dumb", "PS1": "> "}
    child, terminal = pty.fork()
    if child == 0:
        os.execve(find_program("zsh"), ["zsh", "-f", "-i"], env)
    output = b""

    def wait(done, error):
        nonlocal output
        end = time.monotonic() + HUNG
        while not done():
            if time.monotonic() > end:
                raise RuntimeError(f"zsh hung: {error}: {output.decode(errors='replace')}")
            # Output is an event; that the command has written its file is none.
            if select.select([terminal], [], [], 0.05)[0]:
                output += os.read(terminal, 65536)

    try:
        # The quotes tell the output of the command from the echo of what was typed.
        os.write(terminal, f"fpath=({folder} $fpath); autoload -U compinit; compinit -u -D; echo re''ady\n".encode())
        wait(lambda: b"\nready" in output, "no prompt")
        os.write(terminal, b"cpz ch\t--format sa\tend\n")
        wait(arguments.exists, "the command did not run")
    finally:
        os.close(terminal)
        os.waitpid(child, 0)
    check_equal("zsh: cpz ch<Tab>--format sa<Tab>", arguments.read_text().split(), ["check", "--format", "sarif", "end"])


def fish(prefix, env):
    """Calls fish, which finds the completions of vendors below XDG_DATA_DIRS."""

    def completed(line):
        output = must_run("fish", "-c", f"complete -C '{line}'", env={**env, "XDG_DATA_DIRS": str(prefix / "share")})
        return [completion.split("\t")[0] for completion in output.splitlines()]

    check_equal("fish: cpz ch", completed("cpz ch"), ["check"])
    check_equal("fish: cpz check --format s", completed("cpz check --format s"), ["sarif"])
    check("fish: every command", set(commands()) <= set(completed("cpz ")), completed("cpz "))


def part(place, options):
    """Writes everything below a prefix and tests it with man and the shells."""
    shells = [shell for shell in ["zsh", "fish"] if shutil.which(shell)]
    env = isolated_env(place, "bash", "grep", "sed", *shells)
    (place / "tools" / "cpz").symlink_to(CPZ)
    prefix = place / "prefix"
    must_run(SHARE, prefix, env={**env, "CPZ": str(CPZ)})
    folders = {
        "man": prefix / "share" / "man" / "man1",
        "bash": prefix / "share" / "bash-completion" / "completions" / "cpz",
        "zsh": prefix / "share" / "zsh" / "site-functions" / "_cpz",
        "fish": prefix / "share" / "fish" / "vendor_completions.d" / "cpz.fish",
    }
    pages(place, folders["man"], env)
    bash(folders["bash"], env)
    for shell in ["zsh", "fish"]:
        if shell not in shells:
            print(f"  skipped: {shell} is not installed")
    if "zsh" in shells:
        zsh(place, folders["zsh"].parent, env)
    if "fish" in shells:
        fish(prefix, env)
