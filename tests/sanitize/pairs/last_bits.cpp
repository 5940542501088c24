// SPDX-License-Identifier: Apache-2.0
// Results that hang on a last bit which no page settles, and twins that do not.
#include "sanitize/pairs/cube_tiles.h"
#include "sanitize/pairs/tiles.h"

namespace sfumato::pairs {
namespace {

constexpr const char* kCheck = "last-bit";

// x in `a`; what `compute` leaves in `b` is rounded to integers: down, or in the twin to the nearest.
template <auto compute>
Pair Codes(const char* name, const char* chip = "Ascend910B1") {
    return Pair(name, "last-bit-flips",
                [](GM_ADDR* gm, bool wrong) {
                    Tiles<float> t(gm);
                    DataCopy(t.a, t.x, kTile);
                    Sync<HardEvent::MTE2_V>();
                    compute(t);
                    LocalTensor<int32_t> codes = t.c.template ReinterpretCast<int32_t>();
                    Cast(codes, t.b, wrong ? RoundMode::CAST_FLOOR : RoundMode::CAST_RINT, kTile);
                    Sync<HardEvent::V_MTE3>();
                    DataCopy(Gm<int32_t>(gm[1], kTile), codes, kTile);
                },
                {.check = kCheck, .gm = {Input<float>("x", kTile), Output<int32_t>("z", kTile)}, .chip = chip});
}

// x / 3 x 3: a third is rounded up.
__aicore__ inline void Thirds(Tiles<float>& t) {
    Duplicate(t.c, 3.0f, kTile);
    Div(t.b, t.a, t.c, kTile);
    Muls(t.b, t.b, 3.0f, kTile);
}

std::vector<Pair> Integers() {
    return {
        Codes<[](auto& t) { Thirds(t); }>("codes_behind_a_quotient"),
        Codes<[](auto& t) { Thirds(t); }>("codes_behind_a_quotient_310p", "Ascend310P3"),
        Codes<[](auto& t) {
            Sqrt(t.b, t.a, kTile);
            Mul(t.b, t.b, t.b, kTile);
        }>("codes_behind_a_root"),
        Codes<[](auto& t) {
            Ln(t.b, t.a, kTile);
            Muls(t.b, t.b, 1.442695f, kTile);
        }>("codes_behind_a_logarithm"),
        Codes<[](auto& t) {
            Exp(t.b, t.a, kTile);
            Muls(t.b, t.b, 0.36787945f, kTile);
        }>("codes_behind_an_exponential", "Ascend310P3"),
        Codes<[](auto& t) {
            Rsqrt(t.b, t.a, kTile);
            Muls(t.b, t.b, 1.001956947f, kTile);
        }>("codes_behind_an_inverse_root", "Ascend310P3"),
        Codes<[](auto& t) {
            Reciprocal(t.b, t.a, kTile);
            Muls(t.b, t.b, 1.001956947f, kTile);
        }>("codes_behind_a_reciprocal"),
    };
}

// A first column so large that each of the others is lost in its sum, and all of them together are not.
Memory Uneven() {
    Memory memory = Input<half>("x", kFractal);
    for (uint32_t row = 0; row < kSide; ++row) {
        for (uint32_t column = 0; column < kSide; ++column) {
            const half value(column == 0 ? 60000.0f : 0.001f);
            std::memcpy(memory.bytes.data() + (row * kSide + column) * sizeof(half), &value, sizeof(half));
        }
    }
    return memory;
}

}  // namespace

std::vector<Pair> LastBitPairs() {
    std::vector<Pair> all = Integers();
    const auto quotient = [](GM_ADDR* gm, bool wrong) {
        Tiles<float> t(gm);
        DataCopy(t.a, t.x, kTile);
        Duplicate(t.c, wrong ? 3.0f : 2.0f, kTile);
        Sync<HardEvent::MTE2_V>();
        Div(t.b, t.a, t.c, kTile);
        Sync<HardEvent::V_MTE3>();
        DataCopy(t.z, t.b, kTile);
    };
    all.push_back(Pair("quotients_that_are_no_floats", "last-bit", quotient, {.check = kCheck}));
    all.push_back(
        Pair("quotients_that_are_no_floats_910a", "last-bit", quotient, {.check = kCheck, .chip = "Ascend910A"}));
    all.push_back(Pair("sums_of_products_of_uneven_size", "last-bit",
                       [](GM_ADDR* gm, bool wrong) {
                           CubeTiles t(gm);
                           t.Both();
                           Mmad(t.c, t.a2, t.b2, MmadParams(kSide, kSide, wrong ? kSide : 1, 0, false, true));
                           t.Out();
                       },
                       {.check = kCheck,
                        .gm = {Uneven(), Input<half>("y", kFractal), Output<float>("z", kFractal)},
                        .core = CoreChoice::kCube}));
    const auto compared = [](GM_ADDR* gm, bool wrong) {
        Tiles<float> t(gm);
        DataCopy(t.a, t.x, kTile);
        Sync<HardEvent::MTE2_V>();
        Thirds(t);
        TBuf<> bits;
        t.pipe.InitBuffer(bits, 32);
        LocalTensor<uint8_t> chosen = bits.Get<uint8_t>();
        Duplicate(t.c, wrong ? 1.0f : 0.5f, kTile);
        Compare(chosen, t.b, t.c, CMPMODE::GE, kTile);
        Select(t.a, chosen, t.a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, kTile);
        Sync<HardEvent::V_MTE3>();
        DataCopy(t.z, t.a, kTile);
    };
    all.push_back(Pair("choice_behind_a_quotient", "last-bit-flips", compared, {.check = kCheck}));
    const auto branches = [](GM_ADDR* gm, bool wrong) {
        Tiles<float> t(gm);
        DataCopy(t.a, t.x, kTile);
        Sync<HardEvent::MTE2_V>();
        Thirds(t);
        Sync<HardEvent::V_S>();
        if (t.b.GetValue(0) >= (wrong ? 1.0f : 0.5f)) Adds(t.a, t.a, 1.0f, kTile);
        Sync<HardEvent::V_MTE3>();
        DataCopy(t.z, t.a, kTile);
    };
    all.push_back(Pair("branch_behind_a_quotient", "last-bit-flips", branches, {.check = kCheck}));
    all.push_back(
        Pair("branch_behind_a_quotient_310b", "last-bit-flips", branches, {.check = kCheck, .chip = "Ascend310B1"}));
    return all;
}

}  // namespace sfumato::pairs
