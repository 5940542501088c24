// SPDX-License-Identifier: Apache-2.0
// What leaves L1 or L0C of a cube core and comes back: MTE3, MTE2, FIX and MTE1 on L1 and on workspaces
// (framework.md 2.2).
#include "sanitize/pairs/cube_tiles.h"

namespace sfumato::pairs {
namespace {

// L1 to global memory: MTE2 to MTE3, MTE3 to MTE2

__aicore__ void matrix_stored_before_its_load(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    DataCopy(t.a1, t.x, kFractal);
    if (!wrong) Sync<HardEvent::MTE2_MTE3>();
    DataCopy(Gm<half>(gm[2], kFractal), t.a1, kFractal);
}

__aicore__ void l1_loaded_before_it_is_stored(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    auto z = Gm<half>(gm[2], 2 * kFractal);
    DataCopy(t.a1, t.x, kFractal);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(z, t.a1, kFractal);
    if (!wrong) Sync<HardEvent::MTE3_MTE2>();
    DataCopy(t.a1, t.y, kFractal);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(z[kFractal], t.a1, kFractal);
}

__aicore__ void l1_read_back_through_a_workspace(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm, 4);
    auto workspace = Gm<half>(gm[2], kFractal);
    t.Right();
    DataCopy(t.a1, t.x, kFractal);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(workspace, t.a1, kFractal);
    if (!wrong) Sync<HardEvent::MTE3_MTE2>();
    DataCopy(t.a1[kFractal], workspace, kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    LoadData(t.a2, t.a1[kFractal], kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
}

// Results back to L1: FIX to MTE1, MTE1 to FIX, MTE2 to FIX, FIX to MTE2, FIX to MTE3

__aicore__ void result_in_l1_read_too_early(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    Sync<HardEvent::M_FIX>();
    Fixpipe<half, float, CFG_NZ>(t.a1[kFractal], t.c, kToHalf);
    if (!wrong) Sync<HardEvent::FIX_MTE1>();
    LoadData(t.a2[kFractal], t.a1[kFractal], kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c[kFractal], t.a2[kFractal], t.b2, kProduct);
    Sync<HardEvent::M_FIX>();
    Fixpipe(t.z, t.c[kFractal], kToRows);
}

__aicore__ void result_over_a_matrix_in_use(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Both();
    LoadData(t.a2[kFractal], t.a1, kOneFractal);
    Mmad(t.c, t.a2, t.b2, kProduct);
    Sync<HardEvent::M_FIX>();
    if (!wrong) Sync<HardEvent::MTE1_FIX>();
    Fixpipe<half, float, CFG_NZ>(t.a1, t.c, kToHalf);
    Sync<HardEvent::FIX_MTE1>();
    LoadData(t.b2[kFractal], t.a1, kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c[kFractal], t.a2[kFractal], t.b2[kFractal], kProduct);
    Sync<HardEvent::M_FIX>();
    Fixpipe(t.z, t.c[kFractal], kToRows);
}

__aicore__ void result_over_a_load(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Both();
    DataCopy(t.a1[kFractal], t.y, kFractal);
    Mmad(t.c, t.a2, t.b2, kProduct);
    Sync<HardEvent::M_FIX>();
    if (!wrong) PipeBarrier<PIPE_ALL>();
    Fixpipe<half, float, CFG_NZ>(t.a1[kFractal], t.c, kToHalf);
    Sync<HardEvent::FIX_MTE1>();
    LoadData(t.a2[kFractal], t.a1[kFractal], kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c[kFractal], t.a2[kFractal], t.b2, kProduct);
    Sync<HardEvent::M_FIX>();
    Fixpipe(t.z, t.c[kFractal], kToRows);
}

__aicore__ void workspace_read_before_the_result(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm, 4);
    auto workspace = Gm<half>(gm[2], kFractal);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    Sync<HardEvent::M_FIX>();
    Fixpipe<half, float, CFG_NZ>(workspace, t.c, kToHalf);
    if (!wrong) Sync<HardEvent::FIX_MTE2>();
    DataCopy(t.a1[kFractal], workspace, kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    LoadData(t.a2[kFractal], t.a1[kFractal], kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c[kFractal], t.a2[kFractal], t.b2, kProduct);
    Sync<HardEvent::M_FIX>();
    Fixpipe(t.z, t.c[kFractal], kToRows);
}

__aicore__ void result_stored_from_l1_too_early(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    Sync<HardEvent::M_FIX>();
    Fixpipe<half, float, CFG_NZ>(t.a1[kFractal], t.c, kToHalf);
    if (!wrong) Sync<HardEvent::FIX_MTE3>();
    DataCopy(Gm<half>(gm[2], kFractal), t.a1[kFractal], kFractal);
}

// Scales for each column: MTE2 to FIX
__aicore__ void scales_before_their_load(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm, 4);
    TBuf<TPosition::C1> far;
    TBuf<TPosition::C2PIPE2GM> near;
    t.pipe.InitBuffer(far, kSide * sizeof(uint64_t));
    t.pipe.InitBuffer(near, kSide * sizeof(uint64_t));
    LocalTensor<uint64_t> words = far.Get<uint64_t>(), scales = near.Get<uint64_t>();
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    DataCopy(words, Gm<uint64_t>(gm[2], kSide), kSide);
    Sync<HardEvent::M_FIX>();
    if (!wrong) Sync<HardEvent::MTE2_FIX>();
    DataCopy(scales, words, kSide);
    PipeBarrier<PIPE_FIX>();
    Fixpipe(Gm<int8_t>(gm[3], kFractal), t.c, scales,
            FixpipeParamsV220(kSide, kSide, kSide, kSide, false, VQF322B8_PRE));
}

// A scale of 1 with sign, as the words of Fixpipe have it (cube.md 5.3).
Memory Scales() {
    Memory memory = Input<uint64_t>("scales", kSide);
    const uint64_t word = (uint64_t{1} << 46) | 0x3F800000u;
    for (uint32_t i = 0; i < kSide; ++i) std::memcpy(memory.bytes.data() + i * sizeof word, &word, sizeof word);
    return memory;
}

}  // namespace

std::vector<Pair> AicReturnPairs() {
    const Memory x = Input<half>("x", kFractal), y = Input<half>("y", kFractal), z = Output<float>("z", kFractal);
    const Memory half_z = Output<half>("z", kFractal), workspace = Workspace<half>("workspace", kFractal);
    return OnCube({
        {"matrix_stored_before_its_load", "race", matrix_stored_before_its_load, {x, y, half_z}},
        {"l1_loaded_before_it_is_stored",
         "race",
         l1_loaded_before_it_is_stored,
         {x, y, Output<half>("z", 2 * kFractal)}},
        {"l1_read_back_through_a_workspace", "race", l1_read_back_through_a_workspace, {x, y, workspace, z}},
        {"result_in_l1_read_too_early", "race", result_in_l1_read_too_early, Matrices()},
        {"result_over_a_matrix_in_use", "race", result_over_a_matrix_in_use, Matrices()},
        {"result_over_a_load", "race", result_over_a_load, Matrices()},
        {"workspace_read_before_the_result", "race", workspace_read_before_the_result, {x, y, workspace, z}},
        {"result_stored_from_l1_too_early", "race", result_stored_from_l1_too_early, {x, y, half_z}},
        {"scales_before_their_load", "race", scales_before_their_load, {x, y, Scales(), Output<int8_t>("z", kFractal)}},
    });
}

}  // namespace sfumato::pairs
