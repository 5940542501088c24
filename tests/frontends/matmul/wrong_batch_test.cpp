// SPDX-License-Identifier: Apache-2.0
// IterateBatch: counts, layouts and places that do not fit together (adv.md 2.8).
#include "wrong_programs.h"

namespace sfumato::matmul_test {
namespace {

template <class T, LayoutMode layout>
using Of = MatmulType<TPosition::GM, CubeFormat::ND, T, false, layout>;
using NormalIn = Of<half, LayoutMode::NORMAL>;
using NormalUb = MatmulType<TPosition::VECIN, CubeFormat::ND, float, false, LayoutMode::NORMAL>;
using GroupIn = Of<half, LayoutMode::BSNGD>;

constexpr MatmulConfig Single() {
    MatmulConfig config = GetNormalConfig();
    config.isBiasBatch = false;
    config.batchMode = BatchMode::SINGLE_LARGE_THAN_L1;
    return config;
}
constexpr MatmulConfig kSingle = Single();

// Three heads of two groups, products of 32 x 48 x 64.
void Groups(World& w, int32_t g_of_c) {
    TCubeTiling& t = w.tiling;
    t.ALayoutInfoB = t.BLayoutInfoB = t.CLayoutInfoB = 1;
    t.ALayoutInfoN = t.BLayoutInfoN = t.CLayoutInfoN = 3;
    t.ALayoutInfoG = t.BLayoutInfoG = 2, t.CLayoutInfoG = g_of_c;
    t.ALayoutInfoS = t.CLayoutInfoS1 = 32, t.BLayoutInfoS = 64;
    t.ALayoutInfoD = 64, t.BLayoutInfoD = t.CLayoutInfoS2 = 48;
}
template <class A, class B, class C = Out, const auto& config = CFG_NORM, class Body>
auto Batched(const Body& body, int32_t g_of_c = 2) {
    return [body, g_of_c](World& w) {
        Groups(w, g_of_c);
        TPipe pipe;
        Matmul<A, B, C, Out, config> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &w.tiling);
        mm.SetTensorA(Gm<typename A::T>(w.a));
        mm.SetTensorB(Gm<typename B::T>(w.b));
        body(mm, w);
        mm.End();
    };
}
// IterateBatch with these counts.
auto Counts(uint32_t a, uint32_t b, bool partial = false) {
    return [=](auto& mm, World& w) { mm.IterateBatch(Gm<float>(w.c), a, b, false, 0, 0, 0, partial), mm.End(); };
}

const std::vector<Program> kPrograms = {
    {"no_layout", Batched<In, In>(Counts(2, 2))},
    {"two_layouts", Batched<NormalIn, GroupIn>(Counts(2, 2))},
    {"counts_do_not_pair", Batched<NormalIn, NormalIn>(Counts(2, 3))},
    {"no_batch", Batched<NormalIn, NormalIn>(Counts(0, 2))},
    {"half_a_group", Batched<GroupIn, GroupIn>(Counts(3, 3), 1)},
    {"two_rows_of_b", Batched<GroupIn, GroupIn>(Counts(4, 4))},
    {"more_than_l1", Batched<NormalIn, NormalIn>(Counts(64, 64))},
    {"partial_sum", Batched<NormalIn, NormalIn>(Counts(2, 2, true))},
    {"one_bias_of_large", Batched<NormalIn, NormalIn, Out, kSingle>(Counts(2, 2))},
    {"scattered_in_ub", Batched<NormalIn, NormalIn, NormalUb>([](auto& mm, World&) {
         TBuf<TPosition::VECCALC> buffer;
         GetTPipePtr()->InitBuffer(buffer, 2 * 32 * 48 * 4);
         mm.IterateBatch(buffer.Get<float>(), 2, 2, false);
     })},
    {"small_in_ub", Batched<NormalIn, NormalIn, NormalUb>([](auto& mm, World&) {
         TBuf<TPosition::VECCALC> buffer;
         GetTPipePtr()->InitBuffer(buffer, 32 * 48 * 4);
         mm.IterateBatch(buffer.Get<float>(), 2, 2, true);
     })},
    {"small_in_gm",
     Batched<NormalIn, NormalIn>([](auto& mm, World& w) { mm.IterateBatch(Gm<float>(w.c, 3000), 2, 2, false); })},
    {"quantised", Batched<Of<int8_t, LayoutMode::NORMAL>, Of<int8_t, LayoutMode::NORMAL>, Of<half, LayoutMode::NORMAL>>(
                      [](auto& mm, World& w) {
                          mm.SetQuantScalar(0x3f800000);
                          mm.IterateBatch(Gm<half>(w.c), 2, 2, false);
                      })},
};

class WrongBatch : public ::testing::TestWithParam<Program> {};
TEST_P(WrongBatch, GivesItsReport) { GivesItsReport(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, WrongBatch, ::testing::ValuesIn(kPrograms), NameOf);

}  // namespace
}  // namespace sfumato::matmul_test
