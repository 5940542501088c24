// SPDX-License-Identifier: Apache-2.0
// Two pipes in order without a flag of their own: through a third, through the scalar unit, by PipeBarrier<PIPE_ALL>.
// The wrong half lacks a link of the chain.
#include "sanitize/pairs/cube_tiles.h"
#include "sanitize/pairs/tiles.h"

namespace sfumato::pairs {
namespace {

// MTE2, V, MTE3: the tile itself is stored behind the sum of it.
__aicore__ void load_add_store_both(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    if (!wrong) Sync<HardEvent::MTE2_V>();
    Duplicate(t.b, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
    DataCopy(t.z[kTile], t.a, kTile);
}

// One flag stands for all loads before it.
__aicore__ void one_flag_for_two_loads(GM_ADDR* gm, bool wrong) {
    Tiles t(gm, 3);
    if (!wrong) DataCopy(t.a, t.x, kTile);
    DataCopy(t.b, t.y, kTile);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    if (wrong) DataCopy(t.a, t.x, kTile);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(t.c, t.a, t.b, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

// V, MTE3, MTE2: V_MTE3 and MTE3_MTE2 order the next load behind the sum, too.
__aicore__ void next_load_behind_the_store(GM_ADDR* gm, bool wrong) {
    Tiles t(gm, 3);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
    if (!wrong) Sync<HardEvent::MTE3_MTE2>();
    DataCopy(t.a, t.y, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.z[kTile], t.a, kTile);
}

// The scalar unit issues nothing before its wait is over.
__aicore__ void load_issued_behind_a_wait_of_the_scalar_unit(GM_ADDR* gm, bool wrong) {
    Tiles t(gm, 3);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.z, t.a, kTile);
    if (!wrong) Sync<HardEvent::MTE3_S>();
    DataCopy(t.a, t.y, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.z[kTile], t.a, kTile);
}

__aicore__ void sum_issued_behind_a_wait_of_the_scalar_unit(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
    if (!wrong) WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
    Adds(t.b, t.a, 1.0f, kTile);
    if (wrong) WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

// PipeBarrier<PIPE_ALL>

__aicore__ void all_pipes_before_the_sum(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    if (!wrong) PipeBarrier<PIPE_ALL>();
    Adds(t.b, t.a, 1.0f, kTile);
    PipeBarrier<PIPE_ALL>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void all_pipes_before_the_store(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    PipeBarrier<PIPE_ALL>();
    Adds(t.b, t.a, 1.0f, kTile);
    if (wrong) PipeBarrier<PIPE_V>();
    if (!wrong) PipeBarrier<PIPE_ALL>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void all_pipes_between_iterations(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    auto x = Gm<float>(gm[0], 3 * kTile), z = Gm<float>(gm[1], 3 * kTile);
    for (uint32_t i = 0; i < 3; ++i) {
        DataCopy(t.a, x[i * kTile], kTile);
        PipeBarrier<PIPE_ALL>();
        Adds(t.a, t.a, 1.0f, kTile);
        PipeBarrier<PIPE_ALL>();
        DataCopy(z[i * kTile], t.a, kTile);
        if (wrong) PipeBarrier<PIPE_MTE3>();
        if (!wrong) PipeBarrier<PIPE_ALL>();
    }
}

// What looks like order and is none

__aicore__ void barrier_of_v_for_a_load(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    if (wrong) PipeBarrier<PIPE_V>();
    if (!wrong) Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void barrier_of_mte2_for_a_sum(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    if (wrong) PipeBarrier<PIPE_MTE2>();
    if (!wrong) Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

// A flag of the opposite direction.
__aicore__ void reverse_flag_for_a_load(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    if (wrong) Sync<HardEvent::V_MTE2>();
    if (!wrong) Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

// Flags of a chain that were set before the work they should stand for.
__aicore__ void flag_set_before_the_load(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    if (wrong) SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    DataCopy(t.a, t.x, kTile);
    if (!wrong) SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(t.b, t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void flag_waited_for_after_the_sum(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    if (!wrong) WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(t.b, t.a, 1.0f, kTile);
    if (wrong) WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

// On a cube core: M, FIX, MTE1 and back

// FIX waits for M, and MTE1 for FIX: so L0A is free.
__aicore__ void fractal_behind_the_result(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    Sync<HardEvent::M_FIX>();
    Fixpipe<half, float, CFG_NZ>(t.a1[kFractal], t.c, kToHalf);
    Sync<HardEvent::FIX_MTE1>();
    if (wrong) Mmad(t.c[kFractal], t.a2, t.b2, kProduct);
    LoadData(t.a2, t.a1[kFractal], kOneFractal);
    Sync<HardEvent::MTE1_M>();
    PipeBarrier<PIPE_M>();
    Mmad(t.c[kFractal], t.a2, t.b2, wrong ? kSum : kProduct);
    Sync<HardEvent::M_FIX>();
    Fixpipe(t.z, t.c[kFractal], kToRows);
}

__aicore__ void all_pipes_of_a_cube_core(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    DataCopy(t.a1, t.x, kFractal);
    DataCopy(t.b1, t.y, kFractal);
    PipeBarrier<PIPE_ALL>();
    LoadData(t.a2, t.a1, kOneFractal);
    LoadData(t.b2, t.b1, kOneFractal);
    PipeBarrier<PIPE_ALL>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    if (wrong) PipeBarrier<PIPE_M>();
    if (!wrong) PipeBarrier<PIPE_ALL>();
    Fixpipe(t.z, t.c, kToRows);
}

}  // namespace

std::vector<Pair> OrderPairs() {
    const Memory x = Input<float>("x", kTile), y = Input<float>("y", kTile), z = Output<float>("z", kTile);
    const Memory three_in = Input<float>("x", 3 * kTile), three_out = Output<float>("z", 3 * kTile);
    const Memory two_out = Output<float>("z", 2 * kTile);
    return Together({
        {
            {"load_add_store_both", "race", load_add_store_both, {x, two_out}},
            {"one_flag_for_two_loads", "race", one_flag_for_two_loads, {x, y, z}},
            {"next_load_behind_the_store", "race", next_load_behind_the_store, {x, y, two_out}},
            {"load_issued_behind_a_wait_of_the_scalar_unit",
             "race",
             load_issued_behind_a_wait_of_the_scalar_unit,
             {x, y, two_out}},
            {"sum_issued_behind_a_wait_of_the_scalar_unit", "race", sum_issued_behind_a_wait_of_the_scalar_unit},
            {"all_pipes_before_the_sum", "race", all_pipes_before_the_sum},
            {"all_pipes_before_the_store", "race", all_pipes_before_the_store},
            {"all_pipes_between_iterations", "race", all_pipes_between_iterations, {three_in, three_out}},
            {"barrier_of_v_for_a_load", "race", barrier_of_v_for_a_load},
            {"barrier_of_mte2_for_a_sum", "race", barrier_of_mte2_for_a_sum},
            {"reverse_flag_for_a_load", "race", reverse_flag_for_a_load},
            {"flag_set_before_the_load", "race", flag_set_before_the_load},
            {"flag_waited_for_after_the_sum", "race", flag_waited_for_after_the_sum},
        },
        On("Ascend310P3", {{"all_pipes_before_the_sum", "race", all_pipes_before_the_sum},
                           {"reverse_flag_for_a_load", "race", reverse_flag_for_a_load}}),
        On("Ascend910A", {{"all_pipes_before_the_sum", "race", all_pipes_before_the_sum},
                          {"reverse_flag_for_a_load", "race", reverse_flag_for_a_load}}),
        OnCube({
            {"fractal_behind_the_result", "race", fractal_behind_the_result, Matrices()},
            {"all_pipes_of_a_cube_core", "race", all_pipes_of_a_cube_core, Matrices()},
        }),
    });
}

}  // namespace sfumato::pairs
