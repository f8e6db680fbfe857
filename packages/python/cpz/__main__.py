"""Runs the program that was installed together with this module."""

import os
import subprocess
import sys
import sysconfig


def program():
    """The path of the program: in the scripts folder of the environment, of the user, or of `pip install --target`."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", scheme="nt_user" if os.name == "nt" else "posix_user"),
        os.path.join(here, "bin"),
    ]
    name = "cpz.exe" if os.name == "nt" else "cpz"
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    sys.exit("cpz: the program is in none of " + ", ".join(folders))


def main():
    """Replaces this process with the program."""
    command = [program(), *sys.argv[1:]]
    if os.name == "nt":
        # On Windows `exec` starts another process and ends this one, so the shell would not wait.
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
