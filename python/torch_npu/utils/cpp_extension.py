# SPDX-License-Identifier: Apache-2.0
"""Extensions with kernels, for setup.py: PyTorch's own, with the folders of the toolkit and of this package.

setup(ext_modules=[NpuExtension("ops", ["ops.cpp", "add.asc"])], cmdclass={"build_ext": BuildExtension})
"""

import os
import shutil
import subprocess

import torch
from torch.utils import cpp_extension

from .. import _build


def include_paths():
    """Headers of torch_npu and acl, and what kernels include."""
    own = _build.folder() / "include"
    return [str(own), str(own / "third_party" / "acl" / "inc"), str(_build.include_folder())]


def library_paths():
    """libtorch_npu and libsfumato."""
    return [str(_build.folder() / "lib"), str(_build.library_folder())]


def NpuExtension(name, sources, *args, language=None, **kwargs):
    """PyTorch's CppExtension for sources that use the device.

    Sources that end with .asc, or all of them under language="asc", may hold kernels and launches; BuildExtension of
    this module compiles them with bisheng.
    """
    kwargs["include_dirs"] = [*kwargs.get("include_dirs", []), *include_paths()]
    kwargs["library_dirs"] = [*kwargs.get("library_dirs", []), *library_paths()]
    kwargs["libraries"] = [*kwargs.get("libraries", []), "torch_npu", "sfumato"]
    kwargs["runtime_library_dirs"] = [*kwargs.get("runtime_library_dirs", []), *library_paths()]
    extension = cpp_extension.CppExtension(name, sources, *args, **kwargs)
    extension.asc_sources = [s for s in extension.sources if language == "asc" or s.endswith(".asc")]
    extension.sources = [s for s in extension.sources if s not in extension.asc_sources]
    return extension


def bisheng():
    """The compiler of the toolkit folder: $ASCEND_HOME_PATH, PATH, or where this package lies."""
    folders = [os.path.join(os.environ.get("ASCEND_HOME_PATH", ""), "bin"), *os.environ.get("PATH", "").split(":")]
    found = shutil.which("bisheng", path=":".join([*folders, str(_build.toolkit_folder() / "bin")]))
    if not found:
        raise RuntimeError('there is no bisheng: eval "$(sfumato env)" names the toolkit folder')
    return found


class BuildExtension(cpp_extension.BuildExtension):
    """PyTorch's, which compiles the kernel sources of NpuExtension first."""

    def build_extension(self, ext):
        for source in getattr(ext, "asc_sources", []):
            ext.extra_objects = [*ext.extra_objects, self._compile_asc(ext, source)]
        if ext.sources:
            return super().build_extension(ext)
        compile_sources = self.compiler.compile
        self.compiler.compile = lambda *_, **__: []  # PyTorch's wants one source at least
        try:
            return super().build_extension(ext)
        finally:
            self.compiler.compile = compile_sources

    def _compile_asc(self, ext, source):
        output = os.path.join(self.build_temp, ext.name, os.path.basename(source) + ".o")
        os.makedirs(os.path.dirname(output), exist_ok=True)
        extra = ext.extra_compile_args
        if isinstance(extra, dict):
            extra = extra.get("asc", extra.get("cxx", []))
        command = [bisheng(), "-x", "asc", "-c", source, "-o", output, "-fPIC", "-w", *extra]
        command += [f"-I{folder}" for folder in [*ext.include_dirs, *self.include_dirs]]
        command += [f"-D{name}" if value is None else f"-D{name}={value}" for name, value in ext.define_macros]
        command += [
            f"-DTORCH_EXTENSION_NAME={ext.name.split('.')[-1]}",
            "-DTORCH_API_INCLUDE_EXTENSION_H",
            f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}",
        ]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise RuntimeError(f"{source} does not compile:\n{done.stdout}")
        return output
