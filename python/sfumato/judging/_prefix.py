# SPDX-License-Identifier: Apache-2.0
"""What kernels include first, compiled once for all jobs of a Judge; jobs read it and cannot write it."""

import contextlib
import os
import shutil
import tempfile
import threading
import weakref

from .._kernel import precompile
from .._native import Error
from .._processes import system

_NAME = "sfumato-judge-prefix-"
_WORTH_IT = 2  # kernels compiled without it: it takes as long to make as three


class Prefix:
    """chip and compile: of the Judge. environment is that of its workers."""

    def __init__(self, chip, compile):
        self._chip, self._compile, self._count, self._maker = chip, compile, 0, None
        self.folder = None
        # A job's own cache goes with the job: there it would be made for nobody.
        self.environment = {"SFUMATO_PRECOMPILE": "0"}
        if os.environ.get("SFUMATO_PREFIX"):
            return
        _remove_those_of_the_dead()
        self.folder = tempfile.mkdtemp(prefix=f"{_NAME}{os.getpid()}-")
        self._remove = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        os.chmod(self.folder, 0o755)  # jobs are other users
        self.environment["SFUMATO_PREFIX"] = self.folder

    def compiled(self):
        """A job has compiled a kernel. It is made in the background."""
        self._count += 1
        if self.folder and self._count == _WORTH_IT:
            self._maker = threading.Thread(target=self._make, name="sfumato-prefix", daemon=True)
            self._maker.start()

    def _make(self):
        words = {name: self._compile[name] for name in ("defines", "include_dirs", "flags") if name in self._compile}
        # Where it cannot be made, kernels are compiled without it.
        with contextlib.suppress(Error):
            precompile(self._chip, folder=self.folder, **words)

    def close(self):
        if self._maker:
            self._maker.join()
        if self.folder:
            self._remove()


def _remove_those_of_the_dead():
    folder = tempfile.gettempdir()
    for name in os.listdir(folder):
        owner = name.removeprefix(_NAME).partition("-")[0]
        if name.startswith(_NAME) and owner.isdigit() and not system.is_process(owner):
            shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
