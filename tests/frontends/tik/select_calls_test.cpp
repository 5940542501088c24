// SPDX-License-Identifier: Apache-2.0
// Compares, selects, fills and gathers as TIK calls.
#include <numeric>

#include "script.h"

namespace sfumato::tik {
namespace {

constexpr int64_t kElements = 256;
constexpr int64_t kOne = 1, kEight = 8;

// Tensors of a script in UB: a and b hold 0, 1, 2 ... and 128, 127 ...; dst is what the test reads.
struct Ub {
    Script s;
    const char* type;
    TensorId in_a, in_b, out, a, b, dst, bits, words;

    Ub(const char* chip, const char* data_type) : s(chip), type(data_type) {
        in_a = s.Gm(type, kElements, "in_a"), in_b = s.Gm(type, kElements, "in_b");
        out = s.Gm(type, kElements, "out");
        a = s.Local(type, kElements, "a"), b = s.Local(type, kElements, "b"), dst = s.Local(type, kElements, "dst");
        bits = s.Local("uint8", 64, "bits"), words = s.Local("uint32", kElements, "words");
        for (const auto& [to, from] : {std::pair{a, in_a}, {b, in_b}, {dst, in_b}}) s.Move(Ref(to), Ref(from), Blocks());
    }
    RefId Ref(TensorId t) { return s.Ref(t, type); }
    RefId Bits() { return s.Ref(bits, "uint8"); }
    RefId Words() { return s.Ref(words, "uint32"); }
    int64_t Blocks() const { return kElements * (std::string(type) == "float16" || std::string(type) == "uint16" ? 2 : 4) / 32; }
    void Call(const char* name, const std::vector<RefId>& refs, const Params& params) {
        s.program.Call(name, refs, params, s.where);
    }
    void SetWord(int64_t index, int64_t value) {
        s.program.Store(s.Ref(words, "uint32", index), s.Typed(value, "uint32"), s.where);
    }
    template <class T>
    std::vector<T> Finish(uint32_t* counted = nullptr) {
        s.Move(Ref(out), Ref(dst), Blocks());
        std::vector<TensorId> outputs_of{out};
        if (counted) {
            outputs_of.push_back(s.Gm("uint32", 8, "count"));
            s.Move(s.Ref(outputs_of.back(), "uint32"), Words(), int64_t{1});
        }
        s.Build({in_a, in_b}, outputs_of);
        std::vector<T> up(kElements), down(kElements);
        for (size_t i = 0; i < up.size(); ++i) up[i] = static_cast<T>(i), down[i] = static_cast<T>(128 - static_cast<int>(i));
        const auto outputs = s.Run({FeedOf("in_a", up), FeedOf("in_b", down)});
        if (counted) *counted = As<uint32_t>(outputs.at(1)).at(0);
        return As<T>(outputs.at(0));
    }
};

// a < b holds for the first 64 elements.
TEST(TikSelect, ComparesAndModes) {
    const auto run = [](int64_t mode) {
        Ub u("Ascend910B1", "float32");
        u.Call("vec_cmpv_lt", {u.Bits(), u.Ref(u.a), u.Ref(u.b)},
               {{"repeat_times", int64_t{4}}, {"src0_rep_stride", kEight}, {"src1_rep_stride", kEight}});
        const Params common{{"mask", int64_t{64}},      {"mode", mode},         {"repeat_times", int64_t{4}},
                            {"dst_rep_stride", kEight}, {"src0_rep_stride", kEight}, {"src1_rep_stride", kEight}};
        Params params = common;
        std::vector<RefId> refs{u.Ref(u.dst), u.Bits(), u.Ref(u.a), u.Ref(u.b)};
        if (mode == 1) params.push_back({"src1", 7.0}), refs.pop_back();
        u.Call("vec_sel", refs, params);
        return u.Finish<float>();
    };
    const auto first = run(0), scalar = run(1), tensor = run(2);
    for (size_t i = 0; i < kElements; ++i) {
        const float a = static_cast<float>(i), b = 128 - a;
        EXPECT_EQ(first[i], a) << i;  // the bits of the first repeat, all ones, for every repeat
        EXPECT_EQ(scalar[i], a < b ? a : 7) << i;
        EXPECT_EQ(tensor[i], a < b ? a : b) << i;
    }
}

TEST(TikSelect, ComparisonRegister) {
    Ub u("Ascend310", "float16");
    for (const char* call : {"vcmp_gt", "vcmp_eq"}) {
        u.Call(call, {u.Ref(u.a), u.Ref(u.b)},
               {{"mask", std::string(call) == "vcmp_gt" ? int64_t{128} : int64_t{16}}, {"src0_stride", kOne}, {"src1_stride", kOne}});
    }
    const Params select{{"mask", int64_t{128}},     {"mode", int64_t{0}},     {"sel", std::string("CMPMASK")},
                        {"repeat_times", kOne},     {"dst_blk_stride", kOne}, {"src0_blk_stride", kOne},
                        {"src1_blk_stride", kOne},  {"dst_rep_stride", kEight}, {"src0_rep_stride", kEight},
                        {"src1_rep_stride", kEight}};
    u.Call("vsel", {u.Ref(u.dst), u.Ref(u.a), u.Ref(u.b)}, select);
    const auto result = u.Finish<uint16_t>();  // as bits: small integers are subnormals, in order
    for (size_t i = 0; i < 128; ++i) {
        EXPECT_EQ(result[i], i >= 16 && i > 128 - i ? i : 128 - i) << i;
    }
}

TEST(TikSelect, CmpMaskFromScalarAndTensor) {
    Ub u("Ascend910B1", "float32");
    u.Call("set_scalar_to_cmpmask", {}, {{"scalar", int64_t{0xF0}}});
    u.Call("mov_cmpmask_to_tensor", {u.Words()}, {{"src_cmpmask", std::string("CMPMASK")}});
    u.Call("set_scalar_to_cmpmask", {}, {{"scalar", int64_t{0}}});
    u.Call("mov_tensor_to_cmpmask", {u.Words()}, {});
    u.Call("vec_sel", {u.Ref(u.dst), u.Ref(u.a), u.Ref(u.b)},
           {{"mask", int64_t{64}}, {"mode", int64_t{0}}, {"sel", std::string("CMPMASK")}, {"repeat_times", kOne}});
    const auto result = u.Finish<float>();
    for (size_t i = 0; i < 64; ++i) EXPECT_EQ(result[i], i >= 4 && i < 8 ? i : 128 - i) << i;
}

TEST(TikSelect, FillsAndGathers) {
    Ub bcb("Ascend910B1", "float32");
    bcb.Call("vbcb", {bcb.Ref(bcb.dst), bcb.Ref(bcb.a)},
             {{"repeat_times", int64_t{2}}, {"dst_blk_stride", kOne}, {"dst_rep_stride", kEight}});
    const auto broadcast = bcb.Finish<float>();
    for (size_t i = 0; i < 128; ++i) EXPECT_EQ(broadcast[i], i / 8) << i;

    Ub ci("Ascend310B1", "int32");
    ci.Call("vci", {ci.Ref(ci.dst)},
            {{"mask", int64_t{70}}, {"start_point", int64_t{5}}, {"repeat_times", kOne}, {"dst_blk_stride", kOne},
             {"dst_rep_stride", kEight}, {"stride_unit", int64_t{0}}, {"mask_mode", std::string("counter")}});
    const auto index = ci.Finish<int32_t>();
    EXPECT_EQ(index[69], 74);
    EXPECT_EQ(index[70], 58);

    for (const char* call : {"vgather", "vscatter"}) {
        Ub u("Ascend310P3", "uint16");
        for (int64_t i = 0; i < 4; ++i) u.SetWord(i, 2 * (9 - 2 * i));
        u.Call(call, {u.Ref(u.dst), u.Ref(u.a), u.Words()},
               {{"mask", int64_t{4}}, {"repeat_times", kOne}, {"dst_rep_stride", kEight}, {"src_rep_stride", kEight},
                {"base_addr", int64_t{20}}, {"stride_unit", int64_t{0}}, {"mask_mode", std::string("normal")}});
        const auto moved = u.Finish<uint16_t>();
        for (size_t i = 0; i < 4; ++i) {
            const bool gather = std::string(call) == "vgather";
            EXPECT_EQ(gather ? moved[i] : moved[19 - 2 * i], gather ? 19 - 2 * i : i) << call;
        }
        EXPECT_EQ(moved[5], 123);
    }
}

TEST(TikSelect, ReduceCountsWhatItKeeps) {
    Ub u("Ascend310P3", "uint16");
    const ScalarId kept = u.s.NewScalar("uint32", u.s.Typed(int64_t{0}, "uint32"));
    u.Call("vreduce", {u.Ref(u.dst), u.Ref(u.a)},
           {{"mask", int64_t{130}}, {"src1_pattern", int64_t{2}}, {"repeat_times", kOne}, {"src0_blk_stride", kOne},
            {"src0_rep_stride", kEight}, {"src1_rep_stride", int64_t{0}}, {"stride_unit", int64_t{0}},
            {"rsvd_scalar", u.s.Var(kept)}, {"mask_mode", std::string("counter")}});
    u.s.program.Store(u.s.Ref(u.words, "uint32"), u.s.Var(kept), u.s.where);
    uint32_t counted = 0;
    const auto result = u.Finish<uint16_t>(&counted);
    EXPECT_EQ(counted, 65u);
    EXPECT_EQ(result[64], 129);
    EXPECT_EQ(result[65], 63);
}

TEST(TikSelect, RefusedAtTheLine) {
    Ub u("Ascend910A", "float32");
    u.s.At(12);
    const auto select = [&](int64_t mode, const char* src1) {
        return RefusedBy([&] {
            Params params{{"mask", int64_t{64}}, {"mode", mode}, {"repeat_times", kOne}};
            std::vector<RefId> refs{u.Ref(u.dst), u.Bits(), u.Ref(u.a)};
            if (src1) refs.push_back(u.Ref(u.b));
            u.Call("vec_sel", refs, params);
        });
    };
    const Report mode = select(2, "b");
    EXPECT_EQ(mode.rule, "select-mode");
    EXPECT_EQ(mode.message, "vec_sel: Ascend910 does not select in this mode");
    EXPECT_EQ(mode.found, "2");
    EXPECT_EQ(mode.legal, "0");
    EXPECT_EQ(mode.line, 12u);
    EXPECT_EQ(select(3, "b").rule, "select-mode");
    EXPECT_EQ(select(0, nullptr).rule, "parameter-type");
    EXPECT_EQ(select(1, "b").rule, "parameter-type");
    const Report scalar = RefusedBy([&] {
        u.Call("vcmpvs_lt", {u.Bits(), u.Ref(u.a)}, {{"scalar", 1.0}, {"repeat_times", kOne}, {"src_blk_stride", kOne}, {"src_rep_stride", kEight}});
    });
    EXPECT_EQ(scalar.rule, "instruction-unsupported");
    EXPECT_EQ(scalar.message, "vcmpvs_lt: Ascend910 does not have the instruction");
    Ub p("Ascend310P3", "float32");
    EXPECT_EQ(RefusedBy([&] {
                  p.Call("vreduce", {p.Ref(p.dst), p.Ref(p.a)}, {{"mask", int64_t{64}}, {"src1_pattern", int64_t{7}}, {"repeat_times", kOne}});
              }).rule,
              "gather-pattern");
}

}  // namespace
}  // namespace sfumato::tik
