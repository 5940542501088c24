// SPDX-License-Identifier: Apache-2.0
// Kernels without a TPipe: the state of a core, tensors handed out one after another, barriers of the scalar unit
// (static.md 2).
#pragma once

#include "sfumato/ascendc/tensor.h"

namespace sfumato::ascendc {

// Of a LocalMemAllocator: where its next tensor begins, and which one of its memory it is; 0 before its first Alloc.
struct AllocatorPlace {
    uint32_t next = 0, number = 0;
};
// position: MAX for the usual one of the memory. hardware: the number of a Hardware.
SFUMATO_API LocalView Allocate(AllocatorPlace* place, uint8_t hardware, AscendC::TPosition position, DataType type,
                               uint64_t count, Where where);
SFUMATO_API void InitSocState(Where where);
SFUMATO_API void DataSyncBarrier(Where where);

}  // namespace sfumato::ascendc

namespace AscendC {

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

// Hands out one memory from its start on; nothing is given back.
template <Hardware hard = Hardware::UB>
class LocalMemAllocator {
    static_assert(hard > Hardware::GM && hard < Hardware::MAX,
                  "LocalMemAllocator: legal are Hardware::UB, L1, L0A, L0B, L0C, BIAS and FIXBUF");

public:
    // Bytes from the start of the memory to the next tensor.
    uint32_t GetCurAddr() const { return place_.next; }

    template <class T, uint32_t tileSize>
    LocalTensor<T> Alloc(SFUMATO_AT) {
        return Take<T>(TPosition::MAX, tileSize, where);
    }
    template <TPosition pos, class T, uint32_t tileSize>
    LocalTensor<T> Alloc(SFUMATO_AT) {
        return Take<T>(pos, tileSize, where);
    }
    template <class T>
    LocalTensor<T> Alloc(uint32_t tileSize, SFUMATO_AT) {
        return Take<T>(TPosition::MAX, tileSize, where);
    }
    template <TPosition pos, class T>
    LocalTensor<T> Alloc(uint32_t tileSize, SFUMATO_AT) {
        return Take<T>(pos, tileSize, where);
    }

private:
    template <class T>
    LocalTensor<T> Take(TPosition pos, uint32_t count, sfumato::Where where) {
        return LocalTensor<T>(
            sfumato_::Allocate(&place_, static_cast<uint8_t>(hard), pos, sfumato_::kTypeOf<T>, count, where));
    }
    sfumato_::AllocatorPlace place_;
};

// Stores without an atomic mode, a mask of all elements, no padding and no boundary of the loads of the cube unit.
inline void InitSocState(SFUMATO_AT) { sfumato_::InitSocState(where); }

enum class MemDsbT : uint64_t { ALL = 0, DDR, UB, SEQ };
// What the scalar unit loaded, stored and cleaned before is done before anything behind it begins.
template <MemDsbT arg0>
void DataSyncBarrier(SFUMATO_AT) {
    sfumato_::DataSyncBarrier(where);
}

}  // namespace AscendC
