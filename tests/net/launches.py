# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest: launches that the tests make, again under each schedule, as hashes of what they leave.

pytest -p launches, with SFUMATO_NET_OUT and SFUMATO_NET_SEED: of each group of texts.py the tests that the seed puts first
run; of each the first launches are recorded. Kernels, TIK programs and operators are met at their public calls, the
command where a test starts it. What the tests themselves compare is not judged here.
"""

import copy
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import ml_dtypes  # noqa: F401 - the types of arrays
import numpy as np
import pytest
from texts import GROUPS, SCHEDULES, normal, rank, short, text_of

import sfumato
from sfumato import tik

OF_A_TEST = {"operator": 8}  # launches; of other routes:
OF_OTHERS = 3
COMMAND = os.environ.get("SFUMATO_COMMAND", "-")
OUT = open(os.environ["SFUMATO_NET_OUT"], "w", encoding="utf-8")  # noqa: SIM115 - until the process ends
SCRATCH = Path(tempfile.mkdtemp(prefix="sfumato-net-"))
ROOT = Path.cwd()
CACHE = os.environ["SFUMATO_CACHE"]
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class Recorder:
    """What was recorded of the test that runs."""

    def __init__(self):
        self.test, self.seen, self.inside, self.folder = "", {}, False, ""

    def begin(self, test):
        self.test, self.seen = test, {}

    def wants(self, route, what):
        """Whether this launch is one of the first, and met for the first time."""
        if self.inside or not self.test or what in self.seen or len(self.seen) >= OF_A_TEST.get(route, OF_OTHERS):
            return False
        self.seen[what] = len(self.seen)
        return True

    def record(self, route, what, launch):
        """launch(schedule, log, trace): bytes, findings; each schedule is a line."""
        self.inside = True
        try:
            for schedule in SCHEDULES:
                log, trace = [], SCRATCH / "trace.json"
                for old in SCRATCH.glob("trace.json*"):
                    old.unlink()
                try:
                    outputs, findings = launch(schedule, log.append, str(trace))
                except sfumato.KernelError as error:
                    outputs, findings = b"", "\n".join(map(str, error.result.findings))
                except Exception as error:  # noqa: BLE001 - a launch that is refused is one, too
                    outputs, findings = b"", f"{type(error).__name__}: {error}"
                texts = [self.normal(findings), self.normal("\n".join(log)), self.normal(text_of(trace))]
                row = [route, f"{self.test}#{self.seen[what]}", schedule, short(outputs), *map(short, texts)]
                print(*row, sep="\t", file=OUT, flush=True)
                if os.environ.get("SFUMATO_NET_KEEP"):
                    kept = Path(os.environ["SFUMATO_NET_KEEP"]) / short(row[1]) / schedule
                    kept.mkdir(parents=True, exist_ok=True)
                    for name, text in zip(("findings", "log", "trace"), texts):
                        (kept / name).write_text(f"{row[1]}\n{text}", encoding="utf-8")
        finally:
            self.inside = False

    def normal(self, text):
        return normal(text, (ROOT, self.folder or ROOT, SCRATCH, os.environ.get("HOME", "-")), ROOT)


RECORDER = Recorder()


def data(value):
    """Bytes of whatever is passed to a launch, or comes back."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}".encode() + np.ascontiguousarray(value).tobytes()
    if isinstance(value, (list, tuple)):
        return b"".join(map(data, value))
    if isinstance(value, dict):
        return b"".join(f"{name}".encode() + data(entry) for name, entry in value.items())
    return ADDRESS.sub("", str(value)).encode()


def own(value):
    """The value, with arrays of its own."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(own, value))
    return value.copy() if isinstance(value, np.ndarray) else copy.copy(value)


def told(result):
    return "\n".join(map(str, result.findings))


def kernels():
    call = sfumato.Launcher.__call__

    def launch(self, *arguments, **named):
        what = f"{ADDRESS.sub('', re.sub(r'.(schedule|workers|check).: [^,}]+', '', repr(self)))} {short(data([arguments, named]))}"
        if RECORDER.wants("kernel", what):

            def again(schedule, log, trace):
                mine, names = own(list(arguments)), {name: own(value) for name, value in named.items()}
                way = dict(
                    schedule=schedule, workers=1, check="all", log=log, trace=trace, print=log, warn=False, time=None
                )
                result = call(self.options(**way), *mine, **names)
                return data([mine, names]), told(result)

            RECORDER.record("kernel", what, again)
        return call(self, *arguments, **named)

    sfumato.Launcher.__call__ = launch


def operators():
    call = sfumato.Operator.__call__

    def launch(self, *inputs, **named):
        what = f"{self} {short(data([inputs, named]))}"
        if RECORDER.wants("operator", what):

            def again(schedule, log, trace):
                op = self.options(
                    schedule=schedule, workers=1, check="all", log=log, trace=trace, print=log, warn=False
                )
                mine, names = own(list(inputs)), {name: own(value) for name, value in named.items()}
                outputs = call(op, *mine, **names)
                return data([mine, outputs]), told(op.last)

            RECORDER.record("operator", what, again)
        return call(self, *inputs, **named)

    sfumato.Operator.__call__ = launch


def scripts():
    run = tik.Tik.run

    def launch(self, feed, **options):
        what = f"{self.kernel_name} {short(data(dict(feed)))}"
        if RECORDER.wants("tik", what):

            def again(schedule, log, trace):
                way = dict(schedule=schedule, check="all", log=log, trace=trace, print=log, warn=False)
                kept = {name: value for name, value in options.items() if name != "time"}
                outputs = run(self, {name: own(value) for name, value in feed.items()}, **{**kept, **way})
                return data(outputs), told(self.last)

            RECORDER.record("tik", what, again)
        return run(self, feed, **options)

    tik.Tik.run = launch


def commands():
    run = subprocess.run

    def start(words, *more, **options):
        texts = [str(word) for word in words] if isinstance(words, (list, tuple)) else []
        verb = next((word for word in texts[1:3] if word in ("run", "check")), None)
        if texts[:1] != [COMMAND] or verb is None or not options.get("cwd"):
            return run(words, *more, **options)
        what = " ".join(texts)
        if RECORDER.wants("command", what):

            def again(schedule, log, trace):
                folder = SCRATCH / "cwd"
                shutil.rmtree(folder, ignore_errors=True)
                shutil.copytree(options["cwd"], folder)
                at = texts.index(verb) + 1
                rest = [word for i, word in enumerate(texts[at:], at) if "--schedule" not in (word, texts[i - 1])]
                way = ["--schedule", schedule, "--trace", trace, f"--log={SCRATCH / 'log'}"]
                done = run([*texts[:at], *way, *rest], **{**options, "cwd": folder})
                log((SCRATCH / "log").read_text(encoding="utf-8"))
                files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
                outputs = b"".join(str(path.relative_to(folder)).encode() + path.read_bytes() for path in files)
                return outputs, f"{done.returncode}\n{done.stdout}\n{done.stderr}".replace(str(folder), "")

            RECORDER.record("command", what, again)
        return run(words, *more, **options)

    subprocess.run = start


for meet in (kernels, operators, scripts, commands):
    meet()


def pytest_collection_modifyitems(items):
    """The chosen tests, and no way of a launch but one: the others are recorded here."""
    seed, chosen = os.environ["SFUMATO_NET_SEED"], set()
    for count, files in GROUPS.values():
        mine = [
            item
            for item in items
            if any(item.nodeid.startswith(f"tests/{file}") for file in files) and item not in chosen
        ]
        chosen.update(sorted(mine, key=lambda item: rank(seed, item.nodeid))[:count])
    items[:] = sorted(chosen, key=lambda item: item.nodeid)
    os.environ["SFUMATO_CACHE"] = CACHE  # some tests have one of their own
    for module in {*(item.module for item in items), sys.modules.get("ways")}:
        for name in ("WAYS", "SCHEDULES"):
            ways = getattr(module, name, None)
            if isinstance(ways, list):
                del ways[1:]


def pytest_runtest_setup(item):
    RECORDER.begin(item.nodeid)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    folder = getattr(item, "funcargs", {}).get("tmp_path")
    RECORDER.folder = folder or ""


def pytest_runtest_teardown(item):
    RECORDER.begin("")


def pytest_unconfigure():
    shutil.rmtree(SCRATCH, ignore_errors=True)
