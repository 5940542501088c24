# SPDX-License-Identifier: Apache-2.0
"""Python files of submissions and tasks, and the kernel that a TIK script builds."""

import importlib.util
import io
import sys
import time
from contextlib import redirect_stdout

from .. import _repeat
from .._errors import FIELDS, KernelError
from .launches import Launches
from .verdicts import Ended, of_error


def load(entry, folder, name="sfumato_task"):
    """The module of a Python file in the working folder."""
    sys.path[:0] = [path for path in (".", folder) if path]
    spec = importlib.util.spec_from_file_location(name, entry)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def place_of(error, path):
    """The last line of a script in a traceback, as a finding has it."""
    line, frame = getattr(error, "lineno", 0) or 0, error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == path:
            line = frame.tb_lineno
        frame = frame.tb_next
    return {"file": path, "line": line, "severity": "fault", "message": f"{type(error).__name__}: {error}"}


class Script(Launches):
    """The one kernel, or that of a name, which a TIK script builds."""

    def __init__(self, path, text, name, chip):
        from .. import tik
        from ..tik import _container, compat

        self._path, self._chip = path, chip
        compat.install()
        tik.set_current_compile_soc_info(chip)
        _container.registry.built = []
        names = {"__name__": "__main__", "__file__": path, "tik": tik}
        sys.path.insert(0, ".")
        try:
            exec(compile(text, path, "exec"), names)
        except KernelError as error:
            raise of_error(error) from None
        except tik.TikError as error:
            report = {field: getattr(error, field) for field in FIELDS if field != "related"}
            raise Ended("refused", str(error), report) from None
        except MemoryError:
            raise
        except BaseException as error:  # noqa: BLE001 - the script's
            text = f"{type(error).__name__}: {error}"
            raise Ended("no-compile", text, findings=[place_of(error, path)]) from None
        built = [kernel for kernel in _container.registry.built if name in (None, kernel.kernel_name)]
        if len(built) != 1:
            raise Ended("invalid", f"the script builds {len(built)} kernels; one is judged")
        self._kernel = built[0]

    def run(self, inputs, specs, options):
        """inputs: arrays of this run alone, in the order of the kernel's where their names are others."""
        wanted = [value.name for value in self._kernel.inputs]
        feed = dict(inputs)
        if wanted != list(inputs) and len(wanted) == len(inputs):
            feed = dict(zip(wanted, inputs.values()))
        self.repeat = _repeat.tik(self._path, self._chip, feed, specs, options)
        began = time.perf_counter()
        with redirect_stdout(io.StringIO()):
            arrays = self._kernel.run(feed, **options)
        return self.told(began, self._kernel.last, dict(zip(specs, arrays)), None)
