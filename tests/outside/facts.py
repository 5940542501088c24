# SPDX-License-Identifier: Apache-2.0
"""The table of facts about outside repositories: which verdict a try has, the kinds of causes, and the counts."""

import collections
import csv
import dataclasses
import re

STATES = ("before", "after")
COLUMNS = [
    "repository",
    "try",
    "commit",
    "form",
    "chip",
    "tried",
    "before",
    "before_cause",
    "passed",
    "after",
    "after_cause",
    "known",
]
# From the worst to the best: a repository has the worst verdict of its tries.
VERDICTS = ["fault", "not there", "refused", "finding", "exception", "runs", "right", "not tried"]
FREE = ("refused", "finding", "runs", "right")

# What stops a try, by what the command printed; the first that matches. A try whose output matches none has the cause "other".
CAUSES = [
    ("no end within the time limit", r"no end within the time limit"),
    (
        "toolkit looked for elsewhere",
        r"/Ascend/[\w./-]*:? (No such file|does not exist)|(不存在|not exist)\W.*/Ascend/|tilingdata_base\.h: No such file",
    ),
    (
        "toolkit looked for elsewhere",
        r"cann package[\s\w]*not\W|please check whether the cann package|Cannot find Ascend",
    ),
    ("host headers at older standards", r"not a return-statement|c\+\+1[147]\b.*(error|required)|concept|‘requires’"),
    ("build-op does not take the project", r"add_kernels_compile\(\) is missing|build-op: error"),
    ("a project without its cmake folder", r"include could not find requested file:\s+cmake/"),
    ("installed library not found", r"error while loading shared libraries|cannot open shared object file"),
    (
        "program of the toolkit missing",
        r"(msprof|npu-smi|opc|msopgen\w*|opbuild|ccec\w*|bisheng): command not found|can't open file '[^']*/Ascend",
    ),
    (
        "Python module of the toolkit missing",
        r"No module named '(tbe|te|op_gen|opc_tool|asc_opc_tool|acl|torch_npu|mindspore)\w*",
    ),
    ("PyTorch extension", r"torch_npu/|libtorch_npu|torch_npu\."),
    ("package of others missing", r"ModuleNotFoundError|No matching distribution|Could NOT find"),
    ("header of the toolkit missing", r"fatal error: .*: No such file"),
    ("library of the toolkit missing", r"cannot find -l"),
    (
        "name of the toolkit missing",
        r"is not a member of|was not declared|has not been declared|does not name a type|no matching function|has no member",
    ),
    ("CMake function or target missing", r"Unknown CMake command|CMake Error"),
    ("inferred shape", r"fault \[op-output-shape\]"),
    ("kernel or host code does not compile", r"\berror: |does not compile"),
    ("report of a rule", r"\bfault \[[\w-]+\]"),
    ("result differs", r"^differs|result error|error result|FAILED|test failed"),
]


@dataclasses.dataclass
class End:
    """How a try ended; known: how a finding of the program's own is known, with its line."""

    verdict: str
    cause: str
    known: str
    passed: int
    steps: int


def cause_of(said):
    for cause, pattern in CAUSES:
        if re.search(pattern, said, re.M):
            return cause
    return "other"


def all_expected(said, expected):
    """Whether every report that was printed is one that the try names: one fault of ours among them is a fault."""
    reports = re.split(r"(?=fault \[)", said)[1:]
    return all(any(re.search(e["shows"], report, re.M) for e in expected) for report in reports)


def judge(tried, steps, passed, said):
    """The verdict: a finding, a refusal and an exception count only where the output has what the try names."""
    if passed == len(steps):
        has_golden = tried.get("golden", True) and any(step.shows for step in steps)
        return End("right" if has_golden else "runs", "", "", passed, len(steps))
    for verdict in ("finding", "refused", "exception"):
        expected = [e for e in tried.get(verdict, []) if re.search(e["shows"], said, re.M)]
        if expected and all_expected(said, tried.get(verdict, [])):
            causes, known = ("; ".join(dict.fromkeys(e.get(key, "") for e in expected)) for key in ("cause", "known"))
            return End(verdict, causes, known, passed, len(steps))
    return End("fault", cause_of(said), "", passed, len(steps))


def read(path):
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def write(path, state, tried, commit, steps, end):
    """Fills the columns of one state of one row, and keeps the rest."""
    rows = {(row["repository"], row["try"]): row for row in read(path)}
    key = (tried["repository"], tried.get("name", ""))
    row = rows.setdefault(key, dict.fromkeys(COLUMNS, ""))
    row.update({"repository": key[0], "try": key[1], "form": tried["form"], "chip": tried["chip"], "tried": steps})
    if commit != "unknown":
        row["commit"] = commit
    row[state], row[state + "_cause" if state == "before" else "after_cause"] = end.verdict, end.cause
    if state == "after":
        row["passed"], row["known"] = f"{end.passed}/{end.steps}", end.known
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[key] for key in sorted(rows, key=lambda key: (key[0].lower(), key[1])))


def worst(rows, state):
    """The verdict of each repository: that of the worst of its tries that have one."""
    verdicts = {}
    for row in rows:
        verdicts.setdefault(row["repository"], []).append(row[state] or "not tried")
    return {name: min(found, key=VERDICTS.index) for name, found in verdicts.items()}


def counts(rows, column, state):
    """For each value of a column: how many repositories have which verdict there."""
    table = {}
    for value in sorted({row[column] for row in rows}):
        table[value] = collections.Counter(worst([row for row in rows if row[column] == value], state).values())
    return table


def causes(rows, state):
    """The causes of faults, those of most repositories first."""
    found = collections.defaultdict(set)
    for row in rows:
        if row[state] == "fault":
            found[row[f"{state}_cause"]].add(row["repository"])
    return sorted(((len(names), cause) for cause, names in found.items()), key=lambda pair: (-pair[0], pair[1]))


def summary(rows):
    """The counts as Markdown: repositories by verdict, form and chip, before and after; causes of faults by repositories."""
    lines = [
        "| repositories | " + " | ".join(VERDICTS) + " | free of a fault of ours |",
        "|" + "---|" * (len(VERDICTS) + 2),
    ]
    for state in STATES:
        found = collections.Counter(worst(rows, state).values())
        counted = sum(found[v] for v in FREE + ("fault",))
        free = sum(found[v] for v in FREE)
        share = f"{free} of {counted}" + (f", {100 * free / counted:.0f} %" if counted else "")
        lines.append(f"| {state} | " + " | ".join(str(found[v]) for v in VERDICTS) + f" | {share} |")
    for column in ("form", "chip"):
        lines += ["", f"| {column} | fault before | fault after | free after | of |", "|---|---|---|---|---|"]
        before, after = counts(rows, column, "before"), counts(rows, column, "after")
        for value, found in after.items():
            free = sum(found[v] for v in FREE)
            lines.append(f"| {value} | {before[value]['fault']} | {found['fault']} | {free} | {sum(found.values())} |")
    for state in STATES:
        lines += ["", f"| causes of faults {state} | repositories |", "|---|---|"]
        lines += [f"| {cause} | {number} |" for number, cause in causes(rows, state)]
    return "\n".join(lines)


HEAD = """<!-- Generated from tests/outside/facts.tsv. Run tests/outside/run.py --page. -->
# Outside repositories

Public repositories with Ascend C or TIK kernels by people outside this project, each tried as its author runs it: unmodified, by its author's own
commands under `sfumato env`, on the chip it names. [tests/outside/tries.toml](../tests/outside/tries.toml) has the commands,
[tests/outside/facts.tsv](../tests/outside/facts.tsv) how each try ended, with the commit; a folder of clones named OWNER+NAME repeats it:

```sh
tests/outside/run.py CLONES --prefix INSTALLATION --write after && tests/outside/run.py --page
```

| verdict | meaning |
|---|---|
| right | its own golden data, or NumPy (tests/outside/references.py), agree |
| runs | all commands end well; nothing says what the result should be |
| finding | a mistake of the program's own, with its line |
| refused | refused with a sentence, and no public page documents it for the chip |
| fault | everything else: a fault of ours |
| exception | its only cause is Ascend950, several ranks, catlass or a high-level call of 310P or 310B; outside the count |
| not there | no clone of it, or not the Python that it names |
| not tried | no try of it has ended on this state |

A repository has the worst verdict of its tries. "Before" is the state of the first table, "after" the newest
state on which the try has run, which is not one state for all. Two things are added where a clone needs them, and stand in `tried`: scripts whose commit lost the
mode of a program get it back (`chmod +x`), and one repository whose golden data need it has NumPy 1.26. A try
that needs an older PyTorch than the others names its Python, which `--python "torch 2.1=/path/to/python"` gives.

"""


def page(rows):
    """docs/outside.md: the counts, and a line for each repository that is not right or runs."""
    lines = [
        HEAD + summary(rows),
        "",
        "## Repositories",
        "",
        "| repository | chip | before | after | why |",
        "|---|---|---|---|---|",
    ]
    before, after = worst(rows, "before"), worst(rows, "after")
    for name in sorted(after, key=str.lower):
        mine = [row for row in rows if row["repository"] == name]
        chips = ", ".join(sorted({row["chip"] for row in mine}))
        why = "; ".join(
            dict.fromkeys(row["known"] or row["after_cause"] for row in mine if row["after"] == after[name])
        )
        lines.append(f"| {name} | {chips} | {before[name]} | {after[name]} | {why.replace('|', chr(92) + '|')} |")
    return "\n".join(lines) + "\n"
