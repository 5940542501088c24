# SPDX-License-Identifier: Apache-2.0
"""What is said to a name that a module does not have."""

from collections.abc import Iterable, Mapping

# Names of other tools, and where this one has what they are for.
ELSEWHERE = {
    "load": "sfumato.compile(source, chip=...) for a kernel, sfumato.load_op(folder, chip=...) for an operator",
    "jit": "sfumato.compile(source, chip=...)",
    "run": "sfumato.compile(source, chip=...).kernel[blocks](...)",
    "launch": "sfumato.compile(source, chip=...).kernel[blocks](...)",
    "trace": "kernel[blocks].options(log=print), a line for each instruction",
    "profile": "kernel[blocks].options(log=print), a line for each instruction",
    "check": "kernel[blocks].check(...)",
    "debug": "sfumato gdb FILE in a shell, and sfumato tik SCRIPT --debug for TIK",
    "tik": "a module: from sfumato import tik",
    "torch_npu": "a module: import sfumato.torch_npu",
}


def did_you_mean(name: str, names: Iterable[str], near_enough: float = 0.75) -> str:
    """'; did you mean softmax?', where there is a name near it."""
    import difflib  # for errors alone

    plain = {known.lower().replace("_", ""): known for known in names}
    near = difflib.get_close_matches(name.lower().replace("_", ""), plain, 3, near_enough)
    return f"; did you mean {', '.join(plain[one] for one in near)}?" if near else ""


def sentence(module: str, name: str, names: Iterable[str], elsewhere: Mapping[str, str]) -> str:
    """The text of the AttributeError: where it is instead, or names near it."""
    if name in elsewhere:
        return f"{module} has no '{name}'; it is {elsewhere[name]}"
    return f"{module} has no '{name}'{did_you_mean(name, names)}"
