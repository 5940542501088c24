# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin of Sfumato (docs/testing.md). A package of its own: `sfumato` is imported by the tests that use it."""

import os
import re
import sys
from pathlib import Path

import pytest

from . import _files
from ._show import show_report

_CHIP = "Ascend910B1"
_SET = pytest.StashKey[bool]()  # whether SFUMATO_ISOLATED is the plugin's
_COUNTED = pytest.StashKey[dict]()  # sources compiled with coverage, which no cache keeps
_SCHEDULES = re.compile(r"eager|serial|late|ahead|seed:\d+|all(:\d+)?")


def pytest_addoption(parser):
    group = parser.getgroup("sfumato", "kernels of Ascend AI Cores")
    group.addoption(
        "--sfumato-chip",
        metavar="A,B",
        help="chips of the fixture `chip`, families or products; every test that uses it runs on each "
        f"(default: $SFUMATO_CHIP or {_CHIP})",
    )
    group.addoption(
        "--sfumato-schedules",
        metavar="eager,late,seed:1..3",
        help="schedules of launches through sfumato_kernel and sfumato_op; every test that uses them runs under each",
    )
    group.addoption(
        "--sfumato-coverage",
        metavar="FILE",
        help="tracefile of lcov, or .xml of Cobertura, of the lines and branches of kernels that ran through sfumato_kernel",
    )
    group.addoption("--sfumato-strict", action="store_true", help="warnings are faults in these launches")
    _files.add_options(group)


def pytest_configure(config):
    config.addinivalue_line(
        "markers",
        "sfumato(chip=..., schedules=..., strict=...): chips (a name or a list), schedules and strictness of a test, instead of "
        "those of the options.",
    )
    config.addinivalue_line(
        "markers",
        "ranks(n, ..., schedule=..., window_mb=...): how many ranks the fixture `world` has; of several numbers the test runs with "
        "each. The words are those of sfumato.ranks.",
    )
    # Launches run in a process of their own, so that a crash of a kernel fails one test; under --pdb in this one, where a debugger
    # sees them. A variable, because sfumato is not imported yet; one that the user set stays.
    config.stash[_SET] = "SFUMATO_ISOLATED" not in os.environ
    os.environ.setdefault("SFUMATO_ISOLATED", "0" if config.getoption("usepdb") else "1")
    config.stash[_COUNTED] = {}
    coverage = config.getoption("--sfumato-coverage")
    if coverage and not hasattr(config, "workerinput"):  # those of pytest-xdist add to what it began
        for name in (coverage, f"{coverage.removesuffix('.xml')}.info"):
            Path(name).unlink(missing_ok=True)
    # What is wrong with an option is said before a test runs.
    _words(config.getoption("--sfumato-chip"), "--sfumato-chip")
    _schedules(config.getoption("--sfumato-schedules"), "--sfumato-schedules")
    _files.configure(config)


def pytest_unconfigure(config):
    if config.stash.get(_SET, False):
        os.environ.pop("SFUMATO_ISOLATED", None)


def _words(value, what):
    """A list of names from 'A,B' or a list."""
    if value is None:
        return []
    words = [word.strip() for word in value.split(",")] if isinstance(value, str) else list(value)
    if not words or not all(isinstance(word, str) and word for word in words):
        raise pytest.UsageError(f"{what}: {value!r} is no list of names with commas between")
    return words


def _schedules(value, what):
    """The schedules of 'eager,seed:1..3', one by one."""
    names = []
    for word in _words(value, what):
        span = re.fullmatch(r"seed:(\d+)\.\.(\d+)", word)
        if span and int(span[1]) <= int(span[2]):
            names += [f"seed:{seed}" for seed in range(int(span[1]), int(span[2]) + 1)]
        elif _SCHEDULES.fullmatch(word):
            names.append(word)
        else:
            raise pytest.UsageError(
                f"{what}: {word!r} is no schedule; there are eager, serial, late, ahead, seed:N, seed:N..M, all, all:N"
            )
    return names


_KEYS = ("chip", "schedules", "strict")


def _marked(node, key):
    """What the nearest marker says of a key, or None."""
    for marker in node.iter_markers("sfumato"):
        unknown = [name for name in marker.kwargs if name not in _KEYS]
        if unknown or marker.args:
            found = unknown[0] if unknown else repr(marker.args[0])
            raise pytest.UsageError(
                f"{node.nodeid}: marker sfumato: {found} is not known; it takes {', '.join(_KEYS)} by name"
            )
        if key in marker.kwargs:
            return marker.kwargs[key]
    return None


def _chosen(node, key, option, read):
    """What the nearest marker of a test says, else the option."""
    chosen = _marked(node, key)
    if chosen is None:
        return read(node.config.getoption(option), option)
    return read(chosen, f"{node.nodeid}: marker sfumato: {key}")


def pytest_generate_tests(metafunc):
    for fixture, *how in (
        ("chip", "chip", "--sfumato-chip", _words),
        ("sfumato_schedule", "schedules", "--sfumato-schedules", _schedules),
    ):
        values = _chosen(metafunc.definition, *how) if fixture in metafunc.fixturenames else None
        if values:
            metafunc.parametrize(fixture, values, indirect=True)
    if "world" in metafunc.fixturenames:
        metafunc.parametrize("world", _ranks(metafunc.definition), indirect=True)


@pytest.fixture
def chip(request):
    """The chip to compile for: that of --sfumato-chip or of the marker, else $SFUMATO_CHIP, else Ascend910B1."""
    return getattr(request, "param", None) or os.environ.get("SFUMATO_CHIP") or _CHIP


@pytest.fixture
def sfumato_schedule(request):
    """The schedule of the test's launches."""
    return getattr(request, "param", None) or "eager"


def _ranks(node):
    """The numbers of the nearest marker `ranks`."""
    marker = node.get_closest_marker("ranks")
    numbers = marker.args if marker else ()
    if not numbers or not all(isinstance(n, int) and not isinstance(n, bool) and 1 <= n <= 64 for n in numbers):
        found = f"marker ranks{numbers}" if marker else "no marker ranks"
        raise pytest.UsageError(f"{node.nodeid}: {found}; the fixture world needs ranks(n) with n from 1 to 64")
    return numbers


@pytest.fixture
def world(request, chip, sfumato_schedule):
    """A sfumato.World of as many ranks as the marker `ranks` says, for the test's chip, under its schedule."""
    import sfumato

    words = {"schedule": sfumato_schedule, **request.node.get_closest_marker("ranks").kwargs}
    with sfumato.ranks(request.param, chip=chip, **words) as opened:
        yield opened


@pytest.fixture
def _sfumato_options(request, sfumato_schedule):
    """Options of launches."""
    strict = _marked(request.node, "strict")
    strict = request.config.getoption("--sfumato-strict") if strict is None else bool(strict)
    return {"schedule": sfumato_schedule, "strict": strict}


@pytest.fixture(scope="session")
def _sfumato_judges():
    judges = {}
    yield judges
    for judge in judges.values():
        judge.close()


@pytest.fixture
def sfumato_judge(request, chip, _sfumato_judges):
    """sfumato_judge(submission, task, expect="right", **judge): the verdict; another one than `expect` fails the test with its
    reason (None: any will do). `judge` are further arguments of sfumato.Judge. The verdict's JSON is with the test's report and in
    --junit-xml."""

    def judged(submission, task, *, expect="right", **arguments):
        import sfumato

        key = (chip, repr(sorted(arguments.items())))
        if key not in _sfumato_judges:
            _sfumato_judges[key] = sfumato.Judge(chip, **arguments)
        verdict = _sfumato_judges[key](_beside(request, submission), _beside(request, task))
        request.node.user_properties.append(("sfumato-verdict", verdict.to_json()))
        request.node.add_report_section("call", "sfumato verdict", verdict.to_json(indent=1))
        if expect is not None and verdict.verdict != expect:
            pytest.fail(f"{verdict}" + ("" if expect == "right" else f"\n(expected: {expect})"), pytrace=False)
        return verdict

    return judged


def _beside(request, path):
    """A relative path is one beside the test's file, where that exists; short from where pytest runs, as reports show it."""
    if isinstance(path, (str, os.PathLike)) and not Path(path).is_absolute():
        near = request.path.parent / path
        if near.exists():
            return near.relative_to(Path.cwd()) if near.is_relative_to(Path.cwd()) else near
    return path


@pytest.fixture
def sfumato_kernel(request, chip, _sfumato_options):
    """sfumato_kernel(path, name=None, **compile_options): a kernel of a source, compiled for `chip`, to launch as k[8](x, y)
    under the test's schedule. `name` is needed where the source has several. A relative path starts at the test's folder."""
    import sfumato

    def make(path, name=None, **options):
        source, coverage = _beside(request, path), request.config.getoption("--sfumato-coverage")
        if coverage:
            options.setdefault("coverage", coverage)
        counted = request.config.stash[_COUNTED] if "coverage" in options else {}
        key = (str(source), chip, repr(sorted(options.items())))
        lib = counted.get(key) or sfumato.compile(source, chip=chip, **options)
        counted[key] = lib
        if name is None and len(lib.kernels) != 1:
            raise sfumato.Error(
                f"sfumato_kernel: {path} has {', '.join(lib.kernels)}: name one, sfumato_kernel(path, name)"
            )
        return lib[name or lib.kernels[0]].options(**_sfumato_options)

    return make


@pytest.fixture
def sfumato_op(request, chip, _sfumato_options):
    """sfumato_op(folder, **load_options): an operator project for `chip`, to call as op(x, y) under the test's schedule. A relative
    path starts at the test's folder."""
    import sfumato

    def make(project, **options):
        return sfumato.load_op(_beside(request, project), chip=chip, **options).options(**_sfumato_options)

    return make


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    # An error of Sfumato exists only where Sfumato was imported.
    if call.excinfo is not None and "sfumato" in sys.modules and not hasattr(report, "wasxfail"):
        show_report(item, call.excinfo, report)
    return report
