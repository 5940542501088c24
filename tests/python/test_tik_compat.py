# SPDX-License-Identifier: Apache-2.0
"""The vendor's import lines, and the questions about the chip."""

import os
import subprocess
import sys

import pytest
from tik_table import CHIPS, table

import sfumato.tik.compat  # noqa: F401
from sfumato import tik
from sfumato._native import tik as native


def run_python(code, **options):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, **options)


def test_import_lines():
    from tbe import tik as of_tbe
    from te import tik as of_te

    assert of_tbe is tik and of_te is tik

    from tbe.common.platform import api_check_support, get_soc_spec, set_current_compile_soc_info
    from te.platform.cce_conf import te_set_version

    assert set_current_compile_soc_info("Ascend310") == "success"
    assert get_soc_spec("SOC_VERSION") == "Ascend310" and not api_check_support("tik.vreduce")
    assert te_set_version("Ascend910B1") == "success"
    assert get_soc_spec("SHORT_SOC_VERSION") == "Ascend910B" and api_check_support("tik.vreduce", "float32")

    import tbe.common.platform as tbe_platform
    import tbe.tik as again

    assert again is tik and tbe_platform.get_soc_spec(tbe_platform.UB_SIZE) == 196608


def test_import_lines_under_env():
    code = """
from te import tik as old
from te.platform.cce_conf import te_set_l2_mode
from tbe import tik
from tbe.common.platform import get_soc_spec
tik.Tik()
print(old is tik, get_soc_spec("SOC_VERSION"))
"""
    command = [os.environ["SFUMATO_COMMAND"], "env", "--chip", "Ascend310P3", "--", sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("True Ascend310P3\n", "", 0)


def test_imports_of_operators_for_dynamic_shapes():
    import te.lang.dynamic  # noqa: F401
    from tbe.common.utils.errormgr import get_error_message
    from te.op import register_operator
    from te.utils.error_manager import error_manager_util, error_manager_vector
    from te.utils.op_utils import check_op_params

    assert register_operator("Name")(test_import_lines) is test_import_lines and callable(check_op_params)
    words = {"errCode": "E80001", "op_name": "one", "value": 3}
    assert get_error_message(words) == error_manager_util.get_error_message(words) == "E80001: op_name: one, value: 3"
    with pytest.raises(RuntimeError, match="raise_err_input_value_invalid: one, axis, 0 to 3, 7"):
        error_manager_vector.raise_err_input_value_invalid("one", "axis", "0 to 3", 7)
    with pytest.raises(
        ImportError, match="cannot import name 'other' from 'te.utils.error_manager.error_manager_vector'"
    ):
        from te.utils.error_manager.error_manager_vector import other  # noqa: F401
    with pytest.raises(ModuleNotFoundError, match="'te.lang.cce': the DSL is scheduled"):
        import te.lang.cce  # noqa: F401
    with pytest.raises(ImportError, match="'te.lang.dynamic.classify': the DSL is scheduled"):
        from te.lang.dynamic import classify  # noqa: F401


def test_what_is_not_there_is_refused():
    with pytest.raises(ModuleNotFoundError, match="'tbe.dsl': the DSL is scheduled by .*; .*offers tbe.tik"):
        import tbe.dsl  # noqa: F401
    with pytest.raises(ImportError, match="cannot import name 'vadd' from 'te.platform': .* te_set_version"):
        from te.platform import vadd  # noqa: F401
    with pytest.raises(ModuleNotFoundError, match="'tbe.common.context': sfumato.tik.compat offers"):
        from tbe.common import context  # noqa: F401
    with pytest.raises(ModuleNotFoundError, match="'impl': the toolkit's operator library is not part of TIK"):
        from impl import constant_util  # noqa: F401


def test_a_package_of_the_users_own_named_impl_is_found(tmp_path):
    (tmp_path / "impl").mkdir()
    (tmp_path / "impl" / "sizes.py").write_text("BLOCK = 32")
    done = run_python("import sfumato.tik.compat\nfrom impl import sizes\nprint(sizes.BLOCK)", cwd=tmp_path)
    assert done.stdout == "32\n", done.stderr


def test_helpers_of_operators():
    from tbe.common.platform import get_bit_len, get_soc_spec, set_current_compile_soc_info
    from tbe.common.register import register_op_compute, register_operator
    from te.platform.cce_conf import te_set_l2_mode, te_set_version
    from te.tik.common.util import DTYPE_SIZE, ceil_div, reduce_mul

    def function():
        return 1

    assert register_operator("Mine")(function) is function
    assert register_op_compute("Mine", op_mode="static")(function) is function
    assert te_set_version("Ascend310", l2_mode="1") == "success" and te_set_l2_mode(1) is None
    assert [get_bit_len(dtype) for dtype in ("int8", "float16", "bfloat16", "uint64", "bool")] == [8, 16, 16, 64, 8]
    with pytest.raises(tik.TikError, match="'half'"):
        get_bit_len("half")
    assert DTYPE_SIZE["float32"] == 4 and ceil_div(33, 16) == 3 and reduce_mul((2, 3, 4)) == 24
    set_current_compile_soc_info("Ascend910A")
    assert get_soc_spec("CUBE_SIZE") == (16, 16, 16)


def test_an_installed_toolkit_is_not_touched(tmp_path):
    toolkit = tmp_path / "tbe"
    toolkit.mkdir()
    (toolkit / "__init__.py").write_text("raise SystemExit('the installed toolkit was loaded')")
    lines = [f"import sys; sys.path.insert(0, {str(tmp_path)!r})", "import sfumato.tik.compat"]
    lines += ["from tbe import tik", "print(tik)"]
    done = run_python("\n".join(lines))
    assert "sfumato" in done.stdout, done.stderr
    assert list(toolkit.iterdir()) == [toolkit / "__init__.py"]


def test_without_compat_there_is_no_tbe():
    done = run_python("import sfumato.tik, sys; print('tbe' in sys.modules)")
    assert done.stdout == "False\n", done.stderr


@pytest.mark.parametrize(
    ("name", "core_type", "product", "cores", "ub"),
    [
        ("Ascend310", "AiCore", "Ascend310", 2, 253952),
        ("Ascend910A", "AiCore", "Ascend910A", 32, 262144),
        ("Ascend910", "AiCore", "Ascend910A", 32, 262144),
        # The vendor's full name Ascend910B is of the first generation.
        ("Ascend910B", "AiCore", "Ascend910A", 32, 262144),
        ("Ascend910B3", "AiCore", "Ascend910B3", 20, 196608),
        ("Ascend910_9392", "AiCore", "Ascend910_9392", 24, 196608),
        ("Ascend310P3", "AiCore", "Ascend310P3", 8, 262144),
        ("Ascend310P3", "VectorCore", "Ascend310P3-Vector", 7, 262144),
        ("Ascend310B1", "AiCore", "Ascend310B1", 1, 253952),
    ],
)
def test_chips(name, core_type, product, cores, ub):
    tik.set_current_compile_soc_info(name, core_type)
    t = tik.Tik()
    assert t.soc.product == product
    profile = tik.Dprofile()
    assert profile.get_aicore_num() == cores == tik.get_soc_spec("CORE_NUM")
    assert profile.get_unified_buffer_size() == ub == tik.get_soc_spec("UB_SIZE")
    assert profile.buffer_size_query(tik.scope_ubuf) == ub
    assert tik.get_soc_spec("AICORE_TYPE") == core_type


def test_dprofile_chooses():
    tik.Tik(tik.Dprofile("v100", "mini"))
    assert tik.get_soc_spec("SOC_VERSION") == "Ascend310"
    assert tik.Dprofile().get_product_name() == "mini"
    tik.Tik(tik.Dprofile("v100", "cloud"))
    assert tik.get_soc_spec("SHORT_SOC_VERSION") == "Ascend910"


def test_conversions_of_the_chips():
    for chip, modes in {"Ascend310": "", "Ascend910A": "f322s32r", "Ascend910B1": "f322s32r"}.items():
        tik.set_current_compile_soc_info(chip)
        assert tik.api_check_support("tik.vconv", "f322s32r") == bool(modes)
        assert tik.api_check_support("tik.vconv", "f162f32")


# Where the type table and the chips differ: what it lists and nothing here runs, and what runs and it does not list.
LISTED_ONLY = {
    ("Ascend310P-Vector", "vshl"): {"float16", "float32"},
    ("Ascend910B", "vcmp"): {"int16"},
    **{(family, "vconv"): {"f162s4"} for family in ("Ascend310P", "Ascend310P-Vector")},
    **{
        (family, "vconv"): {"bf162f32", *(f"{pair}{mode}" for pair in ("f322bf16", "bf162s32") for mode in "rfcaz")}
        for family in ("Ascend910B", "Ascend310B")
    },
}
NOT_LISTED = {("Ascend310P-Vector", name): {"float16", "float32"} for name in ("vaxpy", "vmla")}


def test_support_is_what_the_chips_have():
    for family, chip in CHIPS.items():
        tik.set_current_compile_soc_info(*((chip[: -len("-Vector")], "VectorCore") if "Vector" in chip else (chip,)))
        for name, row in table().items():
            # The row of mmad mixes in what becomes of results; a scaled vconv is "deq" and s322f16.
            if native.support(family, name) is None or name == "mmad":
                continue
            listed = {one for one in row[family].split(",") if one}
            has = set(native.support(family, name)) - {"deq"}
            assert listed - has - {"deq"} == LISTED_ONLY.get((family, name), set()), (family, name)
            assert has - listed == NOT_LISTED.get((family, name), set()), (family, name)
            assert {one for one in listed | has if tik.api_check_support(f"tik.{name}", one)} >= has


def test_support_is_what_runs():
    """An answer about a call holds: the call is recorded for that type, and refused for the others."""
    tik.set_current_compile_soc_info("Ascend310P3", "VectorCore")
    assert tik.api_check_support("tik.vshl", "int32") and not tik.api_check_support("tik.vshl", "float32")
    tik.set_current_compile_soc_info("Ascend910B1")
    assert tik.api_check_support("tik.vcmp", "float32") and not tik.api_check_support("tik.vcmp", "int16")
    assert tik.api_check_support("tik.mmad", "f32f16f16") and not tik.api_check_support("tik.mmad", "f16f16u2")
    # No call: as the type table has it.
    from tbe.common.platform import intrinsic_check_support

    assert intrinsic_check_support("Intrinsic_fix_pipe_l0c2out") and not tik.api_check_support("tik.vmergech")


def test_wrong_questions():
    with pytest.raises(tik.TikError, match="Ascend310B1"):
        tik.set_current_compile_soc_info("Ascend950")
    with pytest.raises(tik.TikError, match="'AiCore', 'VectorCore'"):
        tik.set_current_compile_soc_info("Ascend310", "AiCpu")
    with pytest.raises(tik.TikError, match="UB_SIZE"):
        tik.get_soc_spec("UB")
    with pytest.raises(tik.TikError, match=r"\('v100', 'mini'\)"):
        tik.Dprofile("v999", "mini")
    tik.unset_product_version()
    with pytest.raises(tik.TikError, match="no chip has been chosen"):
        tik.Tik()


def test_tik_conf():
    assert tik.tik_conf.Dprofile is tik.Dprofile
    with pytest.raises(AttributeError, match="tik_conf.other is not there; tik_conf has Dprofile, "):
        tik.tik_conf.other  # noqa: B018 - that it raises


def test_every_name_of_the_table_exists():
    from sfumato.tik._calls import read_table, signature

    tik.set_product_version("Ascend910B1")
    t = tik.Tik()
    table = read_table()
    assert len(table) == 367
    for name, parameters in table.items():
        assert callable(getattr(t, name)), name
        signature(parameters)
    with pytest.raises(NotImplementedError, match=r"Sfumato does not implement vector_vadd; .*vector_vadd\(mask, dst"):
        t.vector_vadd(1, 2)
