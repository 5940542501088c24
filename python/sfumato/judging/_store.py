# SPDX-License-Identifier: Apache-2.0
"""Keeps verdicts and compiled objects, each in a file named by the hash of all it depends on. Files appear by rename."""

import contextlib
import itertools
import json
import os
import zlib
from pathlib import Path

from .. import _native
from .._processes.frames import BadFrame, decode, encode

LIMIT = 1 << 30  # bytes of compiled objects; the least recently used go first
_EVICT_EVERY = 128  # calls of keep_objects


class Store:
    """folder: None for `judge` in the compiler's cache."""

    def __init__(self, folder=None):
        self.folder = Path(folder) if folder is not None else Path(_native.cache_dir()) / "judge"
        self._new = itertools.count()
        self._kept = itertools.count(1)

    def _path(self, kind, key):
        return self.folder / kind / key[:2] / key[2:]

    def _write(self, path, data):
        """Fails in silence: what is not kept is computed again."""
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            new = path.with_name(f"new-{os.getpid()}-{next(self._new)}")
            new.write_bytes(data)
            os.replace(new, path)

    def verdict(self, key):
        with contextlib.suppress(OSError, ValueError):
            return json.loads(self._path("verdicts", f"{key}.json").read_bytes())

    def keep_verdict(self, key, text):
        self._write(self._path("verdicts", f"{key}.json"), text.encode())

    def objects(self, key):
        """What a submission left in the compiler's cache: {name: bytes}."""
        path = self._path("compiled", key)
        with contextlib.suppress(OSError, zlib.error, BadFrame):
            data = path.read_bytes()
            with contextlib.suppress(OSError):
                os.utime(path)
            return decode(zlib.decompress(data))
        return {}

    def keep_objects(self, key, files):
        self._write(self._path("compiled", key), zlib.compress(encode(files), 1))
        if next(self._kept) % _EVICT_EVERY == 0:
            self._evict()

    def _evict(self):
        found = []
        for path in (self.folder / "compiled").glob("*/*"):
            with contextlib.suppress(OSError):
                found.append((path.stat().st_mtime, path.stat().st_size, path))
        total = sum(size for _, size, _ in found)
        for _, size, path in sorted(found):
            if total <= LIMIT:
                return
            with contextlib.suppress(OSError):
                path.unlink()
            total -= size
