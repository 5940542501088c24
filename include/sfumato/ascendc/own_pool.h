// SPDX-License-Identifier: Apache-2.0
// EXTERN_IMPL_BUFPOOL: what a pool class of the program has, which hands out its memory itself (framework.md 1.6).
#pragma once

#include "sfumato/ascendc/queue.h"

// Inside a class, which has an InitBuffer of its own: for a queue it calls InitStartBufHandle of the queue, then for
// every block InitBufHandle with the address of the block. GetCurAddr begins at the pool's first byte, counted from
// that of its memory.
#define EXTERN_IMPL_BUFPOOL(Class, pos, bufIDSize)                                                \
public:                                                                                           \
    auto& SfumatoPool() { return sfumato_pool_; }                                                 \
    void Init() { sfumato_pool_.Restart(); }                                                      \
    void Reset(SFUMATO_AT) {                                                                      \
        ::sfumato::ascendc::PoolReset(sfumato_pool_.handle, where);                               \
        sfumato_pool_.Restart();                                                                  \
    }                                                                                             \
    ::AscendC::TBufHandle GetBufHandle(uint8_t offset) { return &sfumato_pool_.handles[offset]; } \
    void SetCurAddr(uint32_t curAddr) { sfumato_pool_.address = curAddr; }                        \
    uint32_t GetCurAddr() { return sfumato_pool_.address; }                                       \
    void SetCurBufSize(uint8_t curBufSize) { sfumato_pool_.count = curBufSize; }                  \
    uint8_t GetCurBufSize() { return sfumato_pool_.count; }                                       \
                                                                                                  \
private:                                                                                          \
    ::sfumato::ascendc::OwnPool<pos, bufIDSize> sfumato_pool_;                                    \
                                                                                                  \
public:                                                                                           \
    static_assert(true)
