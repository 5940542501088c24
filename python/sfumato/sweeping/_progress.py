# SPDX-License-Identifier: Apache-2.0
"""How far a sweep is: a bar on a terminal where tqdm is installed, else a line every ten seconds."""

import sys
import time

_EVERY = 10.0


class Progress:
    """`held` cases have their results already."""

    def __init__(self, count: int, held: int, shown: bool):
        self._count, self._done, self._failed = count, 0, 0
        self._begun = self._told = time.monotonic()
        self._shown = shown and count > 0
        self._bar = None
        if shown and held:
            print(f"{held} of {held + count} cases have results", file=sys.stderr)
        if self._shown and sys.stderr is not None and sys.stderr.isatty():
            try:
                from tqdm import tqdm

                self._bar = tqdm(total=count, unit="case", file=sys.stderr, smoothing=0.05)
            except ImportError:
                pass

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begun

    def add(self, result: dict) -> None:
        self._done += 1
        self._failed += not result["ok"]
        if self._bar is not None:
            self._bar.update()
            if not result["ok"]:
                self._bar.set_postfix_str(f"{self._failed} not right", refresh=False)
        elif self._shown and time.monotonic() - self._told >= _EVERY:
            self._told = time.monotonic()
            self._tell()

    def _tell(self):
        rate = self._done / max(self.seconds, 1e-9)
        left = (self._count - self._done) / rate
        clock = f"{left // 3600:.0f}:{left % 3600 // 60:02.0f}:{left % 60:02.0f}"
        print(
            f"{self._done} of {self._count} cases, {rate:.1f}/s, {clock} left, {self._failed} not right",
            file=sys.stderr,
        )

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
