// SPDX-License-Identifier: Apache-2.0
// Reductions and transposes as TIK calls.
#include <numeric>

#include "script.h"

namespace sfumato::tik {
namespace {

constexpr int64_t kElements = 1024;

// Runs one call whose operands `refs` makes from dst, src and work in UB; what dst holds afterwards.
template <class T, class Call>
std::vector<T> After(const char* chip, const char* type, const std::vector<T>& data, const Call& call) {
    const auto blocks = static_cast<int64_t>(kElements * sizeof(T) / 32);
    Script s(chip);
    const TensorId in = s.Gm(type, kElements, "in"), out = s.Gm(type, kElements, "out");
    const TensorId src = s.Local(type, kElements, "src"), dst = s.Local(type, kElements, "dst");
    const TensorId work = s.Local(type, kElements, "work");
    s.Move(s.Ref(src, type), s.Ref(in, type), blocks);
    s.Move(s.Ref(dst, type), s.Ref(in, type), blocks);
    call(s, dst, src, work);
    s.Move(s.Ref(out, type), s.Ref(dst, type), blocks);
    s.Build({in}, {out});
    return As<T>(s.Run({FeedOf("in", data)}).at(0));
}

std::vector<uint16_t> Counters() {
    std::vector<uint16_t> data(kElements);
    std::iota(data.begin(), data.end(), uint16_t{0});
    return data;
}

TEST(TikReduce, AddsRepeatsInTheChipsOrder) {
    std::vector<float> data(kElements);
    data[0] = 16777216;
    data[64] = data[128] = data[192] = 1;
    const auto sum = [&](const char* chip) {
        return After(chip, "float32", data, [](Script& s, TensorId dst, TensorId src, TensorId work) {
            s.program.Call("vec_reduce_add", {s.Ref(dst, "float32"), s.Ref(src, "float32"), s.Ref(work, "float32")},
                           {{"mask", int64_t{64}}, {"repeat_times", int64_t{4}}, {"src_rep_stride", int64_t{8}}},
                           s.where);
        })[0];
    };
    EXPECT_EQ(sum("Ascend910B1"), 16777216.0f);
    EXPECT_EQ(sum("Ascend310"), 16777218.0f);
    EXPECT_EQ(sum("Ascend310P3-Vector"), 16777218.0f);
}

// A chip that adds one repeat after another leaves the work tensor alone, and needs it all the same.
TEST(TikReduce, NeedsAnElementOfWorkForEachRepeat) {
    const auto call = [](Script& s, const char* type, int64_t repeats, int64_t from) {
        const TensorId src = s.Local(type, kElements, "src"), dst = s.Local(type, 64, "dst");
        const TensorId work = s.Local(type, 8, "work");
        s.At(40);
        s.program.Call("vec_reduce_add", {s.Ref(dst, type), s.Ref(src, type), s.Ref(work, type, from)},
                       {{"mask", int64_t{64}}, {"repeat_times", repeats}, {"src_rep_stride", int64_t{8}}}, s.where);
    };
    for (const char* type : {"float16", "float32"}) {
        Script enough;
        call(enough, type, 8, 0);
        Script offset;
        EXPECT_EQ(RefusedBy([&] { call(offset, type, 8, 1); }).rule, "work-size") << type;
    }
    Script s;
    const Report report = RefusedBy([&] { call(s, "float32", 9, 0); });
    EXPECT_EQ(report.operand + ", " + report.found + ", " + report.legal, "work_tensor, 8 elements, 9 elements or more");
    EXPECT_EQ(report.line, 40u);
}

TEST(TikReduce, StoresValueAndIndex) {
    std::vector<uint16_t> data(kElements, half(1.0f).bits());
    data[52] = half(11.0f).bits();
    const auto run = [&](const char* call, int64_t index_low) {
        return After("Ascend310", "float16", data, [=](Script& s, TensorId dst, TensorId src, TensorId work) {
            const std::string name = call;
            if (name == "vcmax") {
                s.program.Call(call, {s.Ref(dst, "float16"), s.Ref(src, "float16")},
                               {{"mask", int64_t{128}}, {"repeat_times", int64_t{2}}, {"dst_rep_stride", int64_t{1}},
                                {"src_blk_stride", int64_t{1}}, {"src_rep_stride", int64_t{8}},
                                {"stride_unit", int64_t{0}}, {"index_low", index_low}},
                               s.where);
            } else {
                s.program.Call(call, {s.Ref(dst, "float16"), s.Ref(src, "float16"), s.Ref(work, "float16")},
                               {{"mask", int64_t{128}}, {"repeat_times", int64_t{2}}, {"src_rep_stride", int64_t{8}},
                                {"cal_index", int64_t{1}}},
                               s.where);
            }
        });
    };
    const uint16_t one = half(1.0f).bits(), eleven = half(11.0f).bits();
    const auto first = [](const std::vector<uint16_t>& v) { return std::vector<uint16_t>(v.begin(), v.begin() + 4); };
    EXPECT_EQ(first(run("vcmax", 0)), (std::vector<uint16_t>{eleven, 52, one, 0}));
    EXPECT_EQ(first(run("vcmax", 1)), (std::vector<uint16_t>{52, eleven, 0, one}));
    EXPECT_EQ(first(run("vec_reduce_max", 0)), (std::vector<uint16_t>{eleven, 52, one, one}));
    EXPECT_EQ(first(run("vec_reduce_min", 0)), (std::vector<uint16_t>{one, 0, one, one}));
}

TEST(TikReduce, Transposes) {
    const auto squares = After("Ascend310", "uint16", Counters(), [](Script& s, TensorId dst, TensorId src, TensorId) {
        s.program.Call("vec_trans", {s.Ref(dst, "uint16"), s.Ref(src, "uint16")},
                       {{"repeat_times", int64_t{2}}, {"dst_rep_stride", int64_t{1}}, {"src_rep_stride", int64_t{1}}},
                       s.where);
    });
    const auto lists = After("Ascend310", "uint16", Counters(), [](Script& s, TensorId dst, TensorId src, TensorId) {
        std::vector<RefId> refs;
        for (const TensorId t : {dst, src}) {
            for (int64_t k = 0; k < 16; ++k) refs.push_back(s.Ref(t, "uint16", 16 * k));
        }
        s.program.Call("vnchwconv", refs,
                       {{"dst_high_half", int64_t{0}}, {"src_high_half", int64_t{0}}, {"repeat_times", int64_t{2}},
                        {"dst_rep_stride", int64_t{16}}, {"src_rep_stride", int64_t{16}}},
                       s.where);
    });
    for (uint16_t i = 0; i < 512; ++i) {
        const uint16_t square = i / 256 * 256, expected = static_cast<uint16_t>(square + i % 16 * 16 + i % 256 / 16);
        ASSERT_EQ(squares[i], expected) << i;
        ASSERT_EQ(lists[i], expected) << i;
    }
    const auto pixels = After("Ascend310P3", "uint16", Counters(), [](Script& s, TensorId dst, TensorId src, TensorId) {
        s.program.Call("v4dtrans", {s.Ref(dst, "uint16"), s.Ref(src, "uint16")},
                       {{"chw2hwc", int64_t{1}}, {"m_len", int64_t{32}}, {"channels", int64_t{3}}}, s.where);
    });
    EXPECT_EQ(pixels[3 * 5 + 2], 2 * 32 + 5);
}

}  // namespace
}  // namespace sfumato::tik
