# SPDX-License-Identifier: Apache-2.0
"""Compiles libtorch_npu against the PyTorch that is installed, once, into the cache of compiled kernels."""

import ctypes
import hashlib
import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path

from ._where import INCLUDE, LIBRARY, VERSION

HERE = Path(os.path.abspath(__file__)).parent
OLDEST = (2, 1)  # the first with hooks of a private device


def _from_here(path):
    return Path(os.path.normpath(HERE / path))


def include_folder():
    """Sfumato's own headers, acl/ among them."""
    return _from_here(INCLUDE)


def library_folder():
    """The folder of libsfumato."""
    return _from_here(LIBRARY)


def toolkit_folder():
    """The folder shaped like the vendor's toolkit in which this package lies."""
    return HERE.parent.parent


def refuse_another():
    """Raises ImportError where another torch_npu could be imported: one process has one such device."""
    for folder in sys.path:
        try:
            spec = importlib.machinery.PathFinder.find_spec("torch_npu", [folder])
        except (ImportError, OSError):
            continue
        if not spec or not spec.origin or os.path.samefile(Path(spec.origin).parent, HERE):
            continue
        raise ImportError(
            f"two packages are called torch_npu: {Path(spec.origin).parent} and Sfumato's {HERE}. "
            "Uninstall the first, or leave out Sfumato's (sfumato env without --torch, no import sfumato.torch_npu)"
        )


def _version(torch):
    return tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])


@cache
def _key():
    import torch

    if _version(torch) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise ImportError(f"torch_npu of Sfumato needs PyTorch {oldest} or newer, found {torch.__version__}")
    sources = hashlib.sha256()
    for path in sorted(p for folder in ("csrc", "include") for p in (HERE / folder).rglob("*") if p.is_file()):
        sources.update(path.read_bytes())
    parts = [
        torch.__version__,
        f"abi{int(torch._C._GLIBCXX_USE_CXX11_ABI)}",
        sys.implementation.cache_tag,
        VERSION,
        str(Path(torch.__file__).parent),
        str(library_folder()),
        sources.hexdigest(),
    ]
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    return f"{torch.__version__}-{sys.implementation.cache_tag}-{digest}"


def _cache():
    for name, below in (("SFUMATO_CACHE", ""), ("XDG_CACHE_HOME", "sfumato")):
        if os.environ.get(name):
            return Path(os.environ[name]) / below
    return Path.home() / ".cache" / "sfumato"


def folder():
    """What programs find as the folder of torch_npu: include/, and lib/libtorch_npu.so."""
    return _cache() / "torch" / _key() / "torch_npu"


def _compiler():
    name = os.environ.get("SFUMATO_CXX") or "g++"
    path = shutil.which(name.split()[0])
    if not path:
        raise ImportError(f"torch_npu: compiling it for this PyTorch needs a C++ compiler; there is no {name}")
    return [path, *name.split()[1:]]


def _command(output):
    import torch
    from torch.utils import cpp_extension

    includes = [HERE / "csrc", HERE / "include", include_folder()]
    system = [*cpp_extension.include_paths(), sysconfig.get_paths()["include"]]
    libraries = cpp_extension.library_paths()
    return [
        *_compiler(),
        *"-std=c++17 -O2 -fPIC -shared -fvisibility=hidden -w -Wl,-soname,libtorch_npu.so".split(),
        f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}",
        *(f"-I{path}" for path in includes),
        *(word for path in system for word in ("-isystem", str(path))),
        str(HERE / "csrc" / "torch_npu.cpp"),
        "-o",
        str(output),
        *(f"-L{path}" for path in [*libraries, library_folder()]),
        *"-lc10 -ltorch -ltorch_cpu -ltorch_python -lsfumato".split(),
        *(f"-Wl,-rpath,{path}" for path in [*libraries, library_folder()]),
    ]


def _make(made):
    """Fills a folder beside and renames it: another process may do the same."""
    made.parent.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=made.parent.parent) as scratch:
        new = Path(scratch, "torch_npu")
        third_party = new / "include" / "third_party" / "acl" / "inc"
        for path in (new / "lib", third_party):
            path.mkdir(parents=True)
        (new / "include" / "torch_npu").symlink_to(HERE / "include" / "torch_npu")
        (third_party / "acl").symlink_to(include_folder() / "acl")
        (new / "__init__.py").symlink_to(HERE / "__init__.py")
        command = _command(new / "lib" / "libtorch_npu.so")
        print(f"torch_npu: compiling for PyTorch {_key().split('-')[0]}, once", file=sys.stderr)
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise ImportError(f"torch_npu does not compile:\n{' '.join(command)}\n{done.stdout}")
        made.parent.mkdir(exist_ok=True)
        try:
            os.rename(new, made)
        except OSError:
            if not made.is_dir():
                raise


def load(package):
    """The module torch_npu._C, compiled where it is not yet."""
    import torch  # noqa: F401  (its libraries)

    made = folder()
    library = made / "lib" / "libtorch_npu.so"
    if not library.is_file():
        _make(made)
    # An extension that was linked by the name alone, or whose linker left out what it thought unneeded, finds its functions.
    ctypes.CDLL(str(library), ctypes.RTLD_GLOBAL)
    name = f"{package}._C"
    loader = importlib.machinery.ExtensionFileLoader(name, str(library))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    sys.modules[name] = module
    return module
