# SPDX-License-Identifier: Apache-2.0
"""The man page sfumato(1), in the man macros."""


def _text(text: str) -> str:
    text = (
        text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha")
    )
    text = text.replace("~", "\\(ti")
    return "\n".join("\\&" + line if line.startswith(".") else line for line in text.splitlines())


def _option(option: dict, heads) -> list[str]:
    text = option["text"] or "as for the system's compiler"
    if "default" in option:
        text += f" (default {option['default']})"
    return [".TP", ".B " + _quoted(", ".join(heads(option))), _text(text)]


def _quoted(text: str) -> str:
    return '"' + _text(text).replace('"', '""') + '"'


def _as_is(text: str) -> list[str]:
    return [".PP", ".nf", _text(text.strip("\n")), ".fi"]


def page(tree: dict, verbs: list, heads, usage, made: str) -> str:
    out = [f'.\\" {made}', '.TH SFUMATO 1 "" "Sfumato" "User Commands"']
    out += [".SH NAME", "sfumato \\- " + _text("run Ascend AI Core kernels bit-faithfully on an ordinary CPU")]
    out += [".SH SYNOPSIS", ".nf", *(_text(usage(name, verb)) for name, verb in verbs if " " not in name), ".fi"]
    out += [".SH DESCRIPTION", _text(tree["text"])]
    out += [_text("What follows the first -- is the kernel's. A value follows its option behind a space or =.")]
    for name, verb in verbs:
        out += [".SH " + _quoted(f"sfumato {name}".upper()), _text(verb["text"] + ".")]
        for option in [*verb["positionals"], *verb["options"]]:
            out += _option(option, heads)
        if verb.get("footer") and name != "check":
            out += _as_is(verb["footer"])
    out += [".SH SEE ALSO", _text("The documentation: docs/README.md of the sources, docs/command.md among it.")]
    return "\n".join(out) + "\n"
