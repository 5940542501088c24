# SPDX-License-Identifier: Apache-2.0
"""Judges the submissions of ends.txt in every sandbox: ends_run.py [NAME...]; or in one: --mode MODE --cache FOLDER [NAME...].

Limits are so small that a submission runs into them in seconds."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import submissions

import sfumato
from sfumato.judging import Limits

LIMITS = Limits(wall=3.0, cpu=60, memory=512 << 20, files=24 << 20, processes=64)
# No namespaces beside this user's own, and no other user in it.
BARE = 'for kind in mnt pid user net; do echo 0 > /proc/sys/user/max_${kind}_namespaces || exit 77; done; exec "$@"'
PARTIAL = ("unshare", "-Ur", "sh", "-c", BARE, "sh")
SANDBOXES = {"full": (), "partial": PARTIAL, "off": ()}  # what becomes one that has such a sandbox


def there_is(sandbox):
    """Whether this user on this machine can have it; a full one for certain is root's."""
    if sandbox == "full":
        return os.geteuid() == 0
    return not SANDBOXES[sandbox] or not subprocess.run([*PARTIAL, "true"], capture_output=True, check=False).returncode


def judge(mode, cache, names):
    """Prints one line of JSON for each submission: name, verdict, summary and how much of a sandbox there was."""
    known = [entry for entry in submissions.read("ends.txt") if not names or entry[0] in names]
    pairs = ((text, task) for _, _, _, text, task in known)
    words = {"chip": "Ascend910B1", "workers": 2, "limits": LIMITS, "cache": cache, "sandbox": mode}
    for verdict in sfumato.judge_many(pairs, **words):
        report = verdict.report or {}
        told = [known[verdict.index][0], verdict.verdict, verdict.summary, report.get("rule"), verdict.sandbox]
        print(json.dumps([*told, verdict.sandbox_lacking]), flush=True)


def complaints(sandbox, cache, names=()):
    """Sentences about verdicts that are others than those that are known. `cache` keeps objects, never verdicts."""
    shutil.rmtree(os.path.join(cache, "verdicts"), ignore_errors=True)
    words = [sys.executable, __file__, "--mode", "off" if sandbox == "off" else "auto", "--cache", cache, *names]
    done = subprocess.run([*SANDBOXES[sandbox], *words], capture_output=True, text=True, check=False)
    if done.returncode:
        return [f"{sandbox}: {done.stderr}"]
    found = {line[0]: line[1:] for line in map(json.loads, done.stdout.splitlines())}
    told = []
    for name, wanted, *_ in submissions.read("ends.txt"):
        if names and name not in names:
            continue
        verdict, summary, rule, was, lacking = found.get(name, (None, "it has no verdict", None, "", ""))
        if verdict != wanted:
            told.append(f"{sandbox}: {name} is {verdict} ({rule}): {summary}")
        if was != ("full" if sandbox == "full" else "partial") or bool(lacking) == (was == "full"):
            told.append(f"{sandbox}: {name} was judged in another: {was}, {lacking}")
    return told


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--mode")
    parser.add_argument("--cache")
    given = parser.parse_args()
    if given.mode:
        return judge(given.mode, given.cache, given.names)
    failed = 0
    with tempfile.TemporaryDirectory() as cache:
        os.chmod(cache, 0o755)
        for sandbox in SANDBOXES:
            if not there_is(sandbox):
                print(f"{sandbox}: not here")
                continue
            told = complaints(sandbox, cache, given.names)
            failed += len(told)
            print("\n".join([*told, f"{sandbox}: {len(told)} complaints"]), flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(min(main() or 0, 100))
