// SPDX-License-Identifier: Apache-2.0
// Kernels of raw calls: the same bytes under every schedule, nothing to report, and the records of the calls of
// AscendC.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>

#include "frontends/kernels_raw.h"

namespace sfumato::frontends_test {
namespace {

std::vector<RawProgram> Programs() {
    std::vector<RawProgram> all = RawVectorPrograms();
    for (auto* group : {RawMemoryPrograms, RawCubePrograms}) {
        for (RawProgram& p : group()) all.push_back(std::move(p));
    }
    return all;
}

class Raw : public testing::TestWithParam<RawProgram> {};

TEST_P(Raw, SameBytesUnderEverySchedule) {
    const Program& program = GetParam().program;
    std::vector<std::string> schedules = {"eager", "late", "ahead", "all:4"};
    for (int seed = 1; seed <= 8; ++seed) schedules.push_back(fmt::format("seed:{}", seed));
    for (const std::string& chip : program.chips) {
        for (const std::string& schedule : schedules) {
            for (const uint32_t blocks : {1u, 4u}) {
                for (const bool auto_sync : {false, true}) {
                    const Outcome outcome = Execute(program, chip, schedule, blocks, auto_sync);
                    const std::string place = fmt::format("{} under {}, {} blocks", chip, schedule, blocks);
                    ASSERT_TRUE(Quiet(outcome.result)) << place << "\n" << outcome.result.findings.front().Text();
                    ASSERT_EQ(Difference(program, outcome), "") << place;
                }
            }
        }
        const Outcome checked = Execute(program, chip, "eager", 4, false, "all");
        EXPECT_EQ(Difference(program, checked), "") << chip;
        for (const Report& report : checked.result.findings) {
            if (report.severity != Severity::kNote) ADD_FAILURE() << chip << "\n" << report.Text();
        }
    }
}

// The lines of a log without places in the source.
std::vector<std::string> Records(Program program, const std::string& chip) {
    GlobalMemory memory(GlobalMemory::Options{.fill = kFill});
    std::vector<uint8_t*> gm;
    for (const Argument& argument : program.arguments) {
        gm.push_back(memory.Allocate(argument.before.size(), fmt::format("arg{}", gm.size())));
        std::copy(argument.before.begin(), argument.before.end(), gm.back());
    }
    std::vector<std::string> lines;
    LaunchOptions options;
    options.chip = chip;
    options.core = program.core;
    options.auto_sync = false;
    options.log = [&](std::string_view line) {
        lines.push_back(std::regex_replace(std::string(line), std::regex(" *\\(?[^ ]*\\.(cpp|h):[0-9]+\\)?"), ""));
    };
    Launch(options, 1, memory, [&] { program.kernel(gm.data()); });
    return lines;
}

TEST_P(Raw, GivesTheRecordsOfTheNamedCalls) {
    const RawProgram& raw = GetParam();
    if (!raw.named) GTEST_SKIP() << "no kernel of AscendC says the same";
    Program named = raw.program;
    named.kernel = raw.named;
    for (const std::string& chip : named.chips) {
        EXPECT_EQ(Difference(named, Execute(named, chip, "eager", 1, false)), "");
        EXPECT_EQ(Records(raw.program, chip), Records(named, chip)) << chip;
    }
}

// The cube core doubles a matrix by a product with 2 x the identity, both vector cores of the pair add 1 to their half
// of it. Every core of a pair has the same number.
__global__ __aicore__ void handed_over(GM_ADDR x, GM_ADDR twice, GM_ADDR y) {
    set_ffts_base_addr(get_ffts_base_addr());
    const int64_t pair = get_block_idx();
    if ASCEND_IS_AIC {
        auto* l1 = RawAt<half>(AscendC::TPosition::A1, 0);
        auto *a = RawAt<half>(AscendC::TPosition::A2, 0), *b = RawAt<half>(AscendC::TPosition::B2, 0);
        auto* c = RawAt<float>(AscendC::TPosition::CO1, 0);
        copy_gm_to_cbuf(l1, (__gm__ half*)x + 256 * pair, 0, 1, 16, 0, 0, PAD_NONE);
        copy_gm_to_cbuf(l1 + 256, (__gm__ half*)x + 512, 0, 1, 16, 0, 0, PAD_NONE);
        set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
        wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
        load_cbuf_to_ca(a, l1, 0, 1, 1, 0, 0, false, inc);
        load_cbuf_to_cb(b, l1 + 256, 0, 1, 1, 0, 0, false, inc);
        set_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
        wait_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
        mad(c, a, b, 16, 16, 16, 0, false, false, true);
        set_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
        wait_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
        set_nd_para(1);
        copy_matrix_cc_to_gm((__gm__ float*)twice + 256 * pair, c, 0, 16, 16, 16, 16, 0, NoQuant, 0, false, true);
        ffts_cross_core_sync(PIPE_FIX, 1 | 2 << 4 | 5 << 8);
        wait_flag_dev(6);
    } else {
        const int64_t at = 256 * pair + 128 * get_subblockid();
        auto* ub = (__ubuf__ float*)get_imm(0);
        wait_flag_dev(5);
        copy_gm_to_ubuf(ub, (__gm__ float*)twice + at, 0, 1, 16, 0, 0);
        set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
        wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
        set_vector_mask(0, ~uint64_t{0});
        vadds(ub, ub, static_cast<float>(get_subblockdim()) - 1, 2, 1, 1, 8, 8);
        set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
        wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
        copy_ubuf_to_gm((__gm__ float*)y + at, ub, 0, 1, 16, 0, 0);
        ffts_cross_core_sync(PIPE_MTE3, 1 | 2 << 4 | 6 << 8);
    }
}

TEST(RawCores, HandOverByFlags) {
    std::vector<uint16_t> x;
    std::vector<float> twice, y;
    for (int i = 0; i < 512; ++i) {
        x.push_back(HalfBits(i % 37 - 9));
        twice.push_back(static_cast<float>(2 * (i % 37 - 9)));
        y.push_back(twice.back() + 1);
    }
    for (int i = 0; i < 256; ++i) x.push_back(HalfBits(i % 17 == 0 ? 2 : 0));
    Program program{"raw_handed_over",
                    {"Ascend910B"},
                    {In(x), Out(twice), Out(y)},
                    [](uint8_t* const* gm) { handed_over(gm[0], gm[1], gm[2]); },
                    false,
                    CoreChoice::kMix};
    for (const char* schedule : {"eager", "serial", "late", "ahead", "seed:1", "seed:2", "seed:3", "seed:4"}) {
        const Outcome outcome = Execute(program, "Ascend910B", schedule, 2, false);
        for (const Report& report : outcome.result.findings) ADD_FAILURE() << schedule << "\n" << report.Text();
        EXPECT_EQ(Difference(program, outcome), "") << schedule;
    }
}

// A name of raw code that the program has itself is the program's.
namespace own {
inline int clz(int value) { return value + 100; }
inline int64_t get_block_num() { return 77; }
inline int preload(int value) { return value; }
TEST(RawNames, BelongToTheProgramThatHasThem) {
    const int inc = 3, VA0 = 4;
    EXPECT_EQ(clz(1) + static_cast<int>(get_block_num()) + preload(5) + inc + VA0, 101 + 77 + 5 + 7);
}
}  // namespace own

TEST(RawNames, NamesOfTypes) {
    static_assert(std::is_same_v<__fp16, half> && std::is_same_v<__bf16, bfloat16_t>);
    using sfumato::ascendc::ElementOf;
    static_assert(ElementOf<char>() == DataType::kInt8 && ElementOf<unsigned long long>() == DataType::kUint64);
    static_assert(ElementOf<const half>() == DataType::kHalf && ElementOf<Program>() == DataType::kCount);
    static_assert(std::is_same_v<AscendC::pad_t, pad_t> && std::is_same_v<AscendC::addr_cal_mode_t, decltype(inc)>);
}

INSTANTIATE_TEST_SUITE_P(Programs, Raw, testing::ValuesIn(Programs()),
                         [](const auto& param) { return param.param.program.name; });

}  // namespace

void PrintTo(const RawProgram& raw, std::ostream* out) { *out << raw.program.name; }

}  // namespace sfumato::frontends_test
