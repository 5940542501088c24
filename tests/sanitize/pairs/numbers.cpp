// SPDX-License-Identifier: Apache-2.0
// Numbers that are born from finite data and are none: NaN, infinity, integers that wrap around, and what saturation
// hides (framework.md 3.12).
#include "sanitize/pairs/cube_tiles.h"
#include "sanitize/pairs/tiles.h"

namespace sfumato::pairs {
namespace {

// Results that are no number stay what they are; without it they saturate.
__aicore__ inline void KeepInfinities() { SetCtrlSpr<48, 48>(1); }

// One tile, into `b`: the tile of x is in `a`.
template <class T, class Compute>
__aicore__ inline void Computed(GM_ADDR* gm, const Compute& compute) {
    Tiles<T> t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    compute(t);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}
template <class T>
std::vector<Memory> OneTile() {
    return {Input<T>("x", kTile), Output<T>("z", kTile)};
}
// The same with lane 9 of x instead.
template <class T>
std::vector<Memory> WithLane(T value) {
    std::vector<Memory> gm = OneTile<T>();
    std::memcpy(gm[0].bytes.data() + 9 * sizeof(T), &value, sizeof(T));
    return gm;
}

// A square of 100s.
Memory Large(const char* name) {
    Memory memory = Input<half>(name, kFractal);
    const half value(100);
    for (uint32_t i = 0; i < kFractal; ++i) std::memcpy(memory.bytes.data() + i * sizeof(half), &value, sizeof(half));
    return memory;
}

// Integers that are too large for their type, in `b`.
template <class T, auto compute>
Pair Wraps(const char* name, const char* chip = "Ascend910B1") {
    return Pair(name, "integer-overflow",
                [](GM_ADDR* gm, bool wrong) { Computed<T>(gm, [wrong](Tiles<T>& t) { compute(t, wrong); }); },
                {.gm = OneTile<T>(), .chip = chip});
}
std::vector<Pair> Integers() {
    return {
        Wraps<int32_t,
              [](auto& t, bool wrong) {
                  Duplicate(t.c, wrong ? 2147483640 : 40, kTile);
                  Adds(t.c, t.c, 7, kTile);
                  Add(t.b, t.a, t.c, kTile);
              }>("int32_sum_of_two_tiles"),
        Wraps<int32_t,
              [](auto& t, bool wrong) {
                  Duplicate(t.c, wrong ? 1500000000 : 15, kTile);
                  Mul(t.b, t.a, t.c, kTile);
              }>("int32_product_of_two_tiles"),
        Wraps<int16_t, [](auto& t, bool wrong) { Muls(t.b, t.a, int16_t(wrong ? 30000 : 30), kTile); }>(
            "int16_product"),
        Wraps<int16_t,
              [](auto& t, bool wrong) {
                  Duplicate(t.c, int16_t(wrong ? -32767 : -3), kTile);
                  Sub(t.b, t.c, t.a, kTile);
              }>("int16_difference"),
        Wraps<int32_t, [](auto& t, bool wrong) { Power<int32_t, false>(t.b, t.a, wrong ? 16 : 3, kTile); }>(
            "int32_power"),
        Wraps<int32_t, [](auto& t, bool wrong) { ArithProgression(t.b, 5, wrong ? 200000000 : 2, kTile); }>(
            "int32_progression"),
    };
}

}  // namespace

std::vector<Pair> NumberPairs() {
    const std::vector<Pair> others = {
        Pair("int32_added_in_global_memory", "integer-overflow",
             [](GM_ADDR* gm, bool wrong) {
                 Tiles<int32_t> t(gm);
                 Duplicate(t.a, wrong ? 2147483646 : 6, kTile);
                 Sync<HardEvent::V_MTE3>();
                 SetAtomicAdd<int32_t>();
                 DataCopy(t.z, t.a, kTile);
                 SetAtomicNone();
             },
             {Input<int32_t>("x", kTile), InOut<int32_t>("z", kTile)}),
        Pair("zero_by_zero", "nan-born",
             [](GM_ADDR* gm, bool wrong) {
                 KeepInfinities();
                 Computed<float>(gm, [wrong](Tiles<float>& t) {
                     Sub(t.c, t.a, t.a, kTile);
                     if (!wrong) Adds(t.c, t.c, 1.0f, kTile);
                     Sub(t.b, t.a, t.a, kTile);
                     Div(t.b, t.b, t.c, kTile);
                 });
             }),
        Pair(
            "logarithm_of_a_negative_number", "nan-born",
            [](GM_ADDR* gm, bool wrong) {
                KeepInfinities();
                Computed<float>(gm, [wrong](Tiles<float>& t) {
                    if (!wrong) Abs(t.a, t.a, kTile);
                    Ln(t.b, t.a, kTile);
                });
            },
            WithLane(-2.0f)),
        Pair(
            "root_of_a_difference_below_zero", "nan-born",
            [](GM_ADDR* gm, bool wrong) {
                KeepInfinities();
                Computed<half>(gm, [wrong](Tiles<half>& t) {
                    Adds(t.b, t.a, half(wrong ? -1.5f : 0.5f), kTile);
                    Sqrt(t.b, t.b, kTile);
                });
            },
            OneTile<half>()),
        Pair(
            "inverse_root_below_zero", "nan-born",
            [](GM_ADDR* gm, bool wrong) {
                KeepInfinities();
                Computed<float>(gm, [wrong](Tiles<float>& t) {
                    if (!wrong) Maxs(t.a, t.a, 0.5f, kTile);
                    Rsqrt(t.b, t.a, kTile);
                });
            },
            WithLane(-2.0f)),
        Pair(
            "exp_of_scores_without_their_largest", "inf-born",
            [](GM_ADDR* gm, bool wrong) {
                KeepInfinities();
                Computed<half>(gm, [wrong](Tiles<half>& t) {
                    if (!wrong) Adds(t.a, t.a, half(-30), kTile);
                    Exp(t.b, t.a, kTile);
                });
            },
            WithLane(half(30))),
        Pair(
            "reciprocal_of_zero", "inf-born",
            [](GM_ADDR* gm, bool wrong) {
                KeepInfinities();
                Computed<half>(gm, [wrong](Tiles<half>& t) {
                    if (!wrong) Adds(t.a, t.a, half(1), kTile);
                    Reciprocal(t.b, t.a, kTile);
                });
            },
            WithLane(half(0))),
        Pair(
            "logarithm_of_zero", "inf-born",
            [](GM_ADDR* gm, bool wrong) {
                KeepInfinities();
                Computed<float>(gm, [wrong](Tiles<float>& t) {
                    if (!wrong) Maxs(t.a, t.a, 0.001f, kTile);
                    Ln(t.b, t.a, kTile);
                });
            },
            WithLane(0.0f)),
        Pair("variance_of_zero_inverted", "inf-born",
             [](GM_ADDR* gm, bool wrong) {
                 KeepInfinities();
                 Computed<float>(gm, [wrong](Tiles<float>& t) {
                     Sub(t.c, t.a, t.a, kTile);
                     if (!wrong) Adds(t.c, t.c, 0.25f, kTile);
                     Rsqrt(t.b, t.c, kTile);
                 });
             }),
        Pair(
            "half_squared_past_its_range", "inf-born",
            [](GM_ADDR* gm, bool wrong) {
                KeepInfinities();
                Computed<half>(gm, [wrong](Tiles<half>& t) {
                    if (!wrong) Muls(t.a, t.a, half(0.25f), kTile);
                    Mul(t.b, t.a, t.a, kTile);
                });
            },
            WithLane(half(300))),
        Pair(
            "half_sum_past_its_range", "inf-born",
            [](GM_ADDR* gm, bool wrong) {
                KeepInfinities();
                Computed<half>(gm, [wrong](Tiles<half>& t) {
                    Duplicate(t.c, half(wrong ? 2000 : 200), kTile);
                    Duplicate(t.b, half(0), kTile);
                    Add(t.a, t.a, t.c, kTile);
                    WholeReduceSum(t.b, t.a, kTile, 1, 1, 1, 8);
                });
            },
            OneTile<half>()),
        Pair("float_cast_past_the_range_of_half", "inf-born",
             [](GM_ADDR* gm, bool wrong) {
                 KeepInfinities();
                 Tiles t(gm);
                 LocalTensor<half> narrow = t.b.ReinterpretCast<half>();
                 DataCopy(t.a, t.x, kTile);
                 Sync<HardEvent::MTE2_V>();
                 if (!wrong) Muls(t.a, t.a, 0.125f, kTile);
                 Cast(narrow, t.a, RoundMode::CAST_NONE, kTile);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(Gm<half>(gm[1], kTile), narrow, kTile);
             },
             {WithLane(100000.0f)[0], Output<half>("z", kTile)}),
        Pair("product_past_the_range_of_half", "inf-born",
             [](GM_ADDR* gm, bool wrong) {
                 CubeTiles q(gm);
                 q.Multiply();
                 KeepInfinities();
                 FixpipeParamsV220 rows(kSide, kSide, kSide, kSide, false, F322F16);
                 if (wrong) return Fixpipe(Gm<half>(gm[2], kFractal), q.c, rows);
                 rows.quantPre = F322BF16;
                 Fixpipe(Gm<bfloat16_t>(gm[2], kFractal), q.c, rows);
             },
             {.gm = {Large("a"), Large("b"), Output<half>("z", kFractal)}, .core = CoreChoice::kCube}),
        Pair(
            "int32_sum_wraps_around", "integer-overflow",
            [](GM_ADDR* gm, bool wrong) {
                Computed<int32_t>(gm,
                                  [wrong](Tiles<int32_t>& t) { Adds(t.b, t.a, wrong ? 2147483647 : 1000000, kTile); });
            },
            OneTile<int32_t>()),
        Pair(
            "int32_product_wraps_around", "integer-overflow",
            [](GM_ADDR* gm, bool wrong) {
                Computed<int32_t>(gm, [wrong](Tiles<int32_t>& t) { Muls(t.b, t.a, wrong ? 1000000000 : 1000, kTile); });
            },
            OneTile<int32_t>()),
        Pair(
            "int32_difference_wraps_around", "integer-overflow",
            [](GM_ADDR* gm, bool wrong) {
                Computed<int32_t>(gm, [wrong](Tiles<int32_t>& t) {
                    Duplicate(t.c, wrong ? -2147483647 : -1000, kTile);
                    Sub(t.b, t.c, t.a, kTile);
                });
            },
            OneTile<int32_t>()),
        Pair("int32_sum_of_products_wraps_around", "integer-overflow",
             [](GM_ADDR* gm, bool wrong) {
                 Computed<int32_t>(gm, [wrong](Tiles<int32_t>& t) {
                     Duplicate(t.b, wrong ? 2147483647 : 1000, kTile);
                     Duplicate(t.c, 1000, kTile);
                     PipeBarrier<PIPE_V>();
                     MulAddDst(t.b, t.a, t.c, kTile);
                 });
             },
             {.gm = OneTile<int32_t>(), .chip = "Ascend310B1"}),
        Pair(
            "half_product_saturated", "saturation-hidden",
            [](GM_ADDR* gm, bool wrong) {
                Computed<half>(gm, [wrong](Tiles<half>& t) { Muls(t.b, t.a, half(wrong ? 30000 : 3), kTile); });
            },
            OneTile<half>()),
        Pair(
            "exp_saturated", "saturation-hidden",
            [](GM_ADDR* gm, bool wrong) {
                Computed<half>(gm, [wrong](Tiles<half>& t) {
                    if (!wrong) Adds(t.a, t.a, half(-20), kTile);
                    Exp(t.b, t.a, kTile);
                });
            },
            WithLane(half(20))),
        Pair("float_cast_past_the_range_of_int32", "integer-overflow",
             [](GM_ADDR* gm, bool wrong) {
                 Tiles t(gm);
                 LocalTensor<int32_t> whole = t.b.ReinterpretCast<int32_t>();
                 DataCopy(t.a, t.x, kTile);
                 Sync<HardEvent::MTE2_V>();
                 if (!wrong) Mins(t.a, t.a, 1000000.0f, kTile);
                 Cast(whole, t.a, RoundMode::CAST_RINT, kTile);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(Gm<int32_t>(gm[1], kTile), whole, kTile);
             },
             {WithLane(1e12f)[0], Output<int32_t>("z", kTile)}),
        Pair("int32_cast_past_the_range_of_int16", "integer-overflow",
             [](GM_ADDR* gm, bool wrong) {
                 Tiles<int32_t> t(gm);
                 LocalTensor<int16_t> narrow = t.b.ReinterpretCast<int16_t>();
                 DataCopy(t.a, t.x, kTile);
                 Sync<HardEvent::MTE2_V>();
                 if (!wrong) Mins(t.a, t.a, 30000, kTile);
                 Cast(narrow, t.a, RoundMode::CAST_NONE, kTile);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(Gm<int16_t>(gm[1], kTile), narrow, kTile);
             },
             {WithLane(70000)[0], Output<int16_t>("z", kTile)}),
        Pair("half_sum_of_310p_saturated", "saturation-hidden",
             [](GM_ADDR* gm, bool wrong) {
                 Computed<half>(gm, [wrong](Tiles<half>& t) {
                     Duplicate(t.c, half(wrong ? 65504 : 600), kTile);
                     Muls(t.a, t.a, half(100), kTile);
                     Add(t.b, t.a, t.c, kTile);
                 });
             },
             {.gm = OneTile<half>(), .chip = "Ascend310P3"}),
    };
    return Together({Integers(), On("Ascend310P3", Integers()), others});
}

}  // namespace sfumato::pairs
