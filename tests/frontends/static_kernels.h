// SPDX-License-Identifier: Apache-2.0
// Programs without a TPipe, and what they share.
#pragma once

#include "frontends/kernels.h"

namespace sfumato::frontends_test {

// With CoreChoice::kDefault on vector cores. `blocks`: how many the program can be launched with.
struct StaticProgram {
    Program program;
    std::vector<uint32_t> blocks = {1u, 4u};
};

std::vector<StaticProgram> StaticVectorPrograms();
std::vector<StaticProgram> StaticLanePrograms();
std::vector<StaticProgram> StaticCubePrograms();

inline const std::vector<std::string> kWithStatic = {"Ascend310P", "Ascend910B"};
inline const std::vector<std::string> kSeparate = {"Ascend910B"};

// This block's share of `tiles` pieces of global memory.
template <class T>
struct Pieces {
    AscendC::GlobalTensor<T> all;
    uint32_t count, size;

    __aicore__ inline Pieces(GM_ADDR p, uint32_t tiles, uint32_t elements)
        : count(tiles / static_cast<uint32_t>(AscendC::GetBlockNum())), size(elements) {
        const uint64_t first = static_cast<uint64_t>(AscendC::GetBlockIdx()) * count;
        all.SetGlobalBuffer((__gm__ T*)p + first * size, uint64_t{count} * size);
    }
    __aicore__ inline AscendC::GlobalTensor<T> operator[](uint32_t i) const { return all[uint64_t{i} * size]; }
};

// `to` goes on when what `from` was given is done.
template <AscendC::HardEvent event>
__aicore__ inline void Sync(int32_t id = EVENT_ID0) {
    AscendC::SetFlag<event>(id);
    AscendC::WaitFlag<event>(id);
}

// Every tile once through UB, on one buffer: in, compute(i), out, each behind the other.
template <class In, class Out, class Compute>
__aicore__ inline void EachTile(const Pieces<In>& from, const Pieces<Out>& to, const AscendC::LocalTensor<In>& in,
                                const AscendC::LocalTensor<Out>& out, const Compute& compute) {
    using namespace AscendC;
    for (uint32_t i = 0; i < from.count; ++i) {
        DataCopy(in, from[i], from.size);
        Sync<HardEvent::MTE2_V>();
        compute();
        Sync<HardEvent::V_MTE3>();
        DataCopy(to[i], out, to.size);
        Sync<HardEvent::MTE3_V>();
        Sync<HardEvent::V_MTE2>();
    }
    PipeBarrier<PIPE_ALL>();
}

template <class T, class From, class F>
std::vector<T> Each(const std::vector<From>& values, const F& f) {
    std::vector<T> out;
    for (const From& v : values) out.push_back(static_cast<T>(f(v)));
    return out;
}

}  // namespace sfumato::frontends_test
