// SPDX-License-Identifier: Apache-2.0
// v4dtrans as a TIK call.
#include <numeric>

#include "script.h"

namespace sfumato::tik {
namespace {

// The general forms of reductions and transposes are those of tests/python/tik_plans_reduce.py.
TEST(TikReduce, TransposesPixels) {
    constexpr int64_t kElements = 96;
    Script s("Ascend310P3");
    const TensorId in = s.Gm("uint16", kElements, "in"), out = s.Gm("uint16", kElements, "out");
    const TensorId src = s.Local("uint16", kElements, "src"), dst = s.Local("uint16", kElements, "dst");
    s.Move(s.Ref(src, "uint16"), s.Ref(in, "uint16"), kElements / 16);
    s.program.Call("v4dtrans", {s.Ref(dst, "uint16"), s.Ref(src, "uint16")},
                   {{"chw2hwc", int64_t{1}}, {"m_len", int64_t{32}}, {"channels", int64_t{3}}}, s.where);
    s.Move(s.Ref(out, "uint16"), s.Ref(dst, "uint16"), kElements / 16);
    s.Build({in}, {out});
    std::vector<uint16_t> data(kElements);
    std::iota(data.begin(), data.end(), uint16_t{0});
    EXPECT_EQ(As<uint16_t>(s.Run({FeedOf("in", data)}).at(0))[3 * 5 + 2], 2 * 32 + 5);
}

}  // namespace
}  // namespace sfumato::tik
