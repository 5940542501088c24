// SPDX-License-Identifier: Apache-2.0
// z = x + y of 8192 x 8192 halves, or a part of it (rows add_c0 to add_c5 of tests/timing/timing_fit.csv): rows split
// evenly over the cores, addresses in UB fixed. TILE elements a copy; BUFFERS sets of x, y, z; OVERLAP: the store
// overlaps the next loads; UNCACHED: x and y are not kept in L2; SCALAR: the scalar unit adds, element by element.
#include "kernel_operator.h"
using namespace AscendC;

#ifndef PART
#define PART 1
#endif
constexpr uint32_t kTotal = 8192 * 8192 / PART;

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    const uint32_t share = kTotal / GetBlockNum(), first = GetBlockIdx() * share;
    GlobalTensor<half> from_x, from_y, to_z;
    from_x.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x), kTotal);
    from_y.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(y), kTotal);
    to_z.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(z), kTotal);
#ifdef UNCACHED
    from_x.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
    from_y.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
#endif
    constexpr uint32_t kBytes = TILE * sizeof(half), kApart = 32768;
    for (int32_t b = 0; b < BUFFERS; ++b) {
        SetFlag<HardEvent::MTE3_MTE2>(b);
        SetFlag<HardEvent::V_MTE2>(b);
        SetFlag<HardEvent::MTE3_V>(b);
    }
    int32_t b = 0;
    for (uint32_t done = 0; done < share; done += TILE) {
        const uint32_t count = share - done < TILE ? share - done : TILE;
        LocalTensor<half> local_x(TPosition::VECIN, (3 * b) * kApart, TILE),
            local_y(TPosition::VECIN, (3 * b + 1) * kApart, TILE);
        LocalTensor<half> local_z(TPosition::VECOUT, (3 * b + 2) * kApart, TILE);
#ifndef OVERLAP
        WaitFlag<HardEvent::MTE3_MTE2>(b);
#endif
        WaitFlag<HardEvent::V_MTE2>(b);
        DataCopy(local_x, from_x[first + done], count);
        DataCopy(local_y, from_y[first + done], count);
        SetFlag<HardEvent::MTE2_V>(b);
        WaitFlag<HardEvent::MTE2_V>(b);
        WaitFlag<HardEvent::MTE3_V>(b);
#ifdef SCALAR
        SetFlag<HardEvent::MTE2_S>(b);
        WaitFlag<HardEvent::MTE2_S>(b);
        for (uint32_t i = 0; i < count; ++i) {
            const float sum = float(local_x.GetValue(i)) + float(local_y.GetValue(i));
            local_z.SetValue(i, half(sum));
        }
        SetFlag<HardEvent::S_MTE3>(b);
        WaitFlag<HardEvent::S_MTE3>(b);
#else
        Add(local_z, local_x, local_y, count);
#endif
        SetFlag<HardEvent::V_MTE3>(b);
        SetFlag<HardEvent::V_MTE2>(b);
        WaitFlag<HardEvent::V_MTE3>(b);
        DataCopy(to_z[first + done], local_z, count);
        SetFlag<HardEvent::MTE3_V>(b);
#ifndef OVERLAP
        SetFlag<HardEvent::MTE3_MTE2>(b);
#endif
        b = (b + 1) % BUFFERS;
    }
    for (b = 0; b < BUFFERS; ++b) {
        WaitFlag<HardEvent::V_MTE2>(b);
        WaitFlag<HardEvent::MTE3_V>(b);
#ifndef OVERLAP
        WaitFlag<HardEvent::MTE3_MTE2>(b);
#endif
    }
#ifdef OVERLAP
    for (b = 0; b < BUFFERS; ++b) WaitFlag<HardEvent::MTE3_MTE2>(b);
#endif
}
