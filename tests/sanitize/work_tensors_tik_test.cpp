// SPDX-License-Identifier: Apache-2.0
// TIK's reductions with a work tensor that has no room for a result of every repeat: found on every chip, though some
// add one repeat after another and use none.
#include "frontends/tik/script.h"

namespace sfumato::tik {
namespace {

constexpr int64_t kRepeats = 8;

// The rules of a reduction of eight repeats with a work tensor of so many elements.
std::string RulesOf(const char* chip, const char* call, const char* type, int64_t lanes, int64_t work_elements) {
    const int64_t elements = kRepeats * lanes, size = lanes == 64 ? 4 : 2;
    Script s(chip);
    const TensorId in = s.Gm(type, elements, "in"), out = s.Gm(type, 32 / size, "out");
    const TensorId src = s.Local(type, elements, "src"), dst = s.Local(type, 32 / size, "dst");
    const TensorId work = s.Local(type, work_elements, "work");
    Params params = {{"mask", lanes}, {"repeat_times", kRepeats}, {"src_rep_stride", int64_t{8}}};
    if (std::string_view(call) != "vec_reduce_add") params.push_back({"cal_index", int64_t{0}});
    try {
        s.Move(s.Ref(src, type), s.Ref(in, type), elements * size / 32);
        s.Move(s.Ref(dst, type), s.Ref(in, type), int64_t{1});
        s.program.Call(call, {s.Ref(dst, type), s.Ref(src, type), s.Ref(work, type)}, params, s.where);
        s.Move(s.Ref(out, type), s.Ref(dst, type), int64_t{1});
        s.Build({in}, {out});
    } catch (const TikError& error) {
        return Name(error.report().rule);
    }
    RunOptions options;
    options.launch.check = "all";
    const std::vector<uint8_t> data(static_cast<size_t>(elements * size));
    std::string rules;
    for (const Report& report : s.program.Run({FeedOf("in", data)}, options).launch.findings)
        rules += Name(report.rule) + std::string(" ");
    return rules;
}

TEST(WorkTensors, HaveRoomForEveryRepeat) {
    for (const char* chip : {"Ascend910B1", "Ascend310P3", "Ascend910A"}) {
        for (const char* call : {"vec_reduce_add", "vec_reduce_max", "vec_reduce_min"}) {
            const int64_t each = std::string_view(call) == "vec_reduce_add" ? 1 : 2;  // a value, and an index
            // What a chip uses lies past the buffer; where it uses none, the page asks for the room all the same.
            const bool unused = std::string_view(chip) == "Ascend910B1" && each == 1;
            const char* rule = unused ? "work-size" : "out-of-buffer";
            EXPECT_EQ(RulesOf(chip, call, "float16", 128, kRepeats * each), "") << chip << " " << call;
            EXPECT_EQ(RulesOf(chip, call, "float16", 128, kRepeats * each - 1), rule) << chip << " " << call;
            if (each != 1) continue;
            EXPECT_EQ(RulesOf(chip, call, "float32", 64, kRepeats), "") << chip << " " << call;
            EXPECT_EQ(RulesOf(chip, call, "float32", 64, kRepeats - 1), rule) << chip << " " << call;
        }
    }
}

}  // namespace
}  // namespace sfumato::tik
