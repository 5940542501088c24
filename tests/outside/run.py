#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries clones of public repositories as their authors run them, and writes down facts: what was tried, how it ended, why.

    tests/outside/run.py CLONES [--prefix INSTALLATION] [--only NAME ...] [--write after|before] [--logs FOLDER] [--limit SECONDS]
                         [--python "torch 2.1=/path/to/python" ...]
    tests/outside/run.py --summary | --page

CLONES has one folder for each repository, OWNER+NAME. A clone is copied, and its author's commands (tries.toml) run on the copy under
`sfumato env`, with a home of their own and the Python that runs this file first in PATH: of a try that names another (`python = "torch 2.1"`)
the one that --python gives for that name, and without one the try is not made. Nothing of a repository is kept but its name, its commit
and places in it. --write puts the ends into facts.tsv, of which --summary prints the counts and --page writes docs/outside.md. Logs go to --logs, outside the project.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "outside.md"
sys.path.insert(0, str(HERE))

import facts  # noqa: E402


@dataclasses.dataclass
class Step:
    """One command: where it runs, and the pattern its output must have."""

    folder: str
    command: str
    shows: str

    def __str__(self):
        return f"{self.folder}: {self.command}" if self.folder else self.command


def parse_steps(texts):
    """Steps of "FOLDER: COMMAND => PATTERN"; `build` and `reference` stand for what every operator project needs."""
    steps = []
    for text in texts:
        command, _, shows = text.partition(" => ")
        place = re.match(r"(\S+): (.*)", command, re.S)
        folder, command = place.groups() if place else ("", command)
        if command == "build":
            steps += [Step(folder, "bash build.sh", ""), Step(folder, "./build_out/*.run", "")]
        elif command.startswith("reference"):
            steps.append(Step(folder, command, "agrees"))
        else:
            steps.append(Step(folder, command, shows))
    return steps


def commit_of(clone):
    done = subprocess.run(["git", "-C", str(clone), "rev-parse", "HEAD"], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 and (clone / ".git").exists() else "unknown"


def make_python(home, python):
    """A virtual environment that sees the packages of a Python, so that what an author's script installs stays in its home."""
    folder = home / "python"
    subprocess.run([python, "-m", "venv", "--without-pip", str(folder)], check=True)
    packages = next(folder.glob("lib/python3*/site-packages"))
    code = "import sys; print(*(p for p in sys.path if p.endswith('-packages')), sep='\\n')"
    (packages / "outer.pth").write_text(
        subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout
    )
    # A build that looks for PyTorch's CMake files below the folder of packages finds them, as in a Python that has PyTorch itself.
    for torch in (pathlib.Path(line, "torch") for line in (packages / "outer.pth").read_text().split()):
        if torch.is_dir():
            (packages / "torch").symlink_to(torch)
            break
    for name in ("pip", "pip3"):
        script = folder / "bin" / name
        script.write_text(f'#!/bin/sh\nexec {folder}/bin/python -m pip "$@"\n')
        script.chmod(0o755)
    return folder / "bin"


def environment(prefix, home, python):
    """What the command of an author's shell has: a home of its own, our Python and installation, nothing of ours beside these."""
    keep = {k: v for k, v in os.environ.items() if k in ("LANG", "TERM", "TMPDIR", "SFUMATO_CACHE", "SFUMATO_CXX")}
    packages = [str(p) for p in sorted(prefix.glob("lib/python3*/site-packages"))]
    path = [
        str(make_python(home, python)),
        str(prefix / "bin"),
        "/usr/local/bin",
        "/usr/bin",
        "/bin",
        "/usr/sbin",
        "/sbin",
    ]
    return {**keep, "HOME": str(home), "XDG_DATA_HOME": str(home / ".local/share"), "USER": os.environ.get("USER", "root"),
            "PATH": ":".join(path), "PYTHONPATH": ":".join(packages), "PYTHONDONTWRITEBYTECODE": "1"}  # fmt: skip


def run_step(step, tried, copy, variables, seconds, log):
    """Whether the command ended well, and what it said."""
    command = step.command
    if command.startswith("reference"):
        command = f"{sys.executable} {HERE / 'references.py'} . --chip {tried['chip']} {command[len('reference') :]}"
    # The chip that the author has; what Ascend310 runs, TIK and TBE alone, `env` gives no chip for.
    chip = [] if tried["chip"] == "Ascend310" else ["--chip", tried["chip"]]
    words = ["sfumato", "env", *chip, *(["--torch"] if tried.get("torch") else []), "--", "bash", "-c", command]
    folder = copy / step.folder
    print(f"$ {step}", file=log, flush=True)
    if not folder.is_dir():
        print("no such folder", file=log)
        return False, f"no such folder: {step.folder}"
    start = log.tell()
    process = subprocess.Popen(
        words, cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
    )
    try:
        code = process.wait(timeout=max(1, seconds))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        code = None
    log.flush()
    said = pathlib.Path(log.name).read_bytes()[start:].decode(errors="replace")
    if code is None:
        said += "\nno end within the time limit"
    elif code < 0:
        said += f"\nended by signal {-code}"
    print(f"-> {code}", file=log, flush=True)
    well = code == 0 and not re.search(r"\bfault \[[\w-]+\]", said) and (not step.shows or re.search(step.shows, said))
    return bool(well), said


def run_try(tried, clone, python, options):
    """Runs the steps of one try on a fresh copy; behind one that failed only references, which need sources alone, or none."""
    steps = parse_steps(tried["steps"])
    passed, said, seconds = 0, "", time.monotonic() + tried.get("limit", options.limit)
    name = re.sub(r"[^\w.+-]", "_", tried["repository"].replace("/", "+") + "_" + tried.get("name", ""))
    with tempfile.TemporaryDirectory(prefix="outside_") as folder, open(options.logs / f"{name}.log", "w+") as log:
        copy, home = pathlib.Path(folder) / tried["repository"].split("/")[1], pathlib.Path(folder) / "home"
        shutil.copytree(clone, copy, symlinks=True)
        home.mkdir()
        (home / ".bashrc").touch()
        variables = environment(options.prefix, home, python)
        for step in steps:
            if said and (options.stop or not step.command.startswith("reference")):
                continue
            well, output = run_step(step, tried, copy, variables, seconds - time.monotonic(), log)
            passed += well
            said = said or ("" if well else output or "nothing was printed")
    return facts.judge(tried, steps, passed, said)


def end_of(tried, clone, pythons, options):
    """How a try ends, also where what it needs is not here."""
    python = pythons.get(tried["python"]) if "python" in tried else sys.executable
    missing = (
        "no clone of it" if not clone.is_dir() else "" if python else f"no Python with {tried['python']} (--python)"
    )
    if missing:
        return facts.End("not there", missing, "", 0, len(parse_steps(tried["steps"])))
    return run_try(tried, clone, python, options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="?", type=pathlib.Path)
    parser.add_argument("--prefix", type=pathlib.Path, default=pathlib.Path("/usr/local"))
    parser.add_argument("--only", action="append", default=[], help="repositories and tries whose name has this")
    parser.add_argument("--logs", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "outside_logs")
    parser.add_argument("--limit", type=float, default=360, help="seconds for one try")
    parser.add_argument("--python", action="append", default=[], metavar="NAME=PROGRAM", help="of tries that name one")
    parser.add_argument(
        "--stop", action="store_true", help="end a try at the first step that fails, references included"
    )
    parser.add_argument("--write", choices=facts.STATES, help="which columns of facts.tsv to fill")
    parser.add_argument("--tries", type=pathlib.Path, default=HERE / "tries.toml")
    parser.add_argument("--facts", type=pathlib.Path, default=HERE / "facts.tsv")
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("--page", action="store_true", help="write docs/outside.md")
    parser.add_argument("--check-page", action="store_true", help="say whether the page is what the table says")
    options = parser.parse_args()
    if options.page or options.check_page:
        text = facts.page(facts.read(options.facts))
        if options.check_page:
            return 0 if PAGE.read_text() == text else 1
        PAGE.write_text(text)
        return 0
    if options.summary:
        print(facts.summary(facts.read(options.facts)))
        return 0
    if not options.clones:
        parser.error("a folder of clones is missing")
    options.logs.mkdir(parents=True, exist_ok=True)
    options.prefix, options.logs = options.prefix.resolve(), options.logs.resolve()
    pythons = dict(pair.split("=", 1) for pair in options.python)
    faults = 0
    for tried in tomllib.loads(options.tries.read_text())["try"]:
        label = f"{tried['repository']} {tried.get('name', '')}".strip()
        if options.only and not any(part in label for part in options.only):
            continue
        clone = options.clones / tried["repository"].replace("/", "+")
        began = time.monotonic()
        end = end_of(tried, clone, pythons, options)
        faults += end.verdict == "fault"
        print(
            f"{end.verdict:9} {end.passed}/{end.steps} {time.monotonic() - began:5.0f} s  {label}: {end.cause or end.known}",
            flush=True,
        )
        if options.write:
            steps = "; ".join(str(step) for step in parse_steps(tried["steps"]))
            steps = f"(Python with {tried['python']}) {steps}" if "python" in tried else steps
            facts.write(options.facts, options.write, tried, commit_of(clone), steps, end)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
