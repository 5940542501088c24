# SPDX-License-Identifier: Apache-2.0
"""Names that the modules do not have are answered in a sentence."""

import pytest
import sfumato
from sfumato import tik


@pytest.mark.parametrize(
    ("module", "name", "text"),
    [
        (
            sfumato,
            "trace",
            "sfumato has no 'trace'; it is kernel[blocks].options(log=print), a line for each instruction",
        ),
        (sfumato, "jit", "sfumato has no 'jit'; it is sfumato.compile(source, chip=...)"),
        (sfumato, "compil", "sfumato has no 'compil'; did you mean compile, precompile?"),
        (sfumato, "kernel_error", "sfumato has no 'kernel_error'; did you mean KernelError?"),
        (sfumato, "zzz", "sfumato has no 'zzz'"),
        (tik, "scope_ub", "sfumato.tik has no 'scope_ub'; did you mean scope_ubuf, scope_cb, scope_cbuf?"),
        (
            tik,
            "vec_adds",
            "sfumato.tik has no 'vec_adds'; it is a call of a Tik instance: t = tik.Tik(); t.vec_adds(...)",
        ),
        (tik, "zzz", "sfumato.tik has no 'zzz'"),
    ],
)
def test_a_missing_name(module, name, text):
    with pytest.raises(AttributeError) as caught:
        getattr(module, name)
    assert str(caught.value) == text
    assert not hasattr(module, name)
