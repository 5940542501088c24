# SPDX-License-Identifier: Apache-2.0
"""Operator projects that are no folder: a mapping of paths to texts, JSON, or a Python text with one variable a file, as
generators write them. Each is laid out once in the cache, under the hash of its texts."""

import os
from collections.abc import Mapping

from ._native import Error, snake_name
from ._texts import laid_out

# Variables of a Python text, and the file each is, {op} being the operator's name in snake case.
_VARIABLES = {
    "host_tiling_src": "op_host/{op}_tiling.h",
    "host_operator_src": "op_host/{op}.cpp",
    "kernel_src": "op_kernel/{op}.cpp",
}


def project_folder(project) -> str:
    """The folder of a project: its path, or where its texts were laid out.

    project     a path; {"op_host/add.cpp": text, ...}; JSON of such a mapping, or of {"files": [{"path", "content"}]}; or
                Python source that assigns project_json_src, host_tiling_src, host_operator_src and kernel_src
    """
    import json

    if isinstance(project, Mapping):
        return laid_out("projects", _files_of(project), "load_op")
    if not isinstance(project, (str, bytes, os.PathLike)):
        kind = type(project).__name__
        raise Error(f"load_op: a project is a path, a mapping of paths to texts, or a text, not {kind}")
    text = os.fspath(project)
    if isinstance(text, bytes):
        text = os.fsdecode(text)
    if "\n" not in text and not text.lstrip().startswith(("{", "[")):
        return text
    if text.lstrip().startswith(("{", "[")):
        try:
            return laid_out("projects", _files_of(json.loads(text)), "load_op")
        except json.JSONDecodeError as error:
            raise Error(f"load_op: the text is no JSON: {error}") from None
    return laid_out("projects", _python_files(text), "load_op")


def _files_of(value) -> dict[str, str]:
    if isinstance(value, Mapping) and isinstance(value.get("files", value.get("sources")), list):
        value = value.get("files", value.get("sources"))
    if isinstance(value, list):
        entries = [(e.get("path"), e.get("content")) if isinstance(e, Mapping) else (None, None) for e in value]
    elif isinstance(value, Mapping):
        entries = list(value.items())
    else:
        entries = [(None, None)]
    for path, content in entries:
        if not isinstance(path, str) or not isinstance(content, str):
            raise Error(
                'load_op: a project as a mapping is {"op_host/add.cpp": text, ...}, or {"files": [{"path": ..., "content": '
                f"...}}]}}; found an entry {path!r}: {type(content).__name__}"
            )
    return dict(entries)


def _python_files(text: str) -> dict[str, str]:
    import ast
    import json

    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise Error(f"load_op: the text is neither a path, JSON nor Python: {error}") from None
    values = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            try:
                values[node.targets[0].id] = ast.literal_eval(node.value)
            except ValueError:
                continue
    missing = [name for name in ("project_json_src", *_VARIABLES) if not isinstance(values.get(name), str)]
    if missing:
        raise Error(f"load_op: the Python text does not assign {', '.join(missing)}: each is one file of the project")
    try:
        description = json.loads(values["project_json_src"])
        name = description[0]["op"]
    except (json.JSONDecodeError, LookupError, TypeError) as error:
        raise Error(f"load_op: project_json_src is no description of an operator: {error!r}") from None
    op = snake_name(name)
    return {path.format(op=op): values[variable] for variable, path in _VARIABLES.items()}
