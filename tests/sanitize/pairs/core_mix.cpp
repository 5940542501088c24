// SPDX-License-Identifier: Apache-2.0
// A cube core and its vector cores, which pass tiles on through global memory: flags of mode 2 and 1 that are missing,
// too early, on the wrong pipe, or out of pairs (framework.md 2.7).
#include "sanitize/pairs/blocks.h"
#include "sanitize/pairs/cube_tiles.h"

namespace sfumato::pairs {
namespace {

constexpr uint16_t kReady = 1, kFree = 2;
constexpr uint32_t kHalf = kFractal / 2;  // of a vector core

std::vector<Memory> Product() {
    return {Input<half>("a", kFractal), Input<half>("b", kFractal), Workspace<float>("product", kFractal),
            Output<float>("z", kFractal)};
}

struct ProductGm {
    explicit __aicore__ ProductGm(GM_ADDR* gm)
        : a(Gm<half>(gm[0], kFractal)),
          b(Gm<half>(gm[1], kFractal)),
          product(Gm<float>(gm[2], kFractal)),
          z(Gm<float>(gm[3], kFractal)) {}
    GlobalTensor<half> a, b;
    GlobalTensor<float> product, z;
};

// The cube core's product, by another right matrix where one is given, into the workspace. When it returns, all pipes
// have finished.
__aicore__ inline void Produce(GM_ADDR* gm, GM_ADDR right = nullptr) {
    CubeTiles cube(gm);
    if (right != nullptr) cube.y = Gm<half>(right, kFractal);
    cube.Multiply();
    Fixpipe(cube.z, cube.c, kToRows);
}
std::vector<Memory> TwoProducts() {
    std::vector<Memory> gm = Product();
    gm.push_back(Zeroed(Input<half>("zeros", kFractal)));
    return gm;
}
// A vector core's half of it, plus `more`, to the output.
__aicore__ inline void Consume(const ProductGm& g, float more = 1.0f) {
    Block v;
    const uint32_t at = static_cast<uint32_t>(GetSubBlockIdx()) * kHalf;
    auto tile = v.Plus(g.product[at], kHalf, more);
    DataCopy(g.z[at], tile, kHalf);
}

}  // namespace

std::vector<Pair> CoreMixPairs() {
    return {
        Pair("product_taken_without_a_flag", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 if ASCEND_IS_AIC {
                     Produce(gm);
                     if (!wrong) CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                 }
                 if ASCEND_IS_AIV {
                     if (!wrong) CrossCoreWaitFlag(kReady);
                     Consume(g);
                 }
             },
             {.gm = Product(), .core = CoreChoice::kMix}),
        Pair("flag_on_the_pipe_of_mmad", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 if ASCEND_IS_AIC {
                     CubeTiles cube(gm);
                     cube.Multiply();
                     Fixpipe(g.product, cube.c, kToRows);
                     wrong ? CrossCoreSetFlag<2, PIPE_M>(kReady) : CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                 }
                 if ASCEND_IS_AIV {
                     CrossCoreWaitFlag(kReady);
                     Consume(g);
                 }
             },
             {.gm = Product(), .core = CoreChoice::kMix}),
        Pair("flag_before_fixpipe", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 if ASCEND_IS_AIC {
                     if (wrong) CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                     Produce(gm);
                     if (!wrong) CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                 }
                 if ASCEND_IS_AIV {
                     CrossCoreWaitFlag(kReady);
                     Consume(g);
                 }
             },
             {.gm = Product(), .core = CoreChoice::kMix}),
        Pair("load_before_the_wait", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 if ASCEND_IS_AIC {
                     Produce(gm);
                     CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                 }
                 if ASCEND_IS_AIV {
                     if (!wrong) CrossCoreWaitFlag(kReady);
                     Consume(g);
                     if (wrong) CrossCoreWaitFlag(kReady);
                 }
             },
             {.gm = Product(), .core = CoreChoice::kMix}),
        Pair("workspace_filled_again_before_it_was_read", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 if ASCEND_IS_AIC {
                     Produce(gm);
                     CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                     if (!wrong) CrossCoreWaitFlag(kFree);
                     Produce(gm, gm[4]);
                     CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                 }
                 if ASCEND_IS_AIV {
                     CrossCoreWaitFlag(kReady);
                     Consume(g);
                     if (!wrong) CrossCoreSetFlag<2, PIPE_MTE2>(kFree);
                     CrossCoreWaitFlag(kReady);
                 }
             },
             {.gm = TwoProducts(), .core = CoreChoice::kMix}),
        Pair("workspace_released_on_the_wrong_pipe", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 if ASCEND_IS_AIC {
                     Produce(gm);
                     CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                     CrossCoreWaitFlag(kFree);
                     Produce(gm, gm[4]);
                 }
                 if ASCEND_IS_AIV {
                     Block v;
                     const uint32_t at = static_cast<uint32_t>(GetSubBlockIdx()) * kHalf;
                     auto tile = v.New<float>(kHalf);
                     CrossCoreWaitFlag(kReady);
                     DataCopy(tile, g.product[at], kHalf);
                     wrong ? CrossCoreSetFlag<2, PIPE_MTE3>(kFree) : CrossCoreSetFlag<2, PIPE_MTE2>(kFree);
                     v.Order<HardEvent::MTE2_MTE3>();
                     DataCopy(g.z[at], tile, kHalf);
                 }
             },
             {.gm = TwoProducts(), .core = CoreChoice::kMix}),
        Pair("both_slots_of_the_workspace_taken_for_one", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 auto slots = Gm<float>(gm[2], 2 * kFractal), z = Gm<float>(gm[3], 2 * kFractal);
                 for (uint32_t round = 0; round < 2; ++round) {
                     const uint32_t slot = (wrong ? 0 : round) * kFractal;
                     if ASCEND_IS_AIC {
                         CubeTiles cube(gm);
                         cube.Multiply();
                         Fixpipe(slots[slot], cube.c, kToRows);
                         CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                     }
                     if ASCEND_IS_AIV {
                         Block v;
                         const uint32_t at = static_cast<uint32_t>(GetSubBlockIdx()) * kHalf;
                         CrossCoreWaitFlag(kReady);
                         auto tile = v.Plus(slots[slot + at], kHalf, 1.0f);
                         DataCopy(z[round * kFractal + at], tile, kHalf);
                     }
                 }
             },
             {.gm = {Input<half>("a", kFractal), Input<half>("b", kFractal), Workspace<float>("slots", 2 * kFractal),
                     Output<float>("z", 2 * kFractal)},
              .core = CoreChoice::kMix}),
        Pair("flag_of_the_vector_core_before_its_store", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 auto scaled = Gm<half>(gm[2], kFractal);
                 if ASCEND_IS_AIV {
                     Block v;
                     const uint32_t at = static_cast<uint32_t>(GetSubBlockIdx()) * kHalf;
                     auto tile = v.Plus(Gm<half>(gm[0], kFractal)[at], kHalf, 1.0f);
                     DataCopy(scaled[at], tile, kHalf);
                     wrong ? CrossCoreSetFlag<2, PIPE_V>(kReady) : CrossCoreSetFlag<2, PIPE_MTE3>(kReady);
                 }
                 if ASCEND_IS_AIC {
                     CubeTiles cube(gm);
                     CrossCoreWaitFlag(kReady);
                     cube.x = scaled;
                     cube.Multiply();
                     Fixpipe(Gm<float>(gm[3], kFractal), cube.c, kToRows);
                 }
             },
             {.gm = {Input<half>("a", kFractal), Input<half>("b", kFractal), Workspace<half>("scaled", kFractal),
                     Output<float>("z", kFractal)},
              .core = CoreChoice::kMix}),
        Pair("one_vector_core_sets_the_flag", "deadlock",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 if ASCEND_IS_AIC {
                     Produce(gm);
                     CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                     CrossCoreWaitFlag(kFree);
                 }
                 if ASCEND_IS_AIV {
                     CrossCoreWaitFlag(kReady);
                     Consume(g);
                     if (!wrong || GetSubBlockIdx() == 0) CrossCoreSetFlag<2, PIPE_MTE2>(kFree);
                 }
             },
             {.gm = Product(), .core = CoreChoice::kMix}),
        Pair("both_kinds_of_core_wait_first", "deadlock",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 if ASCEND_IS_AIC {
                     if (wrong) CrossCoreWaitFlag(kFree);
                     Produce(gm);
                     CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                     if (!wrong) CrossCoreWaitFlag(kFree);
                 }
                 if ASCEND_IS_AIV {
                     CrossCoreWaitFlag(kReady);
                     Consume(g);
                     CrossCoreSetFlag<2, PIPE_MTE2>(kFree);
                 }
             },
             {.gm = Product(), .core = CoreChoice::kMix}),
        Pair("ids_of_set_and_wait_differ", "deadlock",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 if ASCEND_IS_AIC {
                     Produce(gm);
                     CrossCoreSetFlag<2, PIPE_FIX>(wrong ? kFree : kReady);
                 }
                 if ASCEND_IS_AIV {
                     CrossCoreWaitFlag(kReady);
                     Consume(g);
                 }
             },
             {.gm = Product(), .core = CoreChoice::kMix}),
        Pair("wait_for_one_tile_of_two", "cross-flag-left",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 if ASCEND_IS_AIC {
                     CubeTiles cube(gm);
                     const FixpipeParamsV220 rows(kSide, 8, kSide, kSide, false);
                     cube.Multiply();
                     Fixpipe(g.product, cube.c, rows);
                     CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                     Fixpipe(g.product[kHalf], cube.c[8 * kSide], rows);
                     CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                 }
                 if ASCEND_IS_AIV {
                     CrossCoreWaitFlag(kReady);
                     if (!wrong) CrossCoreWaitFlag(kReady);
                     Consume(g);
                 }
             },
             {.gm = Product(), .core = CoreChoice::kMix, .others = {"race-cores"}}),
        Pair("sixteen_tiles_ahead", "cross-flag-overflow",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 const uint32_t tiles = wrong ? 16 : 15;
                 if ASCEND_IS_AIC {
                     Produce(gm);
                     for (uint32_t i = 0; i < tiles; ++i) CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                     CrossCoreSetFlag<2, PIPE_FIX>(kFree);
                 }
                 if ASCEND_IS_AIV {
                     CrossCoreWaitFlag(kFree);
                     for (uint32_t i = 0; i < tiles; ++i) CrossCoreWaitFlag(kReady);
                     Consume(g);
                 }
             },
             {.gm = Product(), .core = CoreChoice::kMix}),
        Pair("both_vector_cores_do_the_whole_tile", "equal-bytes",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 if ASCEND_IS_AIC {
                     Produce(gm);
                     CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                 }
                 if ASCEND_IS_AIV {
                     CrossCoreWaitFlag(kReady);
                     if (!wrong) return Consume(g);
                     Block v;
                     auto tile = v.Plus(g.product, kFractal, 1.0f);
                     DataCopy(g.z, tile, kFractal);
                 }
             },
             {.gm = Product(), .core = CoreChoice::kMix}),
        Pair("both_vector_cores_store_to_the_same_rows", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 if ASCEND_IS_AIC {
                     Produce(gm);
                     CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                 }
                 if ASCEND_IS_AIV {
                     Block v;
                     const auto sub = static_cast<uint32_t>(GetSubBlockIdx());
                     CrossCoreWaitFlag(kReady);
                     auto tile = v.Plus(g.product[sub * kHalf], kHalf, 1.0f + sub);
                     DataCopy(g.z[wrong ? 0 : sub * kHalf], tile, kHalf);
                 }
             },
             {.gm = Product(), .core = CoreChoice::kMix, .others = {"output-unwritten"}}),
        Pair("halves_exchanged_without_a_flag_of_mode_1", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 if ASCEND_IS_AIC
                     return;
                 Block v;
                 const uint32_t mine = static_cast<uint32_t>(GetSubBlockIdx()) * kShare, other = kShare - mine;
                 auto work = Gm<float>(gm[2], 2 * kShare);
                 DataCopy(work[mine], v.Plus(Gm<float>(gm[0], 2 * kShare)[mine], kShare, 1.0f), kShare);
                 if (!wrong) CrossCoreSetFlag<1, PIPE_MTE3>(kReady);
                 if (!wrong) CrossCoreWaitFlag(kReady);
                 if (mine == 0) return DataCopy(Gm<float>(gm[1], kShare), v.Filled(1.0f, kShare), kShare);
                 DataCopy(Gm<float>(gm[3], kShare), v.Plus(work[other], kShare, 1.0f), kShare);
             },
             {.gm = {Input<float>("x", 2 * kShare), Output<float>("mark", kShare), Workspace<float>("work", 2 * kShare),
                     Output<float>("z", kShare)},
              .core = CoreChoice::kMix}),
        Pair("flag_of_all_vector_cores_on_the_wrong_pipe", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 if ASCEND_IS_AIC
                     return;
                 Block v;  // index: of all vector cores
                 auto work = Gm<float>(gm[2], 2 * kShare);
                 DataCopy(work[v.index * kShare], v.Plus(Gm<float>(gm[0], 2 * kShare)[v.index * kShare], kShare, 1.0f),
                          kShare);
                 wrong ? CrossCoreSetFlag<0, PIPE_V>(kReady) : CrossCoreSetFlag<0, PIPE_MTE3>(kReady);
                 CrossCoreWaitFlag(kReady);
                 if (v.index == 1) DataCopy(Gm<float>(gm[1], kShare), v.Plus(work, kShare, 1.0f), kShare);
             },
             {.gm = {Input<float>("x", 2 * kShare), Output<float>("z", kShare), Workspace<float>("work", 2 * kShare)},
              .core = CoreChoice::kMix}),
        Pair("sync_all_of_the_vector_cores_alone", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 if ASCEND_IS_AIC
                     Produce(gm);
                 if (!wrong) SyncAll<false>();
                 if ASCEND_IS_AIV {
                     if (wrong) SyncAll<true>();
                     Consume(g);
                 }
             },
             {.gm = Product(), .core = CoreChoice::kMix}),
        Pair("one_vector_core_a_cube_core_without_a_flag", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 if ASCEND_IS_AIC {
                     Produce(gm);
                     if (!wrong) CrossCoreSetFlag<2, PIPE_FIX>(kReady);
                 }
                 if ASCEND_IS_AIV {
                     Block v;
                     if (!wrong) CrossCoreWaitFlag(kReady);
                     DataCopy(g.z, v.Plus(g.product, kFractal, 1.0f), kFractal);
                 }
             },
             {.gm = Product(), .core = CoreChoice::kMixOneToOne}),
        Pair("product_added_atomically_beside_a_plain_store", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 const ProductGm g(gm);
                 if ASCEND_IS_AIC {
                     CubeTiles cube(gm);
                     cube.Multiply();
                     if (!wrong) CrossCoreWaitFlag(kReady);
                     SetAtomicAdd<float>();
                     Fixpipe(g.z, cube.c, kToRows);
                     SetAtomicNone();
                 }
                 if ASCEND_IS_AIV {
                     Block v;
                     const uint32_t at = static_cast<uint32_t>(GetSubBlockIdx()) * kHalf;
                     DataCopy(g.z[at], v.Filled(1.0f, kHalf), kHalf);
                     if (!wrong) CrossCoreSetFlag<2, PIPE_MTE3>(kReady);
                 }
             },
             {.gm = {Input<half>("a", kFractal), Input<half>("b", kFractal), Workspace<float>("product", kFractal),
                     Zeroed(InOut<float>("z", kFractal))},
              .core = CoreChoice::kMix}),
    };
}

}  // namespace sfumato::pairs
