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
    };
}
// IterateBatch with these counts.
auto Counts(uint32_t a, uint32_t b, bool partial = false) {
    return [=](auto& mm, World& w) { mm.IterateBatch(Gm<float>(w.c), a, b, false, 0, 0, 0, partial); };
}

std::vector<Program> Programs() {
    return {
        {"no_layout", Batched<In, In>(Counts(2, 2)), "fault [matmul-batch] IterateBatch: IterateBatch: A and B need one layout of batches; ; LayoutMode::NONE; NORMAL, BSNGD, SBNGD, BNGS1S2; give MatmulType of A, B and C the layout; aiv0"},
        {"two_layouts", Batched<NormalIn, GroupIn>(Counts(2, 2)), "fault [matmul-batch] IterateBatch: IterateBatch: A and B need one layout of batches; ; two layouts; NORMAL, BSNGD, SBNGD, BNGS1S2; give MatmulType of A, B and C the layout; aiv0"},
        {"counts_do_not_pair", Batched<NormalIn, NormalIn>(Counts(2, 3)), "fault [matmul-batch] IterateBatch: IterateBatch: the batches of A and B do not pair; ; 2 and 3; at least 1 each, the smaller a divisor of the larger; check batchA and batchB; aiv0"},
        {"no_batch", Batched<NormalIn, NormalIn>(Counts(0, 2)), "fault [matmul-batch] IterateBatch: IterateBatch: the batches of A and B do not pair; ; 0 and 2; at least 1 each, the smaller a divisor of the larger; check batchA and batchB; aiv0"},
        {"half_a_group", Batched<GroupIn, GroupIn>(Counts(3, 3), 1), "fault [matmul-batch] IterateBatch: IterateBatch: the products that are summed over G do not divide the batches; ; 3 batches, G 2; a multiple of 2; let a call hold whole groups; aiv0"},
        {"two_rows_of_b", Batched<GroupIn, GroupIn>(Counts(4, 4)), "fault [matmul-batch] IterateBatch: IterateBatch: a call spans two rows of b; ; batchA 4, N x G 6; a divisor of N x G; use fewer batches a call; aiv0"},
        {"more_than_l1", Batched<NormalIn, NormalIn>(Counts(64, 64)), "warning [matmul-batch-l1] IterateBatch: IterateBatch: the matrices of the call do not fit L1 together; ; 64 of A and 64 of B, 655360 bytes; less than 524288 bytes; use fewer batches a call, or in LayoutMode::NORMAL batchMode BATCH_LARGE_THAN_L1; aiv0"},
        {"partial_sum", Batched<NormalIn, NormalIn>(Counts(2, 2, true)), "fault [matmul-batch] IterateBatch: IterateBatch: L0C holds one block, and the call has several; ; enPartialSum with 2 products; one product of one base block; leave enPartialSum out; aiv0"},
        {"one_bias_of_large", Batched<NormalIn, NormalIn, Out, kSingle>(Counts(2, 2)), "fault [matmul-batch] IterateBatch: IterateBatch: a single matrix larger than L1 needs a row of bias for each batch; ; isBiasBatch false; isBiasBatch true with SINGLE_LARGE_THAN_L1; repeat the row for each batch; aiv0"},
        {"scattered_in_ub", Batched<NormalIn, NormalIn, NormalUb>([](auto& mm, World&) {
             TBuf<TPosition::VECCALC> buffer;
             GetTPipePtr()->InitBuffer(buffer, 2 * 32 * 48 * 4);
             mm.IterateBatch(buffer.Get<float>(), 2, 2, false);
         }),
         "fault [matmul-batch] IterateBatch: IterateBatch: results of batches lie dense in UB; ; a LocalTensor, and enSequentialWrite false; enSequentialWrite true with a LocalTensor; pass true, or a GlobalTensor; aiv0"},
        {"small_in_ub", Batched<NormalIn, NormalIn, NormalUb>([](auto& mm, World&) {
             TBuf<TPosition::VECCALC> buffer;
             GetTPipePtr()->InitBuffer(buffer, 32 * 48 * 4);
             mm.IterateBatch(buffer.Get<float>(), 2, 2, true);
         }),
         "fault [matmul-destination] IterateBatch: IterateBatch: the destination is too small; C; 1536 elements; 3072 elements; give the buffer behind it as many in InitBuffer; aiv0"},
        {"small_in_gm",
         Batched<NormalIn, NormalIn>([](auto& mm, World& w) { mm.IterateBatch(Gm<float>(w.c, 3000), 2, 2, false); }), "fault [matmul-destination] IterateBatch: IterateBatch: the destination is too small; C; 3000 elements; 3072 elements; check SetOrgShape and SetTail, or give SetGlobalBuffer the size it has; aiv0"},
        {"quantised", Batched<Of<int8_t, LayoutMode::NORMAL>, Of<int8_t, LayoutMode::NORMAL>, Of<half, LayoutMode::NORMAL>>(
                          [](auto& mm, World& w) {
                              mm.SetQuantScalar(0x3f800000);
                              mm.IterateBatch(Gm<half>(w.c), 2, 2, false);
                          }),
         "fault [matmul-batch] IterateBatch: IterateBatch: batches are not quantised; ; SetQuantScalar or SetQuantVector before it; C of the accumulator's kind; quantise in UB; aiv0"},
    };
}

class WrongBatch : public ::testing::TestWithParam<Program> {};
TEST_P(WrongBatch, GivesItsReport) { GivesItsReport(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, WrongBatch, ::testing::ValuesIn(Programs()), NameOf);

}  // namespace
}  // namespace sfumato::matmul_test
