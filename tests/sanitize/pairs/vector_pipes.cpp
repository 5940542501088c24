// SPDX-License-Identifier: Apache-2.0
// Every ordered pair of V, MTE2 and MTE3 without its flag (framework.md 2.2, 2.4), in each direction that two pipes can
// meet. S has a class of its own.
#include "sanitize/pairs/tiles.h"

namespace sfumato::pairs {
namespace {

// MTE2 to V

template <class T>
__aicore__ void load_then_add(GM_ADDR* gm, bool wrong) {
    Tiles<T> t(gm);
    DataCopy(t.a, t.x, kTile);
    if (!wrong) Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, static_cast<T>(1), kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void load_then_add_in_place(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    if (!wrong) Sync<HardEvent::MTE2_V>();
    Adds(t.a, t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.a, kTile);
}

__aicore__ void second_load_after_the_flag(GM_ADDR* gm, bool wrong) {
    Tiles t(gm, 3);
    DataCopy(t.a, t.x, kTile);
    if (wrong) Sync<HardEvent::MTE2_V>();
    DataCopy(t.b, t.y, kTile);
    if (!wrong) Sync<HardEvent::MTE2_V>();
    Add(t.c, t.a, t.b, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

__aicore__ void padded_load_then_exp(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopyPad(t.a, t.x, {1, kTile * sizeof(float), 0, 0}, {false, 0, 0, 0});
    if (!wrong) Sync<HardEvent::MTE2_V>();
    Exp(t.b, t.a, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void load_then_cast(GM_ADDR* gm, bool wrong) {
    Tiles<half> in(gm);
    TBuf<> buffer;
    in.pipe.InitBuffer(buffer, kTile * sizeof(float));
    LocalTensor<float> wide = buffer.Get<float>();
    DataCopy(in.a, in.x, kTile);
    if (!wrong) Sync<HardEvent::MTE2_V>();
    Cast(wide, in.a, RoundMode::CAST_NONE, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(gm[1], kTile), wide, kTile);
}

__aicore__ void load_then_reduce(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    if (!wrong) Sync<HardEvent::MTE2_V>();
    WholeReduceSum(t.b, t.a, kTile, 1, 1, 1, 8);
    Sync<HardEvent::V_MTE3>();
    DataCopyPad(t.z, t.b, {1, sizeof(float), 0, 0});
}

// The tail of a tile cleared while the tile is still coming in.
__aicore__ void tail_cleared_before_its_load(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    if (!wrong) Sync<HardEvent::MTE2_V>();
    Duplicate(t.a[kTile / 2], 0.0f, kTile / 2);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.a, kTile);
}

// V to MTE2

template <class T>
__aicore__ void next_load_before_the_add_has_read(GM_ADDR* gm, bool wrong) {
    Tiles<T> t(gm, 3);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, static_cast<T>(1), kTile);
    if (!wrong) Sync<HardEvent::V_MTE2>();
    DataCopy(t.a, t.y, kTile);
    Sync<HardEvent::MTE2_V>();
    Add(t.c, t.a, t.b, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

// Zeros first, then a shorter row over them.
__aicore__ void load_over_a_fill(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    Duplicate(t.a, 0.0f, kTile);
    if (!wrong) Sync<HardEvent::V_MTE2>();
    DataCopy(t.a, t.x, kTile / 2);
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void padded_load_over_a_fill(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    Duplicate(t.a, 0.0f, kTile);
    if (!wrong) Sync<HardEvent::V_MTE2>();
    DataCopyPad(t.a, t.x, {1, 20 * sizeof(float), 0, 0}, {true, 0, 4, 0});
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

// One buffer in a loop: the copy of the next tile.
__aicore__ void loop_loads_too_early(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    auto x = Gm<float>(gm[0], 3 * kTile);
    Duplicate(t.c, 0.0f, kTile);
    for (uint32_t i = 0; i < 3; ++i) {
        if (!wrong && i > 0) Sync<HardEvent::V_MTE2>();
        DataCopy(t.a, x[i * kTile], kTile);
        Sync<HardEvent::MTE2_V>();
        Add(t.c, t.c, t.a, kTile);
    }
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

// V to MTE3

template <class T>
__aicore__ void store_before_the_add(GM_ADDR* gm, bool wrong) {
    Tiles<T> t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, static_cast<T>(1), kTile);
    if (!wrong) Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void padded_store_before_the_add(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    if (!wrong) Sync<HardEvent::V_MTE3>();
    DataCopyPad(t.z, t.b, {1, 50 * sizeof(float), 0, 0});
}

__aicore__ void atomic_store_before_the_add(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    if (!wrong) Sync<HardEvent::V_MTE3>();
    SetAtomicAdd<float>();
    DataCopy(t.z, t.b, kTile);
    SetAtomicNone();
}

__aicore__ void strided_store_before_the_add(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    if (!wrong) Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, {4, 1, 1, 0});
}

// Only the first of two results is waited for.
__aicore__ void second_result_after_the_flag(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    auto z = Gm<float>(gm[1], 2 * kTile);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    if (wrong) Sync<HardEvent::V_MTE3>();
    Muls(t.c, t.a, 2.0f, kTile);
    if (!wrong) Sync<HardEvent::V_MTE3>();
    DataCopy(z, t.b, kTile);
    DataCopy(z[kTile], t.c, kTile);
}

// MTE3 to V

template <class T>
__aicore__ void next_add_before_the_store_has_read(GM_ADDR* gm, bool wrong) {
    Tiles<T> t(gm);
    auto z = Gm<T>(gm[1], 2 * kTile);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, static_cast<T>(1), kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(z, t.b, kTile);
    if (!wrong) Sync<HardEvent::MTE3_V>();
    Adds(t.b, t.a, static_cast<T>(2), kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(z[kTile], t.b, kTile);
}

__aicore__ void loop_computes_too_early(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    auto z = Gm<float>(gm[1], 2 * kTile);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    for (int i = 0; i < 2; ++i) {
        if (!wrong && i > 0) Sync<HardEvent::MTE3_V>();
        Muls(t.b, t.a, static_cast<float>(i + 1), kTile);
        Sync<HardEvent::V_MTE3>();
        DataCopy(z[i * kTile], t.b, kTile);
    }
}

// MTE2 to MTE3

template <class T>
__aicore__ void store_before_its_load(GM_ADDR* gm, bool wrong) {
    Tiles<T> t(gm);
    DataCopy(t.a, t.x, kTile);
    if (!wrong) Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.z, t.a, kTile);
}

// Reads an accumulator of global memory and clears it.
__aicore__ void cleared_before_it_was_read(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Duplicate(t.b, 0.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    if (!wrong) Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.x, t.b, kTile);
    Sync<HardEvent::MTE2_V>();
    Adds(t.c, t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>(1);
    DataCopy(t.z, t.c, kTile);
}

// MTE3 to MTE2

template <class T>
__aicore__ void next_load_before_the_store_has_read(GM_ADDR* gm, bool wrong) {
    Tiles<T> t(gm);
    auto x = Gm<T>(gm[0], 2 * kTile), z = Gm<T>(gm[1], 2 * kTile);
    DataCopy(t.a, x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(z, t.a, kTile);
    if (!wrong) Sync<HardEvent::MTE3_MTE2>();
    DataCopy(t.a, x[kTile], kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(z[kTile], t.a, kTile);
}

template <class T>
__aicore__ void workspace_read_before_it_is_written(GM_ADDR* gm, bool wrong) {
    Tiles<T> t(gm, 3);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, static_cast<T>(1), kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.y, t.b, kTile);
    if (!wrong) Sync<HardEvent::MTE3_MTE2>();
    DataCopy(t.c, t.y, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

// The result is loaded once more to be added to.
__aicore__ void output_read_back_too_early(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.z, t.a, kTile);
    if (!wrong) Sync<HardEvent::MTE3_MTE2>();
    DataCopy(t.b, t.z, kTile);
    Sync<HardEvent::MTE2_V>();
    Adds(t.c, t.b, 1.0f, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    Sync<HardEvent::V_MTE3>();
    PipeBarrier<PIPE_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

template <class T>
std::vector<Pair> Basic() {
    const Memory x = Input<T>("x", kTile), y = Input<T>("y", kTile), z = Output<T>("z", kTile);
    const Memory two_in = Input<T>("x", 2 * kTile), two_out = Output<T>("z", 2 * kTile);
    return {
        {"load_then_add", "race", load_then_add<T>, {x, z}},
        {"next_load_before_the_add_has_read", "race", next_load_before_the_add_has_read<T>, {x, y, z}},
        {"store_before_the_add", "race", store_before_the_add<T>, {x, z}},
        {"next_add_before_the_store_has_read", "race", next_add_before_the_store_has_read<T>, {x, two_out}},
        {"store_before_its_load", "race", store_before_its_load<T>, {x, z}},
        {"next_load_before_the_store_has_read", "race", next_load_before_the_store_has_read<T>, {two_in, two_out}},
        {"workspace_read_before_it_is_written",
         "race",
         workspace_read_before_it_is_written<T>,
         {x, Workspace<T>("workspace", kTile), z}},
    };
}

}  // namespace

std::vector<Pair> VectorPipePairs() {
    const Memory x = Input<float>("x", kTile), y = Input<float>("y", kTile), z = Output<float>("z", kTile);
    const Memory two_out = Output<float>("z", 2 * kTile);
    return Together({
        Basic<float>(),
        {
            {"load_then_add_in_place", "race", load_then_add_in_place},
            {"second_load_after_the_flag", "race", second_load_after_the_flag, {x, y, z}},
            {"padded_load_then_exp", "race", padded_load_then_exp},
            {"load_then_cast", "race", load_then_cast, {Input<half>("x", kTile), z}},
            {"load_then_reduce", "race", load_then_reduce, {x, Output<float>("z", 1)}},
            {"tail_cleared_before_its_load", "race", tail_cleared_before_its_load},
            {"load_over_a_fill", "race", load_over_a_fill},
            {"padded_load_over_a_fill", "race", padded_load_over_a_fill},
            {"loop_loads_too_early", "race", loop_loads_too_early, {Input<float>("x", 3 * kTile), z}},
            {"padded_store_before_the_add", "race", padded_store_before_the_add, {x, Output<float>("z", 50)}},
            {"atomic_store_before_the_add", "race", atomic_store_before_the_add, {x, Zeroed(z)}},
            {"strided_store_before_the_add", "race", strided_store_before_the_add, {x, Output<float>("z", 32)}},
            {"second_result_after_the_flag", "race", second_result_after_the_flag, {x, two_out}},
            {"loop_computes_too_early", "race", loop_computes_too_early, {x, two_out}},
            {"cleared_before_it_was_read", "race", cleared_before_it_was_read, {InOut<float>("x", kTile), z}},
            {"output_read_back_too_early", "race", output_read_back_too_early},
        },
        On("Ascend310P3", Basic<half>()),
        On("Ascend910A", Basic<half>()),
        On("Ascend310B1", Basic<int32_t>()),
    });
}

}  // namespace sfumato::pairs
