// SPDX-License-Identifier: Apache-2.0
// What kernels of several blocks begin with: buffers of UB, tiles on their way through them, flags in global memory.
#pragma once

#include "sanitize/pairs/pair.h"

namespace sfumato::pairs {

constexpr uint32_t kShare = 64;  // elements of a block

// The vector core of a block.
struct Block {
    __aicore__ Block() : index(static_cast<uint32_t>(GetBlockIdx())), blocks(static_cast<uint32_t>(GetBlockNum())) {}

    // The second pipe of the event waits for the first: with another id each time, so that no set overtakes a wait.
    template <HardEvent event>
    __aicore__ void Order() {
        const auto id = static_cast<int32_t>(turns[static_cast<size_t>(event)]++ % 4);
        SetFlag<event>(id);
        WaitFlag<event>(id);
    }
    template <class T>
    __aicore__ LocalTensor<T> New(uint32_t count) {
        pipe.InitBuffer(buffers[used], count * sizeof(T));
        return buffers[used++].template Get<T>(count);
    }
    // count elements of src, ready for V and MTE3.
    template <class T>
    __aicore__ LocalTensor<T> Loaded(const GlobalTensor<T>& src, uint32_t count) {
        LocalTensor<T> tile = New<T>(count);
        DataCopy(tile, src, count);
        Order<HardEvent::MTE2_V>();
        Order<HardEvent::MTE2_MTE3>();
        return tile;
    }
    // The same plus `more`, ready for MTE3.
    template <class T>
    __aicore__ LocalTensor<T> Plus(const GlobalTensor<T>& src, uint32_t count, float more) {
        LocalTensor<T> tile = Loaded(src, count);
        Adds(tile, tile, static_cast<T>(more), static_cast<int32_t>(count));
        Order<HardEvent::V_MTE3>();
        return tile;
    }
    // `count` times the value, ready for MTE3.
    template <class T>
    __aicore__ LocalTensor<T> Filled(T value, uint32_t count) {
        LocalTensor<T> tile = New<T>(count);
        Duplicate(tile, value, static_cast<int32_t>(count));
        Order<HardEvent::V_MTE3>();
        return tile;
    }

    const uint32_t index, blocks;
    TPipe pipe;
    TBuf<> buffers[8];
    uint32_t used = 0, turns[static_cast<size_t>(HardEvent::MAX)] = {};
};

template <class T>
__aicore__ inline void Clean(const GlobalTensor<T>& line) {
    DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(line);
}

// Waits until the first element of `flag` is `value` or more, past the data cache.
__aicore__ inline void Poll(Block& b, const GlobalTensor<int32_t>& flag, int32_t value = 1) {
    LocalTensor<int32_t> seen = b.New<int32_t>(8);
    do {
        DataCopy(seen, flag, 8);
        b.Order<HardEvent::MTE2_S>();
    } while (seen.GetValue(0) < value);
}

inline std::vector<Memory> OneEach(uint32_t blocks) {
    return {Input<float>("x", blocks * kShare), Output<float>("z", blocks * kShare)};
}
// One each, and what blocks pass on to others.
inline std::vector<Memory> WithWorkspace(uint32_t blocks) {
    return {Input<float>("x", blocks * kShare), Output<float>("z", blocks * kShare),
            Workspace<float>("workspace", blocks * kShare)};
}

}  // namespace sfumato::pairs
