# SPDX-License-Identifier: Apache-2.0
"""Which cores a kernel runs on: declared, by qualifiers, derived from the compiled code; code for each kind of core."""

import numpy as np
import pytest

import sfumato

CHIP = "Ascend910B1"

HEAD = """
#include "kernel_operator.h"
using namespace AscendC;
__aicore__ inline void OnVector(GM_ADDR x) {
    TPipe pipe; LocalTensor<int32_t> t(TPosition::VECCALC, 0, 16);
    GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer((__gm__ int32_t*)x + 16 * GetBlockIdx(), 16);
    Duplicate(t, int32_t(1 + GetBlockIdx()), 16);
    SetFlag<HardEvent::V_MTE3>(0), WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(gm, t, 16);
}
__aicore__ inline void OnCube(GM_ADDR x) {
    SetHF32Mode(true);
    ((__gm__ int32_t*)x)[-1 - GetBlockIdx()] = 7;
}
"""

THREE = (
    HEAD
    + """
KERNEL void on_vector(GM_ADDR x) { OnVector(x + 64); }
KERNEL void on_cube(GM_ADDR x) { OnCube(x + 64); }
__attribute__((noinline)) void Either(GM_ADDR x) { if ASCEND_IS_AIC { OnCube(x); } else { OnVector(x); } }
KERNEL void on_both(GM_ADDR x) { Either(x + 64); }
KERNEL void on_none(GM_ADDR x) { GetBlockIdx(); }
"""
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("kinds")


@pytest.fixture
def build(folder, monkeypatch):
    """Compiles a text as k.cpp. One cache for all tests; build.objects() counts what the test has added to it."""
    monkeypatch.setenv("SFUMATO_CACHE", str(folder / "cache"))
    monkeypatch.chdir(folder)

    def objects():
        return set((folder / "cache").glob("*.so"))

    def compile(text, chip=CHIP, **options):
        (folder / "k.cpp").write_text(text.replace("KERNEL void", 'extern "C" __global__ __aicore__ void'))
        return sfumato.compile("k.cpp", chip=chip, **options)

    before = objects()
    compile.objects = lambda: len(objects() - before)
    return compile


def run(kernel, blocks=1, **options):
    """The cores that left a trace: cube cores count down from 16, vector cores up from it."""
    data = np.zeros(16 + 16 * 8, np.int32)
    result = kernel[blocks].options(**options)(data)
    cube = [15 - at for at in range(15, -1, -1) if data[at] == 7]
    vector = [at for at in range(8) if np.all(data[16 + 16 * at :][:16] == at + 1)]
    return cube, vector, result.task_type.removeprefix("KERNEL_TYPE_"), result.task_type_from


DERIVED = "derived from its code"


def test_one_file_with_kernels_of_three_kinds(build):
    lib = build(THREE)
    assert run(lib.on_vector, 2) == ([], [0, 1], "AIV_ONLY", DERIVED)
    assert run(lib.on_cube, 2) == ([0, 1], [], "AIC_ONLY", DERIVED)
    assert run(lib.on_both, 2) == ([0, 1], [0, 1, 2, 3], "MIX_AIC_1_2", DERIVED)
    assert run(lib.on_none) == ([], [], "AIV_ONLY", DERIVED)
    again = build(THREE)
    assert again.from_cache and run(again.on_both)[2] == "MIX_AIC_1_2"


def test_the_option_wins_over_what_is_derived(build):
    lib = build(THREE)
    chosen = "chosen by the launch"
    assert run(lib.on_both, 2, core="aiv") == ([], [0, 1], "AIV_ONLY", chosen)
    assert run(lib.on_both, 2, core="aic") == ([0, 1], [], "AIC_ONLY", chosen)
    assert run(lib.on_none, core="mix")[2:] == ("MIX_AIC_1_2", chosen)
    with pytest.raises(sfumato.Error) as refused:
        run(lib.on_none, core="both")
    assert str(refused.value) == "core='both' is not known; legal: 'default', 'aiv', 'aic', 'mix'"


def test_without_symbols_each_kernel_has_what_the_source_needs(build):
    lib = build(THREE, flags=["-s"])
    assert run(lib.on_both)[2:] == ("MIX_AIC_1_2", DERIVED)
    assert run(lib.on_none)[2:] == ("MIX_AIC_1_2", DERIVED)


def test_an_unoptimised_kernel(build):
    lib = build(THREE, flags=["-O0"])
    assert [run(k)[2] for k in (lib.on_vector, lib.on_cube, lib.on_both)] == ["AIV_ONLY", "AIC_ONLY", "MIX_AIC_1_2"]


QUALIFIERS = {
    "__vector__": ([], [0, 1], "AIV_ONLY"),
    "__cube__": ([0, 1], [], "AIC_ONLY"),
    "__mix__(1, 0)": ([0, 1], [], "MIX_AIC_1_0"),
    "__mix__(0, 1)": ([], [0, 1], "MIX_AIV_1_0"),
    "__mix__(1, 1)": ([0, 1], [0, 1], "MIX_AIC_1_1"),
    "__mix__(1, 2)": ([0, 1], [0, 1, 2, 3], "MIX_AIC_1_2"),
}


def test_qualifiers(build):
    either = "(GM_ADDR x) { if ASCEND_IS_AIC { OnCube(x + 64); } else { OnVector(x + 64); } }\n"
    kernels = [
        f'extern "C" __global__ {q} __schedmode__(1) void k{i}{either}template <int> __global__ {q} void t{i}{either}'
        for i, q in enumerate(QUALIFIERS)
    ]
    lib = build(HEAD + "".join(kernels), instantiations=[f"t{i}<3>" for i in range(len(QUALIFIERS))])
    for i, (qualifier, expected) in enumerate(QUALIFIERS.items()):
        for name in (f"k{i}", f"t{i}<3>"):
            assert run(lib[name], 2, core="aiv") == (*expected, f"declared by {qualifier}")


def test_the_qualifier_of_each_of_several_functions_of_a_name(build):
    lib = build(
        '#include "kernel_operator.h"\n__global__ void f(GM_ADDR x) {}\nnamespace ops {\n'
        "__global__ __cube__ void f(GM_ADDR x);\n__global__ void f(GM_ADDR x) {}\n"
        "template <int> __global__ __mix__(1, 1) void t(GM_ADDR x) {}\n}\nusing namespace ops;\n",
        instantiations=["t<1>", "::ops::t <2>"],
    )
    types = {name: lib[name][1](np.zeros(1, np.uint8)).task_type for name in lib.kernels}
    assert types == {
        "f": "KERNEL_TYPE_AIV_ONLY",
        "ops::f": "KERNEL_TYPE_AIC_ONLY",
        "t<1>": "KERNEL_TYPE_MIX_AIC_1_1",
        "::ops::t <2>": "KERNEL_TYPE_MIX_AIC_1_1",
    }


def test_a_helper_s_declaration_for_a_key_is_not_the_kernel_s(build):
    lib = build(
        '#include "kernel_operator.h"\nvoid Other() { KERNEL_TASK_TYPE(1, KERNEL_TYPE_AIC_ONLY); }\n'
        'extern "C" __global__ void k(GM_ADDR x) {}\n'
    )
    data = np.zeros(1, np.uint8)
    assert lib.k[1](data).task_type_from == DERIVED
    assert lib.k[1].options(tiling_key=1)(data).task_type == "KERNEL_TYPE_AIC_ONLY"


def test_wrong_qualifiers(build):
    legal = (
        "legal is one of __vector__, __cube__, __mix__(1, 0), __mix__(0, 1), __mix__(1, 1), __mix__(1, 2), and "
        "__schedmode__(0) or __schedmode__(1), in numbers"
    )
    for qualifier, said in [
        ("__mix__(1,K)", "__mix__(1, K)"),
        ("__vector__ __cube__ __schedmode__(2)", "__vector__ __cube__ __schedmode__(2)"),
    ]:
        with pytest.raises(sfumato.Error) as refused:
            build(f'#include "kernel_operator.h"\n__global__ {qualifier} void k() {{}}\n')
        assert str(refused.value) == f"k.cpp:2: kernel 'k' is declared {said}; {legal}"


def test_a_qualifier_and_a_declaration_that_contradict_each_other(build):
    lib = build(
        '#include "kernel_operator.h"\n__global__ __vector__ void k(GM_ADDR x) {\n'
        "    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);\n    *x = 1;\n}\n"
    )
    data = np.zeros(4, np.uint8)
    with pytest.raises(sfumato.KernelError) as refused:
        lib.k[1](data)
    assert str(refused.value.result.findings[0]) == (
        "fault [task-type-conflict] KERNEL_TASK_TYPE: the qualifier of the function says otherwise\n"
        "  where:  k.cpp:3, kernel k (Ascend910B)\n"
        "  found:  KERNEL_TYPE_MIX_AIC_1_2: KERNEL_TYPE_MIX_AIC_1_2 in a function with __vector__\n"
        "  legal:  __vector__ means KERNEL_TYPE_AIV_ONLY\n"
        "  do:     remove one of the two"
    )
    assert not data.any()


def test_cube_code_in_a_vector_kernel(build):
    lib = build(HEAD + "__global__ __cube__ void k(GM_ADDR x) { OnVector(x + 64); }\n")
    with pytest.raises(sfumato.KernelError) as refused:
        run(lib.k)
    assert str(refused.value.result.findings[0]) == (
        "fault [core-kind] Duplicate: a cube core has no UB\n"
        "  where:  k.cpp:8, kernel k, core aic0, instruction 0 (Ascend910B)\n"
        "  found:  dst: the kernel runs on a cube core; its type is KERNEL_TYPE_AIC_ONLY, declared by __cube__\n"
        "  legal:  a vector core of Ascend910B\n"
        "  do:     declare a type that has vector cores, or guard the call with ASCEND_IS_AIV"
    )


CHOSEN = {
    "c220": "#if defined(__DAV_C220_CUBE__)\nOnCube(x + 64);\n#elif __DAV_C220_VEC__\nOnVector(x + 64);\n#endif\n",
    "dav": "#ifdef __DAV_CUBE__\nOnCube(x + 64);\n#endif\n#ifdef __DAV_VEC__\nOnVector(x + 64);\n#endif\n",
    "type": "if constexpr (g_coreType == AscendC::AIC) OnCube(x + 64); else OnVector(x + 64);\n",
    "macro": "if constexpr (ASCEND_IS_AIV) OnVector(x + 64); else OnCube(x + 64);\n",
}


def test_code_that_is_chosen_when_it_is_compiled(build):
    kernels = [f"KERNEL void {name}(GM_ADDR x) {{\n{body}}}\n" for name, body in CHOSEN.items()]
    source = f"{HEAD}{''.join(kernels)}KERNEL void v(GM_ADDR x) {{ OnVector(x + 64); }}\n"
    lib = build(source)
    for name in CHOSEN:
        assert run(lib[name], 2) == ([0, 1], [0, 1, 2, 3], "MIX_AIC_1_2", DERIVED)
    assert run(lib.v, 2) == ([], [0, 1], "AIV_ONLY", DERIVED)
    assert run(lib.c220, 1, core="aic")[:2] == ([0], [])
    assert run(lib.type, 1, core="aiv")[:2] == ([], [0])
    assert build.objects() == 2
    again = build(source)
    assert again.from_cache and run(again.c220)[:2] == ([0], [0, 1])


def test_a_constant_expression_only_the_compiler_sees(build):
    lib = build(
        HEAD
        + """
template <int kType> struct Chosen { static void Run(GM_ADDR x) { OnCube(x); } };
template <> struct Chosen<AscendC::AIV> { static void Run(GM_ADDR x) { OnVector(x); } };
KERNEL void k(GM_ADDR x) { Chosen<g_coreType>::Run(x + 64); }
"""
    )
    assert run(lib.k) == ([0], [0, 1], "MIX_AIC_1_2", DERIVED)
    assert build.objects() == 2


def test_a_header_that_chooses(build, folder):
    header = folder / "side.h"
    header.write_text("#ifdef __DAV_C220_CUBE__\n#define SIDE OnCube\n#else\n#define SIDE OnVector\n#endif\n")
    source = f'{HEAD}#include "side.h"\nKERNEL void k(GM_ADDR x) {{ SIDE(x + 64); }}\n'
    lib = build(source)
    assert run(lib.k) == ([0], [0, 1], "MIX_AIC_1_2", DERIVED)
    assert build.objects() == 2 and not lib.from_cache
    header.write_text("#define SIDE OnVector\n")
    lib = build(source)
    assert not lib.from_cache and run(lib.k)[2] == "AIV_ONLY"
    assert build.objects() == 3


def test_sources_that_do_not_choose_are_compiled_once(build):
    build(THREE + "// __DAV_C220_CUBE__\n")
    assert build.objects() == 1


def test_coupled_cores_have_one_object(build):
    lib = build(
        '#include "kernel_operator.h"\nextern "C" __global__ __mix__(1, 2) void k(__gm__ int32_t* x) {\n'
        "if constexpr (g_coreType == AscendC::MIX && ASCEND_IS_AIC && ASCEND_IS_AIV) x[AscendC::GetBlockIdx()] = 1;\n}\n",
        chip="Ascend310P3",
    )
    data = np.zeros(3, np.int32)
    assert lib.k[2](data).task_type == "KERNEL_TYPE_AICORE"
    assert data.tolist() == [1, 1, 0] and build.objects() == 1


def test_a_define_of_the_user_chooses(build):
    lib = build(HEAD + f"KERNEL void k(GM_ADDR x) {{\n{CHOSEN['c220']}}}\n", defines={"__DAV_C220_VEC__": None})
    assert run(lib.k) == ([], [0], "AIV_ONLY", DERIVED)
    assert build.objects() == 1


def test_a_kernel_for_one_kind_of_core_alone(build):
    lib = build(f"{HEAD}#ifdef __DAV_C220_VEC__\nKERNEL void k(GM_ADDR x) {{ OnVector(x + 64); }}\n#endif\n")
    assert run(lib.k) == ([], [0], "AIV_ONLY", DERIVED)
    with pytest.raises(sfumato.KernelError) as refused:
        run(lib.k, core="aic")
    assert refused.value.result.findings[0].found == (
        "'k' has no code for cube cores: every definition stands in a branch of #if for the other kind"
    )


def test_what_does_not_compile_for_one_kind(build):
    with pytest.raises(sfumato.Error) as refused:
        build(f"{HEAD}#ifdef __DAV_C220_VEC__\nint x = y;\n#endif\nKERNEL void k(GM_ADDR x) {{ OnCube(x + 64); }}\n")
    assert str(refused.value).startswith("k.cpp does not compile for Ascend910B1's vector cores (")
    with pytest.raises(sfumato.Error) as refused:
        build(f"{HEAD}int x = y;\nconstexpr int kType = g_coreType;\nKERNEL void k(GM_ADDR x) {{ OnCube(x + 64); }}\n")
    assert str(refused.value).startswith("k.cpp does not compile for Ascend910B1 (")
    assert str(refused.value).count("'y' was not declared") <= 1


def test_parameters_that_differ_by_kind(build):
    with pytest.raises(sfumato.Error) as refused:
        build(
            '#include "kernel_operator.h"\n#ifdef __DAV_C220_CUBE__\nusing T = int32_t;\n#else\nusing T = int64_t;\n'
            "#endif\n__global__ void k(GM_ADDR x, T n) {}\n"
        )
    assert str(refused.value) == (
        "k.cpp: k has other parameters for vector cores than for cube cores: k(GM_ADDR x, T n) and k(GM_ADDR x, T n); "
        "a launch passes the same to both"
    )


def test_more_blocks_than_cores(build):
    lib = build(THREE)
    data = np.zeros(1, np.int32)
    assert lib.on_none[65535].options(core="mix")(data).ok
    with pytest.raises(sfumato.Error) as refused:
        lib.on_none[65536](data)
    assert str(refused.value) == "on_none[65536]: the number of blocks must be an int in [1, 65535]"


def test_flags_of_the_user_that_hide_calls(build):
    lib = build(THREE, flags=["-fno-function-sections", "-O2", "-fno-inline"])
    assert [run(k)[2] for k in (lib.on_vector, lib.on_cube, lib.on_both)] == ["AIV_ONLY", "AIC_ONLY", "MIX_AIC_1_2"]


def test_one_side_that_waits_for_other_cores(build):
    lib = build(f"{HEAD}KERNEL void k(GM_ADDR x) {{ OnVector(x + 64); SyncAll(); }}\n")
    assert run(lib.k, 2) == ([], [0, 1], "MIX_AIV_1_0", DERIVED)


@pytest.mark.parametrize("unoptimised", [{"flags": ["-O0"]}, {"coverage": "k.info"}], ids=["flags", "coverage"])
def test_calls_that_never_run_are_no_reason_for_a_core(build, unoptimised):
    text = f"""{HEAD}
        struct Work {{
            __aicore__ inline void Run(GM_ADDR x) {{ if (mode > 0) OnCube(x); if ASCEND_IS_AIV {{ OnVector(x); }} }}
            int mode;
        }};
        KERNEL void never(GM_ADDR x) {{ Work{{0}}.Run(x + 64); }}
        KERNEL void sometimes(GM_ADDR x) {{ Work{{(int)GetBlockIdx() - 9}}.Run(x + 64); }}
    """
    for lib in (build(text), build(text, **unoptimised)):
        assert [run(k, 2)[2:] for k in (lib.never, lib.sometimes)] == [("AIV_ONLY", DERIVED), ("MIX_AIC_1_2", DERIVED)]
