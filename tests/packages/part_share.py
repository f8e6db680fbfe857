"""Manual pages and completions, as packages/share lays them out."""

import os
import pty
import re
import select
import shutil
import time

from common import CPZ, ROOT, check, empty, must, needed, run, same

SHARE = ROOT / "packages" / "share"


def commands():
    """The commands that the program names."""
    told = must(CPZ, "--help").split("Commands:\n")[1].split("\n\n")[0]
    return [name for name in re.findall(r"^  ([a-z-]+)", told, re.MULTILINE) if name != "help"]


def pages(place, folder, env):
    """The manual has a page for the program and for each command."""
    names = ["cpz", *[f"cpz-{name}" for name in commands()]]
    same(
        "a page for each command", sorted(path.name for path in folder.iterdir()), sorted(f"{name}.1" for name in names)
    )
    for name in names:
        text = (folder / f"{name}.1").read_text()
        check(
            f"{name}.1 names itself", re.search(rf"^\.TH \"?{name}\"? \"?1\b", text, re.MULTILINE | re.IGNORECASE), text
        )
        check(f"{name}.1 says what it does", re.search("^\\.SH \"?NAME\"?\n" + name.replace("-", r"\\?-") + r" \\- \S", text, re.MULTILINE), text)
    if shutil.which("man"):
        for name in names:
            result = run("man", "-M", folder.parent, "-P", "cat", name, env={**os.environ, "LC_ALL": "C.UTF-8"})
            check(f"man {name}", result.returncode == 0 and name in result.stdout and not result.stderr, result)
    else:
        print("  man is not here")


def bash(file, env):
    """Bash, as it calls a completion."""

    def completed(*words):
        script = (
            'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
            '_cpz "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"; printf "%s\\n" "${COMPREPLY[@]}"'
        )
        return must("bash", "--norc", "-c", script, "bash", file, *words, env=env).split()

    told = must("bash", "--norc", "-c", 'source "$1"; complete -p cpz', "bash", file, env=env)
    check("bash: there is a completion for cpz", "-F _cpz" in told and told.rstrip().endswith(" cpz"), told)
    same("bash: cpz ch", completed("cpz", "ch"), ["check"])
    same("bash: cpz check --format s", completed("cpz", "check", "--format", "s"), ["sarif"])
    same("bash: cpz explain unso", completed("cpz", "explain", "unso"), ["unsolvable"])
    check("bash: every command", set(commands()) <= set(completed("cpz", "")), completed("cpz", ""))


def zsh(place, folder, env):
    """Zsh, typed into on a terminal: what was completed is what the command gets."""
    got = place / "got"
    program = place / "programs" / "cpz"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >{got}.new\nmv {got}.new {got}\n')
    program.chmod(0o755)
    env = {**env, "PATH": f"{program.parent}:{env['PATH']}", "TERM": "dumb", "PS1": "> "}
    child, terminal = pty.fork()
    if child == 0:
        os.execve(needed("zsh"), ["zsh", "-f", "-i"], env)
    told = b""

    def wait(done, what):
        nonlocal told
        end = time.monotonic() + 20
        while not done():
            if time.monotonic() > end:
                raise RuntimeError(f"zsh: {what}: {told.decode(errors='replace')}")
            if select.select([terminal], [], [], 0.05)[0]:
                told += os.read(terminal, 65536)

    try:
        # The quotes are in what is typed and not in what is printed.
        os.write(terminal, f"fpath=({folder} $fpath); autoload -U compinit; compinit -u -D; echo re''ady\n".encode())
        wait(lambda: b"\nready" in told, "no prompt")
        os.write(terminal, b"cpz ch\t--format sa\tend\n")
        wait(got.exists, "the command did not run")
    finally:
        os.close(terminal)
        os.waitpid(child, 0)
    same("zsh: cpz ch<Tab>--format sa<Tab>", got.read_text().split(), ["check", "--format", "sarif", "end"])


def fish(prefix, env):
    """Fish, which finds what vendors lay below XDG_DATA_DIRS."""

    def completed(line):
        told = must("fish", "-c", f"complete -C '{line}'", env={**env, "XDG_DATA_DIRS": str(prefix / "share")})
        return [completion.split("\t")[0] for completion in told.splitlines()]

    same("fish: cpz ch", completed("cpz ch"), ["check"])
    same("fish: cpz check --format s", completed("cpz check --format s"), ["sarif"])
    # Those that begin with something else than a dash or a file.
    check("fish: every command", set(commands()) <= set(completed("cpz ")), completed("cpz "))


def part(place, options):
    """Lays everything out below a prefix, and lets the shells complete with it."""
    shells = [shell for shell in ["zsh", "fish"] if shutil.which(shell)]
    env = empty(place, "bash", "grep", "sed", *shells)
    (place / "tools" / "cpz").symlink_to(CPZ)
    prefix = place / "prefix"
    must(SHARE, prefix, env={**env, "CPZ": str(CPZ)})
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
            print(f"  {shell} is not here")
    if "zsh" in shells:
        zsh(place, folders["zsh"].parent, env)
    if "fish" in shells:
        fish(prefix, env)
