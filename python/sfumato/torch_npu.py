# SPDX-License-Identifier: Apache-2.0
"""`import sfumato.torch_npu` is `import torch_npu` of the toolkit folder, for programs that nobody told of it.

Import it before the program imports torch_npu. Needs PyTorch; nothing else of Sfumato does.
"""

import importlib.util
import os
import sys
from pathlib import Path

_INSIDE = "share/sfumato/ascend/python/torch_npu/__init__.py"


def _find():
    package = Path(__file__).parent
    places = [package / _INSIDE]
    if os.environ.get("ASCEND_HOME_PATH"):
        places.append(Path(os.environ["ASCEND_HOME_PATH"], "python/torch_npu/__init__.py"))
    for place in places:
        if place.is_file():
            return place
    raise ImportError(f"sfumato.torch_npu: there is no torch_npu at {' or '.join(map(str, places))}")


def _load():
    place = _find()
    known = sys.modules.get("torch_npu")
    if known is not None:
        if hasattr(known, "KernelFault"):
            return known
        raise ImportError(f"sfumato.torch_npu: another torch_npu is imported already: {known.__file__}")
    spec = importlib.util.spec_from_file_location("torch_npu", place, submodule_search_locations=[str(place.parent)])
    module = importlib.util.module_from_spec(spec)
    sys.modules["torch_npu"] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules["torch_npu"]
        raise
    return module


torch_npu = _load()
register = torch_npu.register
