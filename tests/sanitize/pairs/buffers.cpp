// SPDX-License-Identifier: Apache-2.0
// Buffers, which have no flags, beside queues, which have; memory that is handed out again
// (framework.md 1.2, 1.5, 1.6).
#include "sanitize/pairs/queues.h"

namespace sfumato::pairs {
namespace {

__aicore__ void result_in_a_buffer(GM_ADDR* gm, bool wrong) {
    Queues q(gm);
    TBuf<> buffer;
    q.pipe.InitBuffer(buffer, kTile * sizeof(float));
    LocalTensor<float> b = buffer.Get<float>();
    auto a = q.Load();
    Adds(b, a, 1.0f, kTile);
    q.in.FreeTensor(a);
    if (!wrong) Sync<HardEvent::V_MTE3>();
    DataCopy(q.z, b, kTile);
}

__aicore__ void result_buffer_used_again(GM_ADDR* gm, bool wrong) {
    Queues q(gm, 2, 2);
    TBuf<> buffer;
    q.pipe.InitBuffer(buffer, kTile * sizeof(float));
    LocalTensor<float> b = buffer.Get<float>();
    for (uint32_t i = 0; i < 2; ++i) {
        auto a = q.Load(i);
        if (!wrong && i > 0) Sync<HardEvent::MTE3_V>();
        Adds(b, a, 1.0f, kTile);
        q.in.FreeTensor(a);
        Sync<HardEvent::V_MTE3>();
        DataCopy(q.z[i * kTile], b, kTile);
    }
}

__aicore__ void coefficients_in_a_buffer(GM_ADDR* gm, bool wrong) {
    Queues q(gm);
    TBuf<> buffer;
    q.pipe.InitBuffer(buffer, kTile * sizeof(float));
    LocalTensor<float> c = buffer.Get<float>();
    auto a = q.Load();
    DataCopy(c, Gm<float>(gm[2], kTile), kTile);
    auto b = q.out.AllocTensor<float>();
    if (!wrong) Sync<HardEvent::MTE2_V>();
    Mul(b, a, c, kTile);
    q.in.FreeTensor(a);
    q.Store(b);
}

// Memory is handed out anew while the last stage still works in it.
__aicore__ void second_stage_without_a_barrier(GM_ADDR* gm, bool wrong) {
    TPipe first;
    TBuf<> ones, sums;
    auto x = Gm<float>(gm[0], kTile), z = Gm<float>(gm[1], 2 * kTile);
    first.InitBuffer(ones, kTile * sizeof(float));
    LocalTensor<float> one = ones.Get<float>();
    Duplicate(one, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(z, one, kTile);
    if (wrong) first.DestroyWithoutPipeAll();
    if (!wrong) first.Destroy();
    TPipe second;
    second.InitBuffer(sums, kTile * sizeof(float));
    LocalTensor<float> sum = sums.Get<float>();
    DataCopy(sum, x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(z[kTile], sum, kTile);
}

__aicore__ void pools_that_share_memory(GM_ADDR* gm, bool wrong) {
    TPipe pipe;
    TBufPool<TPosition::VECCALC, 4> first, second;
    TBuf<> ones, sums;
    auto x = Gm<float>(gm[0], kTile), z = Gm<float>(gm[1], 2 * kTile);
    pipe.InitBufPool(first, kTile * sizeof(float));
    pipe.InitBufPool(second, kTile * sizeof(float), first);
    first.InitBuffer(ones, kTile * sizeof(float));
    second.InitBuffer(sums, kTile * sizeof(float));
    LocalTensor<float> one = ones.Get<float>(), sum = sums.Get<float>();
    Duplicate(one, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(z, one, kTile);
    if (!wrong) Sync<HardEvent::MTE3_MTE2>();
    DataCopy(sum, x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(z[kTile], sum, kTile);
}

}  // namespace

std::vector<Pair> BufferPairs() {
    const Memory x = Input<float>("x", kTile), y = Input<float>("y", kTile), z = Output<float>("z", kTile);
    const Memory two_in = Input<float>("x", 2 * kTile), two_out = Output<float>("z", 2 * kTile);
    return {
        {"result_in_a_buffer", "race", result_in_a_buffer},
        {"result_buffer_used_again", "race", result_buffer_used_again, {two_in, two_out}},
        {"coefficients_in_a_buffer", "race", coefficients_in_a_buffer, {x, z, y}},
        {"second_stage_without_a_barrier", "race", second_stage_without_a_barrier, {x, two_out}},
        {"pools_that_share_memory", "race", pools_that_share_memory, {x, two_out}},
    };
}

}  // namespace sfumato::pairs
