# SPDX-License-Identifier: Apache-2.0
"""Commands that end in time, or say what was waited for: a debugger may wait for ever."""

import os
import shlex
import signal
import subprocess

TOLD_LINES = 20


def run(command, limit, **more):
    """subprocess.run of a command with pipes and text. After `limit` seconds it and what it started are ended, and the
    error tells the command and what it printed last."""
    process = subprocess.Popen(command, text=True, start_new_session=True, **more)

    def end():
        os.killpg(process.pid, signal.SIGKILL)
        try:  # a process of a group of its own may keep the pipes: a debugged one ends with its debugger
            return process.communicate(timeout=30)
        except subprocess.TimeoutExpired as rest:
            return [(text or b"").decode(errors="replace") for text in (rest.stdout, rest.stderr)]

    try:
        stdout, stderr = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        told = [line for text in end() for line in (text or "").splitlines()]
        shown = command if isinstance(command, str) else shlex.join(command)
        last = "\n".join(told[-TOLD_LINES:]) or "nothing"
        raise AssertionError(f"waited {limit} s for the end of\n{shown}\nIt printed last:\n{last}") from None
    except BaseException:
        end()
        raise
    return subprocess.CompletedProcess(command, process.returncode, stdout, stderr)
