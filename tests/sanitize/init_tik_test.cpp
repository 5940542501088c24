// SPDX-License-Identifier: Apache-2.0
// TIK scripts that use data nobody wrote: a Tensor begins a new life where it is declared.
#include "frontends/tik/script.h"

namespace sfumato::tik {
namespace {

// Twice: 16 elements of a Tensor of the loop, of which the first trip writes all and the second 8; 8 or 16 go out.
std::string Findings(int64_t blocks, const char* schedule) {
    Script s;
    const TensorId in = s.Gm("int32", 16, "in"), out = s.Gm("int32", 32, "out");
    s.At(2);
    const ScalarId trip = s.For(s.Imm(int64_t{0}), s.Imm(int64_t{2}));
    s.At(3);
    const TensorId ub = s.Local("int32", 16, "ub");
    s.At(4);
    s.Move(s.Ref(ub, "int32"), s.Ref(in, "int32"), s.Binary("-", s.Imm(int64_t{2}), s.Var(trip)));
    s.At(5);
    s.Move(s.Ref(out, "int32", s.Binary("*", s.Var(trip), s.Imm(int64_t{16}))), s.Ref(ub, "int32"), blocks);
    s.End();
    s.Build({in}, {out});
    RunOptions options;
    options.launch.check = "init";
    options.launch.schedule = schedule;
    const std::vector<int32_t> data(16, 1);
    std::string texts;
    for (const Report& report : s.program.Run({FeedOf("in", data)}, options).launch.findings)
        texts += report.Text() + "\n";
    return texts;
}

TEST(InitTik, TensorOfALoop) {
    for (const char* schedule : {"eager", "late", "ahead", "seed:3"}) {
        EXPECT_EQ(Findings(2, schedule),
                  R"(note [stale-read] data_move: stores data that an earlier tensor left in the buffer to 'out'
  where:  script.py:5, kernel kernel, core aiv0, instruction 3 (Ascend910B)
  other:  script.py:3, Tensor hands out bytes 0 to 63
  other:  script.py:4, data_move writes bytes 0 to 31 of it
  found:  bytes 32 to 63 of UB, written before Tensor handed them out, not since
  legal:  data written before, in this block or by a core it waits for; padding may hold anything
  do:     write the rest too, by a fill or a copy that pads, or leave it out of the count
)") << schedule;
        EXPECT_EQ(Findings(1, schedule), "") << schedule;
    }
}

}  // namespace
}  // namespace sfumato::tik
