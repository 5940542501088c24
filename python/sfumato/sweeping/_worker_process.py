# SPDX-License-Identifier: Apache-2.0
"""A worker: a process started by exec that executes cases (_executor.py).

To it     frame C: {"fields", "base", "id"} of a case; frame A: {"name", "array"}, an array that cases name by its hash
From it   frame R for each case in turn: its result, JSON
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import sys
from pathlib import Path

from ..judging._frames import HEADER, decode
from ._case import Case
from ._executor import Executor
from ._runner import receive


def main():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stream = socket.socket(fileno=int(sys.argv[1]))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # of references
    executor = Executor(int(sys.argv[2]), sys.argv[3], float(sys.argv[4]), int(sys.argv[5]))
    try:
        while (frame := receive(stream)) is not None:
            told = decode(frame[1])
            if frame[0] == b"A":
                told["array"].flags.writeable = False
                executor.arrays[told["name"]] = told["array"]
                continue
            result = executor.run(Case(told["fields"], Path(told["base"]), told["id"]))
            data = json.dumps(result).encode()
            stream.sendall(HEADER.pack(b"R", len(data)) + data)
    except ConnectionError:
        pass
    finally:
        executor.close()
        shutil.rmtree(sys.argv[3], ignore_errors=True)  # of a client that was killed, too


if __name__ == "__main__":
    main()
