// SPDX-License-Identifier: Apache-2.0
// The scalar unit with V, MTE2 and MTE3 (framework.md 2.2, 2.8), without the flags that the compiler inserts unless it
// is told not to (2.5), and in global memory, where it inserts none.
#include "sanitize/pairs/tiles.h"

namespace sfumato::pairs {
namespace {

// MTE2 to S

__aicore__ void get_before_its_load(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    if (!wrong) Sync<HardEvent::MTE2_S>();
    const float scale = t.a.GetValue(3);
    Muls(t.b, t.a, scale, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void set_before_its_load(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    if (!wrong) Sync<HardEvent::MTE2_S>();
    t.a.SetValue(0, 9.0f);
    Sync<HardEvent::S_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

// A length read from memory decides how much is stored.
__aicore__ void count_read_before_its_load(GM_ADDR* gm, bool wrong) {
    Tiles t(gm, 3);
    TBuf<> buffer;
    t.pipe.InitBuffer(buffer, 32);
    LocalTensor<int32_t> counts = buffer.Get<int32_t>();
    DataCopy(counts, Gm<int32_t>(gm[1], 8), 8);
    if (!wrong) Sync<HardEvent::MTE2_S>();
    const int32_t times = counts.GetValue(1);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Muls(t.b, t.a, static_cast<float>(times), kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void global_set_before_the_load_has_read(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    if (!wrong) Sync<HardEvent::MTE2_S>();
    t.x.SetValue(0, 0.0f);
    DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(t.x);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.z, t.a, kTile);
}

// S to MTE2

__aicore__ void load_over_a_set(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    t.a.SetValue(0, 9.0f);
    if (!wrong) Sync<HardEvent::S_MTE2>();
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.z, t.a, kTile);
}

__aicore__ void load_over_what_is_got(GM_ADDR* gm, bool wrong) {
    Tiles t(gm, 3);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_S>();
    const float scale = t.a.GetValue(3);
    if (!wrong) Sync<HardEvent::S_MTE2>();
    DataCopy(t.a, t.y, kTile);
    Sync<HardEvent::MTE2_V>();
    Muls(t.b, t.a, scale, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void load_of_what_lies_in_the_cache(GM_ADDR* gm, bool wrong) {
    Tiles t(gm, 3);
    for (uint32_t i = 0; i < kTile; ++i) t.y.SetValue(i, static_cast<float>(i));
    if (!wrong) DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(t.y);
    Sync<HardEvent::S_MTE2>();
    DataCopy(t.a, t.x, kTile);
    DataCopy(t.b, t.y, kTile);
    Sync<HardEvent::MTE2_V>();
    Add(t.c, t.a, t.b, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

__aicore__ void load_before_the_global_set(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    t.x.SetValue(0, 9.0f);
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(t.x);
    if (!wrong) Sync<HardEvent::S_MTE2>();
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.z, t.a, kTile);
}

// V to S

__aicore__ void get_before_the_add(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    if (!wrong) Sync<HardEvent::V_S>();
    const float scale = t.b.GetValue(0);
    Muls(t.c, t.a, scale, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

__aicore__ void sum_got_before_it_is_there(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    WholeReduceSum(t.b, t.a, kTile, 1, 1, 1, 8);
    if (!wrong) Sync<HardEvent::V_S>();
    const float sum = t.b.GetValue(0);
    Muls(t.c, t.a, 1.0f / sum, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

__aicore__ void set_before_the_add_has_read(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_S>();
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    if (!wrong) Sync<HardEvent::V_S>();
    t.a.SetValue(0, 9.0f);
    Sync<HardEvent::S_V>();
    PipeBarrier<PIPE_V>();
    Add(t.c, t.a, t.b, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

__aicore__ void set_before_the_fill(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Duplicate(t.b, 0.0f, kTile);
    if (!wrong) Sync<HardEvent::V_S>();
    t.b.SetValue(0, 9.0f);
    Sync<HardEvent::S_V>();
    PipeBarrier<PIPE_V>();
    Add(t.c, t.a, t.b, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

// S to V

__aicore__ void add_before_the_set(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Sync<HardEvent::MTE2_S>();
    t.a.SetValue(0, 9.0f);
    if (!wrong) Sync<HardEvent::S_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

// A table of offsets made element by element.
__aicore__ void gather_before_its_offsets(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    TBuf<> buffer;
    t.pipe.InitBuffer(buffer, kTile * sizeof(uint32_t));
    LocalTensor<uint32_t> offsets = buffer.Get<uint32_t>();
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    for (uint32_t i = 0; i < kTile; ++i) offsets.SetValue(i, (kTile - 1 - i) * sizeof(float));
    if (!wrong) Sync<HardEvent::S_V>();
    Gather(t.b, t.a, offsets, 0, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void fill_over_a_set(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    t.b.SetValue(0, 9.0f);
    if (!wrong) Sync<HardEvent::S_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void fill_over_what_is_got(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_S>();
    const float first = t.a.GetValue(0);
    if (!wrong) Sync<HardEvent::S_V>();
    Duplicate(t.a, 7.0f, kTile);
    PipeBarrier<PIPE_V>();
    Muls(t.b, t.a, first, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

// MTE3 to S

__aicore__ void set_before_the_store_has_read(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    auto z = Gm<float>(gm[1], 2 * kTile);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(z, t.a, kTile);
    if (!wrong) Sync<HardEvent::MTE3_S>();
    Sync<HardEvent::MTE2_S>();
    t.a.SetValue(0, 9.0f);
    Sync<HardEvent::S_MTE3>();
    DataCopy(z[kTile], t.a, kTile);
}

__aicore__ void global_get_before_the_store(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    auto z = Gm<float>(gm[1], 2 * kTile);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(z, t.a, kTile);
    if (!wrong) Sync<HardEvent::MTE3_S>();
    const float scale = z.GetValue(3);
    Sync<HardEvent::MTE2_V>();
    Muls(t.b, t.a, scale, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(z[kTile], t.b, kTile);
}

__aicore__ void global_set_before_the_store(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.z, t.a, kTile);
    if (!wrong) Sync<HardEvent::MTE3_S>();
    t.z.SetValue(0, 9.0f);
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(t.z);
}

// S to MTE3

__aicore__ void store_before_the_set(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_S>();
    Sync<HardEvent::MTE2_MTE3>();
    t.a.SetValue(0, 9.0f);
    if (!wrong) Sync<HardEvent::S_MTE3>();
    DataCopy(t.z, t.a, kTile);
}

// A scalar result that leaves through UB.
__aicore__ void single_value_stored_before_it_is_set(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_S>();
    float sum = 0;
    for (uint32_t i = 0; i < kTile; ++i) sum += t.a.GetValue(i);
    t.b.SetValue(0, sum);
    if (!wrong) Sync<HardEvent::S_MTE3>();
    DataCopyPad(t.z, t.b, {1, sizeof(float), 0, 0});
}

__aicore__ void store_over_a_global_set(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    t.z.SetValue(0, 9.0f);
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(t.z);
    if (!wrong) Sync<HardEvent::S_MTE3>();
    DataCopy(t.z, t.a, kTile);
}

__aicore__ void store_over_what_is_got(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    const float first = t.x.GetValue(0);
    Duplicate(t.a, 7.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    if (!wrong) Sync<HardEvent::S_MTE3>();
    DataCopy(t.x, t.a, kTile);
    PipeBarrier<PIPE_V>();
    Muls(t.b, t.a, first, kTile);
    Sync<HardEvent::V_MTE3>(1);
    DataCopy(t.z, t.b, kTile);
}

std::vector<Pair> OnUb() {
    const Memory x = Input<float>("x", kTile), y = Input<float>("y", kTile), z = Output<float>("z", kTile);
    return WithoutAutoSync({
        {"get_before_its_load", "race", get_before_its_load},
        {"set_before_its_load", "race", set_before_its_load},
        {"load_over_a_set", "race", load_over_a_set},
        {"load_over_what_is_got", "race", load_over_what_is_got, {x, y, z}},
        {"get_before_the_add", "race", get_before_the_add},
        {"set_before_the_add_has_read", "race", set_before_the_add_has_read},
        {"set_before_the_fill", "race", set_before_the_fill},
        {"add_before_the_set", "race", add_before_the_set},
        {"fill_over_a_set", "race", fill_over_a_set},
        {"fill_over_what_is_got", "race", fill_over_what_is_got},
        {"set_before_the_store_has_read", "race", set_before_the_store_has_read, {x, Output<float>("z", 2 * kTile)}},
        {"store_before_the_set", "race", store_before_the_set},
    });
}

}  // namespace

std::vector<Pair> ScalarPipePairs() {
    const Memory x = Input<float>("x", kTile), z = Output<float>("z", kTile), in_out = InOut<float>("x", kTile);
    const Memory two_out = Output<float>("z", 2 * kTile);
    return Together({
        OnUb(),
        WithoutAutoSync({
            {"count_read_before_its_load", "race", count_read_before_its_load, {x, Input<int32_t>("count", 8), z}},
            {"global_set_before_the_load_has_read", "race", global_set_before_the_load_has_read, {in_out, z}},
            {"load_before_the_global_set", "race", load_before_the_global_set, {in_out, z}},
            {"sum_got_before_it_is_there", "race", sum_got_before_it_is_there},
            {"gather_before_its_offsets", "race", gather_before_its_offsets},
            {"global_get_before_the_store", "race", global_get_before_the_store, {x, two_out}},
            {"global_set_before_the_store", "race", global_set_before_the_store},
            {"single_value_stored_before_it_is_set",
             "race",
             single_value_stored_before_it_is_set,
             {x, Output<float>("z", 1)}},
            {"store_over_a_global_set", "race", store_over_a_global_set},
            {"store_over_what_is_got", "race", store_over_what_is_got, {in_out, z}},
        }),
        On("Ascend310P3", OnUb()),
        // What the compiler does not insert.
        {
            {"load_of_what_lies_in_the_cache",
             "cache-not-cleaned",
             load_of_what_lies_in_the_cache,
             {x, Workspace<float>("workspace", kTile), z}},
            {"load_before_the_global_set_with_auto_sync", "race", load_before_the_global_set, {in_out, z}},
        },
    });
}

}  // namespace sfumato::pairs
