// SPDX-License-Identifier: Apache-2.0
// Wrong raw kernels, each with its one report, and the corrected twin, which gives none at warning or above.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernel_operator.h"
#include "sfumato/launch.h"
#include "support/golden.h"
#include "support/raised.h"
#include "support/tensor_at.h"

namespace sfumato::wrong_raw {
namespace {

using namespace AscendC;

// gm: 4096 bytes of zeros.
struct Program {
    const char* name;
    const char* rule;
    void (*kernel)(GM_ADDR gm, bool wrong);
    CoreChoice core = CoreChoice::kDefault;
    const char* chip = "Ascend910B1";
    const char* check = "";
};

template <class T>
T* At(TPosition position, uint32_t at = 0) {
    return reinterpret_cast<T*>(TensorAt<uint8_t>(position, at, 32).GetPhyAddr());
}
template <class T>
T* Ub(uint32_t at) {
    return (__ubuf__ T*)get_imm(at);
}

// 512 bytes of UB are there for the vector unit.
void Load(GM_ADDR gm) {
    copy_gm_to_ubuf(Ub<void>(0), gm, 0, 1, 16, 0, 0);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    set_vector_mask(0, ~uint64_t{0});
}

// A and B of 16 x 16 halves in L0A and L0B.
void LoadMatrices(GM_ADDR gm) {
    copy_gm_to_cbuf(At<half>(TPosition::A1), (__gm__ half*)gm, 0, 1, 32, 0, 0, PAD_NONE);
    set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
    load_cbuf_to_ca(At<half>(TPosition::A2), At<half>(TPosition::A1), 0, 1, 1, 0, 0, false, inc);
    load_cbuf_to_cb(At<half>(TPosition::B2), At<half>(TPosition::A1), 0, 1, 1, 0, 0, false, inc);
    set_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
    wait_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
}
void Store(GM_ADDR gm, QuantMode_t quant) {
    set_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
    wait_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
    set_nd_para(1);
    copy_matrix_cc_to_gm((__gm__ float*)gm, At<float>(TPosition::CO1), 0, 16, 16, 16, 16, 0, quant, 0, false, true);
}

const Program kPrograms[] = {
    {"flag_of_pipes_that_no_flag_joins", "event-pair",
     [](GM_ADDR gm, bool wrong) {
         copy_gm_to_ubuf(Ub<void>(0), gm, 0, 1, 16, 0, 0);
         set_flag(PIPE_MTE2, wrong ? PIPE_ALL : PIPE_V, EVENT_ID0);
         wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
     }},
    {"burst_past_ub", "out-of-buffer",
     [](GM_ADDR gm, bool wrong) {
         copy_gm_to_ubuf(Ub<uint8_t>(196608 - 512), gm, 0, 1, wrong ? 17 : 16, 0, 0);
         pipe_barrier(PIPE_ALL);
     }},
    {"misaligned", "ub-alignment",
     [](GM_ADDR gm, bool wrong) {
         Load(gm);
         vadds(Ub<float>(wrong ? 1028 : 1024), Ub<float>(0), 1.0f, 1, 1, 1, 8, 8);
     }},
    {"count_past_ub", "out-of-buffer",
     [](GM_ADDR gm, bool wrong) {
         Load(gm);
         set_mask_count();
         set_vector_mask(0, wrong ? 128 : 64);
         vadds(Ub<float>(196608 - 256), Ub<float>(0), 1.0f, 1, 1, 1, 8, 8);
         set_mask_norm();
         set_vector_mask(~uint64_t{0}, ~uint64_t{0});
     }},
    {"store_before_the_vector_unit_is_done", "race",
     [](GM_ADDR gm, bool wrong) {
         Load(gm);
         vadds(Ub<float>(1024), Ub<float>(0), 1.0f, 1, 1, 1, 8, 8);
         if (!wrong) {
             set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
             wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
         }
         copy_ubuf_to_gm(gm, Ub<void>(1024), 0, 1, 8, 0, 0);
     },
     CoreChoice::kDefault, "Ascend910B1", "races"},
    {"pointer_into_another_memory", "ub-pointer",
     [](GM_ADDR gm, bool wrong) {
         copy_gm_to_cbuf(At<half>(TPosition::A1), (__gm__ half*)gm, 0, 1, 32, 0, 0, PAD_NONE);
         set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
         wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
         load_cbuf_to_ca(At<half>(wrong ? TPosition::B2 : TPosition::A2), At<half>(TPosition::A1), 0, 1, 1, 0, 0, false,
                         inc);
     },
     CoreChoice::kCube},
    {"global_memory_in_place_of_ub", "ub-pointer",
     [](GM_ADDR gm, bool wrong) {
         Load(gm);
         vadds(Ub<float>(1024), wrong ? (float*)gm : Ub<float>(0), 1.0f, 1, 1, 1, 8, 8);
     }},
    {"pointer_to_no_elements", "ub-pointer",
     [](GM_ADDR gm, bool wrong) {
         Load(gm);
         wrong ? vabs(Ub<void>(1024), Ub<void>(0), 1, 1, 1, 8, 8) : vabs(Ub<float>(1024), Ub<float>(0), 1, 1, 1, 8, 8);
     }},
    {"scalar_store_without_dcci", "cache-not-cleaned",
     [](GM_ADDR gm, bool wrong) {
         GlobalTensor<int32_t> words;
         words.SetGlobalBuffer((__gm__ int32_t*)gm, 16);
         words.SetValue(0, 5);
         if (!wrong) dcci((__gm__ void*)gm, 0, 0);
         set_flag(PIPE_S, PIPE_MTE2, EVENT_ID0);
         wait_flag(PIPE_S, PIPE_MTE2, EVENT_ID0);
         copy_gm_to_ubuf(Ub<void>(0), gm, 0, 1, 2, 0, 0);
     },
     CoreChoice::kDefault, "Ascend910B1", "all"},
    {"quant_mode_that_is_none", "quant-mode",
     [](GM_ADDR gm, bool wrong) {
         LoadMatrices(gm);
         mad(At<float>(TPosition::CO1), At<half>(TPosition::A2), At<half>(TPosition::B2), 16, 16, 16, 0, false, false,
             true);
         Store(gm, wrong ? (QuantMode_t)29 : NoQuant);
     },
     CoreChoice::kCube},
    {"repeat_of_256", "repeat-range",
     [](GM_ADDR gm, bool wrong) {
         Load(gm);
         vadds(Ub<float>(1024), Ub<float>(0), 1.0f, wrong ? 256 : 255, 1, 1, 8, 0);
     }},
    {"repeat_of_0", "repeat-zero",
     [](GM_ADDR gm, bool wrong) {
         Load(gm);
         vcadd(Ub<float>(1024), Ub<float>(0), wrong ? 0 : 1, 1, 1, 8);
     }},
    {"product_deeper_than_l0a", "out-of-buffer",
     [](GM_ADDR gm, bool wrong) {
         LoadMatrices(gm);
         mad(At<float>(TPosition::CO1), At<half>(TPosition::A2, 65536 - 512), At<half>(TPosition::B2), 16,
             wrong ? 32 : 16, 16, 0, false, false, true);
     },
     CoreChoice::kCube},
    {"never_written", "uninitialised-read",
     [](GM_ADDR gm, bool wrong) {
         vector_dup(Ub<float>(0), 1.0f, 2, 1, 1, 8, 8);
         pipe_barrier(PIPE_V);
         vadd(Ub<float>(1024), Ub<float>(0), Ub<float>(wrong ? 512 : 256), 1, 1, 1, 1, 8, 8, 8);
         set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
         wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
         copy_ubuf_to_gm(gm, Ub<void>(1024), 0, 1, 8, 0, 0);
     },
     CoreChoice::kDefault, "Ascend910B1", "init"},
    {"control_bits_without_a_page", "ctrl-unknown",
     [](GM_ADDR, bool wrong) { set_ctrl(sbitset1(get_ctrl(), wrong ? 56 : 53)); }},
    {"flag_before_its_base", "sync-base-unset",
     [](GM_ADDR, bool wrong) {
         if (!wrong) set_ffts_base_addr(get_ffts_base_addr());
         ffts_cross_core_sync(PIPE_MTE3, 1 | 0 << 4 | 3 << 8);
         wait_flag_dev(3);
     },
     CoreChoice::kVector},
    {"list_of_one_register", "block-address",
     [](GM_ADDR gm, bool wrong) {
         Load(gm);
         uint64_t to[8], from[8];
         for (uint64_t i = 0; i < 8; ++i) to[i] = 1024 + 32 * i, from[i] = 32 * i;
         set_va_reg_sb(VA0, to);
         if (!wrong) set_va_reg_sb(VA1, to);
         set_va_reg_sb(VA2, from);
         set_va_reg_sb(VA3, from);
         scatter_vnchwconv_b16(VA0, VA2, 1, 0, 0);
     }},
    {"gather_from_a_number", "ub-pointer",
     [](GM_ADDR gm, bool wrong) {
         Load(gm);
         vgather(Ub<uint32_t>(1024), Ub<uint32_t>(0), wrong ? 196608 : 0, 8, 1);
     }},
    {"atomic_operation_without_a_type", "atomic-unsupported",
     [](GM_ADDR gm, bool wrong) {
         set_atomic_add();
         if (!wrong) set_atomic_f32();
         copy_gm_to_ubuf(Ub<void>(0), gm, 0, 1, 1, 0, 0);
         set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
         wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
         copy_ubuf_to_gm(gm + 64, Ub<void>(0), 0, 1, 1, 0, 0);
         set_atomic_none();
     }},
    {"atomic_of_a_type_the_chip_lacks", "atomic-unsupported",
     [](GM_ADDR, bool wrong) {
         wrong ? set_atomic_s32() : set_atomic_f32();
         set_atomic_add();
         set_atomic_none();
     },
     CoreChoice::kDefault, "Ascend910A"},
    {"product_of_an_earlier_chip", "call-unsupported",
     [](GM_ADDR gm, bool wrong) {
         LoadMatrices(gm);
         auto *c = At<float>(TPosition::CO1), *d = c;
         auto *a = At<half>(TPosition::A2), *b = At<half>(TPosition::B2);
         wrong ? mad(c, a, b, 16, 16, 16, true) : mad(d, a, b, 16, 16, 16, 0, false, false, true);
     },
     CoreChoice::kCube},
    {"offset_of_features", "parameter-range",
     [](GM_ADDR gm, bool wrong) {
         LoadMatrices(gm);
         mad(At<float>(TPosition::CO1), At<half>(TPosition::A2), At<half>(TPosition::B2), 16, 16, 16, wrong ? 1 : 0, 0,
             0, false, false, false, true);
     },
     CoreChoice::kCube},
    {"barrier_of_no_memory", "parameter-range", [](GM_ADDR, bool wrong) { dsb(wrong ? 9 : DSB_UB); }},
    {"cache_lines_of_no_kind", "parameter-range",
     [](GM_ADDR gm, bool wrong) { dcci(gm, wrong ? 2 : 1, CACHELINE_OUT); }},
    {"padding_mode", "parameter-range",
     [](GM_ADDR gm, bool wrong) {
         copy_gm_to_cbuf(At<half>(TPosition::A1), gm, 0, 1, 32, 0, 0, wrong ? PAD_MODE1 : PAD_NONE);
     },
     CoreChoice::kCube},
    {"conversion_out_of_l0c", "parameter-range",
     [](GM_ADDR, bool wrong) {
         copy_matrix_cc_to_ubuf(Ub<float>(0), At<float>(TPosition::CO1), 0, 1, 1, 0, 0,
                                wrong ? CRMODE_F16_MUL : CRMODE_NONE);
     },
     CoreChoice::kDefault, "Ascend310P3"},
};

std::vector<Report> Findings(const Program& program, bool wrong) {
    GlobalMemory memory(GlobalMemory::Options{.fill = 0});
    uint8_t* gm = memory.Allocate(4096, "gm");
    LaunchOptions options;
    options.chip = program.chip;
    options.core = program.core;
    options.kernel = program.name;
    options.check = program.check;
    options.auto_sync = false;
    return Launch(options, 1, memory, [&] { program.kernel(gm, wrong); }).findings;
}

class WrongRaw : public testing::TestWithParam<Program> {};

TEST_P(WrongRaw, GivesItsReport) {
    const Program& program = GetParam();
    const std::vector<Report> findings = Findings(program, true);
    ExpectReports(__FILE__, program.name, findings);
    const auto at =
        std::find_if(findings.begin(), findings.end(), [&](const Report& r) { return r.rule == program.rule; });
    ASSERT_NE(at, findings.end()) << program.rule;
    Raised(at->rule);
}

TEST_P(WrongRaw, IsRightWhenCorrected) {
    for (const Report& report : Findings(GetParam(), false)) {
        EXPECT_NE(report.rule, GetParam().rule) << report.Text();
        EXPECT_EQ(report.severity, Severity::kNote) << report.Text();
    }
}

INSTANTIATE_TEST_SUITE_P(Table, WrongRaw, testing::ValuesIn(kPrograms),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace sfumato::wrong_raw
