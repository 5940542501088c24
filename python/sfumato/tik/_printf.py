# SPDX-License-Identifier: Apache-2.0
"""Where printf of a kernel prints (TIK page set_printf_params)."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from ._errors import fault
from ._where import here

_HEADER = 32  # bytes of every print
_MIB = 1 << 20


class Printf:
    """The settings of one Tik instance."""

    def __init__(self):
        self._workspace, self._length = 128, 512  # MiB, bytes
        self._to_screen, self._folder = True, None
        self._set_at = None
        self._used = False

    def set(self, print_workspace_size, single_print_length, is_printf_to_screen, printf_file_path) -> None:
        """The parameters of set_printf_params: once, and before the first printf."""
        if self._set_at is not None or self._used:
            found = "a second call" if self._set_at else "a call after printf"
            raise fault("the call comes once, before every printf", found=found)
        _require("print_workspace_size", print_workspace_size, 1, 32768)
        _require("single_print_length", single_print_length, 64, print_workspace_size * _MIB - _HEADER, 32)
        if not isinstance(is_printf_to_screen, bool):
            raise fault("it is True or False", found=repr(is_printf_to_screen))
        if printf_file_path is not None and not isinstance(printf_file_path, (str, os.PathLike)):
            raise fault("it is the path of a folder", found=repr(printf_file_path))
        self._workspace, self._length = print_workspace_size, single_print_length
        self._to_screen, self._folder = is_printf_to_screen, printf_file_path
        self._set_at = here()

    def check_format(self, text: str) -> None:
        """Before a printf of this format is recorded."""
        self._used = True
        if self._set_at is not None and len(text) > self._length - _HEADER:
            raise fault(
                "the format is longer than single_print_length allows",
                found=f"{len(text)} characters",
                legal=f"{self._length - _HEADER}: single_print_length - {_HEADER}",
            )

    def check_blocks(self, blocks: int) -> None:
        """When the kernel is built: the blocks share the space. 0 blocks: known at run time."""
        size = self._workspace * _MIB
        if not self._set_at or not blocks:
            return
        if size % blocks or size < blocks * (_HEADER + self._length):
            raise fault(
                "the blocks cannot share the space",
                where=self._set_at,
                found=f"{self._workspace} MB for {blocks} blocks of at least {_HEADER + self._length} bytes",
                legal=f"bytes divisible by block_num, at least {_HEADER} + single_print_length for each",
            )

    @contextlib.contextmanager
    def opened(self, kernel: str, screen: Callable[[str], object] | None = None) -> Iterator[Callable[[str], None]]:
        """Takes the text of one run; screen: instead of the standard output."""
        file = None
        if self._folder is not None:
            folder = Path(self._folder)
            folder.mkdir(parents=True, exist_ok=True)
            file = open(folder / f"{kernel}.txt", "w", encoding="utf-8")  # noqa: SIM115 - closed below
        if screen is None and self._to_screen:
            screen = sys.stdout.write
        try:
            yield lambda text: [write(text) for write in (screen, file and file.write) if write]
        finally:
            if file:
                file.close()


def _require(name, value, least, most, multiple=1):
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most or value % multiple:
        raise fault(
            "{operand} is outside its range",
            operand=name,
            found=repr(value),
            legal=f"{least}..{most}" + (f", a multiple of {multiple}" if multiple > 1 else ""),
        )
