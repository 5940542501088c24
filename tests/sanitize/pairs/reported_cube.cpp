// SPDX-License-Identifier: Apache-2.0
// Shapes of public bug reports in the cube unit, in our own words: flags on the way round through L1, and along a loop
// of k.
#include "sanitize/pairs/cube_tiles.h"

namespace sfumato::pairs {

std::vector<Pair> ReportedCubePairs() {
    return {
        Pair("product_moved_to_l1_before_it_is_there", "race",
             [](GM_ADDR* gm, bool wrong) {
                 CubeTiles q(gm);
                 q.Right();
                 DataCopy(q.a1, Gm<half>(gm[0], kFractal), kFractal);
                 Sync<HardEvent::MTE2_MTE1>();
                 LoadData(q.a2, q.a1, kOneFractal);
                 Sync<HardEvent::MTE1_FIX>();
                 Sync<HardEvent::MTE1_M>();
                 Mmad(q.c, q.a2, q.b2, kProduct);
                 if (!wrong) Sync<HardEvent::M_FIX>();
                 Fixpipe<half, float, CFG_NZ>(q.a1, q.c, kToHalf);
                 PipeBarrier<PIPE_ALL>();
                 DataCopy(Gm<half>(gm[2], kFractal), q.a1, kFractal);
             },
             {.gm = {Input<half>("a", kFractal), Input<half>("b", kFractal), Output<half>("z", kFractal)},
              .core = CoreChoice::kCube,
              .source = "hw-native-sys/PTOAS#283"}),
        Pair("product_in_l1_loaded_before_it_is_there", "race",
             [](GM_ADDR* gm, bool wrong) {
                 CubeTiles q(gm);
                 LocalTensor<half> middle = q.a1[kFractal], left = q.a2[kFractal];
                 LocalTensor<float> next = q.c[kFractal];
                 q.Multiply();
                 Fixpipe<half, float, CFG_NZ>(middle, q.c, kToHalf);
                 Sync<HardEvent::M_MTE1>();
                 if (!wrong) Sync<HardEvent::FIX_MTE1>();
                 LoadData(left, middle, kOneFractal);
                 Sync<HardEvent::MTE1_M>();
                 Mmad(next, left, q.b2, kProduct);
                 PipeBarrier<PIPE_ALL>();
                 Fixpipe(Gm<float>(gm[2], kFractal), next, kToRows);
             },
             {.gm = Matrices(), .core = CoreChoice::kCube, .source = "hw-native-sys/PTOAS#283"}),
        // L1 is filled by the pipe that loads it; the flag comes from the one that empties it.
        Pair("fill_of_l1_taken_for_another_pipe", "race",
             [](GM_ADDR* gm, bool wrong) {
                 CubeTiles q(gm, 2);
                 q.y = Gm<half>(gm[0], kFractal);
                 q.Right();
                 Fill(q.a1, {1, 16, 0, half(1)});
                 if (!wrong) Sync<HardEvent::MTE2_MTE1>();
                 LoadData(q.a2, q.a1, kOneFractal);
                 Sync<HardEvent::MTE1_M>();
                 Mmad(q.c, q.a2, q.b2, kProduct);
                 Sync<HardEvent::M_FIX>();
                 Fixpipe(Gm<float>(gm[1], kFractal), q.c, kToRows);
             },
             {.gm = {Input<half>("b", kFractal), Output<float>("z", kFractal)},
              .core = CoreChoice::kCube,
              .source = "hw-native-sys/PTOAS#930"}),
        // Parts of k, one buffer of L1: the product adds up.
        Pair("l1_of_the_last_k_overwritten", "race",
             [](GM_ADDR* gm, bool wrong) {
                 auto a = Gm<half>(gm[0], 2 * kFractal);
                 CubeTiles q(gm);
                 q.Right();
                 for (uint32_t k = 0; k < 2; ++k) {
                     if (k != 0) PipeBarrier<PIPE_MTE2>();
                     DataCopy(q.a1, a[k * kFractal], kFractal);
                     Sync<HardEvent::MTE2_MTE1>();
                     LoadData(q.a2, q.a1, kOneFractal);
                     if (!wrong) Sync<HardEvent::MTE1_MTE2>();
                     Sync<HardEvent::MTE1_M>();
                     if (k != 0) PipeBarrier<PIPE_M>();
                     Mmad(q.c, q.a2, q.b2, k == 0 ? kProduct : kSum);
                     Sync<HardEvent::M_MTE1>();
                 }
                 Sync<HardEvent::M_FIX>();
                 Fixpipe(Gm<float>(gm[2], kFractal), q.c, kToRows);
             },
             {.gm = {Input<half>("a", 2 * kFractal), Input<half>("b", kFractal), Output<float>("z", kFractal)},
              .core = CoreChoice::kCube,
              .source = "hw-native-sys/PTOAS#564"}),
        Pair("flag_back_never_set_before_the_loop", "wait-never-satisfied",
             [](GM_ADDR* gm, bool wrong) {
                 auto a = Gm<half>(gm[0], 2 * kFractal);
                 auto z = Gm<float>(gm[2], 2 * kFractal);
                 CubeTiles q(gm);
                 q.Right();
                 DataCopy(q.a1, a, 2 * kFractal);
                 Sync<HardEvent::MTE2_MTE1>();
                 if (!wrong) SetFlag<HardEvent::M_MTE1>(1);
                 for (uint32_t i = 0; i < 2; ++i) {
                     WaitFlag<HardEvent::M_MTE1>(1);
                     LoadData(q.a2, q.a1[i * kFractal], kOneFractal);
                     Sync<HardEvent::MTE1_M>();
                     Mmad(q.c[i * kFractal], q.a2, q.b2, kProduct);
                     SetFlag<HardEvent::M_MTE1>(1);
                 }
                 WaitFlag<HardEvent::M_MTE1>(1);
                 Sync<HardEvent::M_FIX>();
                 for (uint32_t i = 0; i < 2; ++i) Fixpipe(z[i * kFractal], q.c[i * kFractal], kToRows);
             },
             {.gm = Matrices(2, 2), .core = CoreChoice::kCube, .source = "hw-native-sys/PTOAS#428"}),
    };
}

}  // namespace sfumato::pairs
