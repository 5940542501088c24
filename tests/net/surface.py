# SPDX-License-Identifier: Apache-2.0
"""What the headers declare: each name of namespace scope or of a class, with the words of its declaration, bodies left out."""

import os
import re
import subprocess
from pathlib import Path

TOKEN = re.compile(
    r'(?:u8|[uUL])?R"(\w*)\(.*?\)\1"|(?:u8|[uUL])?"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[A-Za-z_]\w*|\.?\d(?:[\w.\']|[eEpP][+-])*|::|->|\S',
    re.DOTALL,
)
OPENS = {"(": ")", "[": "]", "{": "}"}
CLASSES = ("class", "struct", "union")
WHOLE = 200  # words of a declaration that are told: the rest of a long one counts by its hash


def preprocessed(compiler, folders, header, options=()):
    """The tokens of `header` that stand in a file below one of the folders."""
    words = [compiler, "-std=c++20", "-E", *options, *(f"-I{folder}" for folder in folders), "-x", "c++", "-"]
    done = subprocess.run(words, input=f'#include "{header}"\n', capture_output=True, text=True, check=False)
    if done.returncode:
        return None
    ours, kept = False, []
    for line in done.stdout.splitlines():
        if marker := re.match(r'# \d+ "([^"]*)"', line):
            ours = any(marker[1].startswith(f"{folder}{os.sep}") for folder in folders)
        elif ours:
            kept.append(line)
    tokens = [match[0] for match in TOKEN.finditer("\n".join(kept))]
    return ["class" if word == "typename" and tokens[at - 1] in ("<", ",") else word for at, word in enumerate(tokens)]


def closing(tokens, at):
    """Behind the bracket that closes the one at `at`."""
    end, depth = OPENS[tokens[at]], 0
    for place in range(at, len(tokens)):
        depth += (tokens[place] == tokens[at]) - (tokens[place] == end)
        if depth == 0:
            return place + 1
    raise ValueError(f"no {end} for {tokens[at : at + 12]}")


def declarations(tokens, scope=()):
    """(scope, words) of each declaration in `tokens`."""
    at, words = 0, []
    while at < len(tokens):
        token = tokens[at]
        if token == "namespace" and "{" in tokens[at : at + 12] and ";" not in tokens[at : tokens.index("{", at)]:
            opened = tokens.index("{", at)
            end = closing(tokens, opened)
            name = "".join(tokens[at + 1 : opened])
            yield from declarations(tokens[opened + 1 : end - 1], (*scope, name))
            at, words = end, []
        elif token == "extern" and tokens[at + 1].startswith('"') and tokens[at + 2] == "{":
            end = closing(tokens, at + 2)
            yield from declarations(tokens[at + 3 : end - 1], scope)
            at, words = end, []
        elif token == ";":
            for each in listed(words):
                yield scope, each
            at, words = at + 1, []
        elif token in ("public", "private", "protected") and tokens[at + 1] == ":":
            at, words = at + 2, []
        elif token in ("(", "["):
            end = closing(tokens, at)
            words += tokens[at:end]
            at = end
        elif token == "{":
            end = closing(tokens, at)
            kind = head_of(words)
            if kind in CLASSES:
                name = class_name(words)
                yield scope, words
                yield from declarations(tokens[at + 1 : end - 1], (*scope, name))
                words = [] if tokens[end : end + 1] == [";"] else ["object of", name]
            elif kind == "enum" or "=" in outer(words) or not any(word == ")" for word in words):
                words += tokens[at:end]
            elif ends_in_member(words):
                words += tokens[at:end]  # of a list of initialisers
            else:
                yield scope, words
                words = []
            at = end
        else:
            words.append(token)
            at += 1


def unnamed(words, of):
    """A constructor without the names of its parameters; any other declaration as it is."""
    at = next((n for n, word in enumerate(words[:-1]) if word == of and words[n + 1] == "("), None)
    if at is None or words[at - 1 : at] == ["~"]:
        return words
    end = closing(words, at + 1)
    parameters, depth = [[]], 0
    for word in words[at + 2 : end - 1]:
        depth += (word in ("(", "[", "{", "<")) - (word in (")", "]", "}", ">"))
        if word == "," and depth == 0:
            parameters.append([])
        else:
            parameters[-1].append(word)
    for parameter in parameters:
        ends = (
            parameter.index("=") if "=" in parameter else parameter.index("[") if "[" in parameter else len(parameter)
        )
        if ends > 1 and re.match(r"[a-z]\w*$", parameter[ends - 1]):
            del parameter[ends - 1]
    return [*words[: at + 2], *" , ".join(map(" ".join, parameters)).split(), ")", *words[end:]]


def listed(words):
    """Each of the names of `using a, b;`, or the declaration itself."""
    if words[:1] != ["using"] or "," not in outer(words):
        return [words] if words else []
    names = " ".join(words[1:]).split(" , ")
    return [["using", *name.split()] for name in names]


def outer(words):
    """The words outside of brackets and of template parameters."""
    depth, found = 0, []
    for word in words:
        depth += word in ("(", "[", "<")
        if depth == 0:
            found.append(word)
        depth -= word in (")", "]", ">")
    return found


def head_of(words):
    """class, struct, union or enum, where that is what is declared."""
    kinds = [word for word in outer(words) if word in (*CLASSES, "enum")]
    if not kinds or any(word == "(" for word in after_attributes(words)):
        return None
    return "enum" if "enum" in kinds else kinds[0]


def after_attributes(words):
    text = " ".join(words)
    text = re.sub(r"(__attribute__|alignas|requires) \( .*? \)+", "", text)
    return text[text.rfind(" > ") + 1 :].split() if text.startswith("template") else text.split()


def class_name(words):
    found = [word for word in outer(words) if re.match(r"[A-Za-z_]", word)]
    at = max(found.index(kind) for kind in CLASSES if kind in found)
    return next((word for word in found[at + 1 :] if word not in ("final", "alignas", "__attribute__")), "")


def ends_in_member(words):
    """Whether a brace behind these words initialises a member, in a constructor's list."""
    line = outer(words)
    return ":" in line and re.match(r"[A-Za-z_]", words[-1]) is not None and words[-1] not in ("const", "noexcept")


def name_of(words):
    """The declared name: before the first bracket or initialiser, else the last word."""
    line = outer(words[words.index(">") + 1 :] if words[0] == "template" and ">" in words else words)
    text = [word for word in line if re.match(r"[A-Za-z_~]", word)]
    return text[-1] if text else " ".join(words[:4])


def surface(compiler, folders, headers):
    """(scope, declaration) of everything that the headers declare together, each once."""
    found = set()
    for header in headers:
        for scope, words in declarations(preprocessed(compiler, folders, header) or []):
            # Lists of initialisers of constructors are bodies, too.
            words = unnamed(words, scope[-1]) if scope else words
            found.add(("::".join(scope), re.sub(r" \) : (?!:).*$", " )", " ".join(words))))
    return found


def public_headers(folders):
    """The headers that users include: all but those of sfumato/."""
    for folder in folders:
        for path in sorted(Path(folder).rglob("*.h")):
            name = path.relative_to(folder).as_posix()
            if not name.startswith("sfumato/"):
                yield name
