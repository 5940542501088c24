// SPDX-License-Identifier: Apache-2.0
// One kernel with both halves each: the wrong one breaks a rule, the corrected one breaks none, under every schedule.
#include <gtest/gtest.h>

#include "../on_chip.h"

namespace sfumato::names_test {
namespace {

using namespace AscendC;

struct Twins {
    const char* name;
    const char* rule;
    void (*kernel)(GM_ADDR gm, bool wrong);
    const char* chip = "Ascend910B1";
};
void PrintTo(const Twins& twins, std::ostream* out) { *out << twins.name; }

GlobalTensor<float> Floats(GM_ADDR gm) {
    GlobalTensor<float> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<float*>(gm), 256);
    return tensor;
}
// Slices of gm into UB, and from there to the second half of gm.
void Through(GM_ADDR gm, const SliceInfo* dst, const SliceInfo* src, uint32_t dims) {
    const auto t = Ub<float>(0, 64);
    Duplicate(t, 0.0f, 64);
    SetFlag<HardEvent::V_MTE2>(0), WaitFlag<HardEvent::V_MTE2>(0);
    DataCopy(t, Floats(gm), dst, src, dims);
    SetFlag<HardEvent::MTE2_MTE3>(0), WaitFlag<HardEvent::MTE2_MTE3>(0);
    DataCopy(Floats(gm)[128], t, 64);
}
void Watch(bool on, uint8_t number = 0) {
    CheckLocalMemoryIA({number, 1, 3, false, false, false, true, false, false, on});
}

const Twins kTwins[] = {
    // endIndex is the last element, not the one behind it.
    {"end_behind_the_slice", "slice-shape",
     [](GM_ADDR gm, bool wrong) __aicore__ {
         const SliceInfo src[] = {{16, wrong ? 24u : 23u, 0, 1, 32}, {0, 3, 0, 1, 4}},
                         dst[] = {{0, 7, 0, 1, 8}, {0, 3, 0, 1, 4}};
         Through(gm, dst, src, 2);
     }},
    {"stride_forgotten_in_the_end", "slice-shape",
     [](GM_ADDR gm, bool wrong) __aicore__ {
         const SliceInfo src[] = {{0, wrong ? 15u : 23u, 8, 1, 32}}, dst[] = {{0, 15, 0, 1, 16}};
         Through(gm, dst, src, 1);
     }},
    {"other_rows_in_dst", "slice-shape",
     [](GM_ADDR gm, bool wrong) __aicore__ {
         const SliceInfo src[] = {{0, 7, 0, 1, 16}, {0, 6, 1, 1, 8}},
                         dst[] = {{0, 7, 0, 1, 8}, {0, wrong ? 6u : 3u, 0, 1, 8}};
         Through(gm, dst, src, 2);
     }},
    {"length_in_elements", "slice-shape",
     [](GM_ADDR gm, bool wrong) __aicore__ {
         const uint32_t burst = wrong ? 16 : 2;
         const SliceInfo src[] = {{0, 15, 0, burst, 16}}, dst[] = {{0, 15, 0, burst, 16}};
         Through(gm, dst, src, 1);
     }},
    {"dimensions_counted_from_none", "slice-shape",
     [](GM_ADDR gm, bool wrong) __aicore__ {
         const SliceInfo s[] = {{0, 7, 0, 1, 8}};
         Through(gm, s, s, wrong ? 0 : 1);
     }},
    {"slices_on_a_chip_without", "instruction-unsupported",
     [](GM_ADDR gm, bool wrong) __aicore__ {
         const SliceInfo s[] = {{0, 7, 0, 1, 8}};
         wrong ? DataCopy(Ub<float>(0, 64), Floats(gm), s, s) : DataCopy(Ub<float>(0, 64), Floats(gm), 8);
     },
     "Ascend310B1"},
    {"tbuf_as_a_queue", "buffer-blocks",
     [](GM_ADDR, bool wrong) __aicore__ {
         TPipe pipe;
         TBuf<> buffer;
         pipe.InitBuffer(buffer, wrong ? 2 : 1, 256);
         Duplicate(buffer.Get<float>(), 1.0f, 64);
     }},
    {"watch_not_ended_before_the_store", "watched-access",
     [](GM_ADDR, bool wrong) __aicore__ {
         Watch(true);
         Duplicate(Ub<float>(256, 64), 1.0f, 64);
         if (!wrong) Watch(false);
         Duplicate(Ub<float>(64, 16), 1.0f, 16);
         Watch(false);
     }},
    {"watch_of_another_register_ended", "watch-left-on",
     [](GM_ADDR, bool wrong) __aicore__ {
         Watch(true, 2);
         Watch(false, wrong ? 1 : 2);
     }},
    {"range_stopped_that_was_not_started", "trace-range",
     [](GM_ADDR, bool wrong) __aicore__ {
         sfumato_::TraceRange(1, true, Where::Here());
         sfumato_::TraceRange(wrong ? 2 : 1, false, Where::Here());
     }},
    {"preloads_without_work_between", "preload-row",
     [](GM_ADDR gm, bool wrong) __aicore__ {
         GlobalTensor<uint64_t> line;
         line.SetGlobalBuffer(reinterpret_cast<uint64_t*>(gm), 128);
         for (int64_t at = 0; at < 5 * 64; at += 64) {
             DataCachePreload(line, at);
             if (!wrong) Duplicate(Ub<float>(0, 64), 1.0f, 64), PipeBarrier<PIPE_V>();
         }
     }},
    {"range_of_no_number", "trace-range",
     [](GM_ADDR, bool wrong) __aicore__ {
         sfumato_::TraceRange(wrong ? 11 : 9, true, Where::Here());
         sfumato_::TraceRange(wrong ? 11 : 9, false, Where::Here());
     }},
    {"store_atomic_of_another_type", "atomic-type",
     [](GM_ADDR gm, bool wrong) __aicore__ {
         const auto t = Ub<float>(0, 64);
         Duplicate(t, 1.0f, 64);
         SetFlag<HardEvent::V_MTE3>(0), WaitFlag<HardEvent::V_MTE3>(0);
         wrong ? SetStoreAtomicConfig<AtomicDtype::ATOMIC_F16, AtomicOp::ATOMIC_SUM>()
               : SetStoreAtomicConfig<AtomicDtype::ATOMIC_F32, AtomicOp::ATOMIC_SUM>();
         DataCopy(Floats(gm), t, 64);
         SetStoreAtomicConfig<AtomicDtype::ATOMIC_NONE, AtomicOp::ATOMIC_SUM>();
     }},
    {"dump_behind_the_end", "dump-size",
     [](GM_ADDR, bool wrong) __aicore__ {
         TPipe pipe;
         TBuf<> buffer;
         pipe.InitBuffer(buffer, 256);
         const auto t = buffer.Get<float>();
         Duplicate(t, 1.0f, 64);
         PipeBarrier<PIPE_ALL>();
         DumpAccChkPoint(t, 1, wrong ? 48 : 32, 32);
     }},
};

class NamesTwins : public testing::TestWithParam<Twins> {};

std::vector<uint8_t> BytesOf(const Twins& twins, bool wrong, const char* schedule, LaunchResult* result) {
    GlobalMemory memory;
    LaunchOptions options;
    options.chip = twins.chip;
    options.schedule = schedule;
    options.print = [](std::string_view) {};
    std::vector<float> numbers(256);
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
    auto* gm = memory.Allocate(1024, "gm", numbers.data());
    *result = Launch(options, 1, memory, [&] { twins.kernel(gm, wrong); });
    return {gm, gm + 1024};
}

TEST_P(NamesTwins, OneIsFoundAndOneIsNot) {
    LaunchResult result;
    BytesOf(GetParam(), true, "eager", &result);
    ASSERT_FALSE(result.findings.empty());
    EXPECT_EQ(result.findings[0].rule, GetParam().rule) << result.findings[0].Text();
    std::vector<uint8_t> first;
    for (const char* schedule : {"eager", "late", "seed:1", "seed:2"}) {
        const std::vector<uint8_t> bytes = BytesOf(GetParam(), false, schedule, &result);
        EXPECT_TRUE(result.findings.empty()) << schedule << ": " << result.findings[0].Text();
        if (first.empty()) first = bytes;
        EXPECT_EQ(bytes, first) << schedule;
    }
}

INSTANTIATE_TEST_SUITE_P(Table, NamesTwins, testing::ValuesIn(kTwins),
                         [](const testing::TestParamInfo<Twins>& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace sfumato::names_test
