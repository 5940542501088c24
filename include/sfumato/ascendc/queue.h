// SPDX-License-Identifier: Apache-2.0
// TPipe, TQue, TQueBind, TBuf, TBufPool (framework.md 1.2 to 1.8). State lives with the core, in
// src/frontends/ascendc/framework.cpp.
#pragma once

#include "sfumato/ascendc/tensor.h"

namespace sfumato::ascendc {

// Handles into the framework of the current core. -1: not initialised.
struct QueueHandle {
    int32_t index = -1;
    AscendC::TPosition from, to;  // what the queue binds
    int32_t depth;
    uint32_t number = 0, length = 0;  // what a TQueConfig says InitBuffer is given; 0: nothing
};
struct BufferHandle {
    int32_t index = -1;
    AscendC::TPosition position;
};
struct PoolHandle {
    int32_t index = -1;
    AscendC::TPosition position;
    uint32_t most;  // buffers and pools
};
// Who hands out memory: a TPipe, or a pool made by one.
struct Maker {
    void* pipe = nullptr;
    const PoolHandle* pool = nullptr;
};

SFUMATO_API void PipeInit(void* pipe, Where where);
SFUMATO_API void PipeDestroy(void* pipe, bool barrier) noexcept;
SFUMATO_API void PipeReset(void* pipe, Where where);
SFUMATO_API void* CurrentPipe(Where where);
SFUMATO_API uint8_t* PositionBase(AscendC::TPosition position, Where where);
SFUMATO_API bool InitQueue(Maker maker, QueueHandle* queue, uint32_t num, uint32_t len, Where where);
SFUMATO_API bool InitBuffer(Maker maker, BufferHandle* buffer, uint32_t len, Where where);
// Reports a TBuf of another number of blocks.
SFUMATO_API bool CheckOneBlock(const BufferHandle& buffer, uint32_t num, Where where);
// share: the pool whose memory the new one has too, or null.
SFUMATO_API bool InitPool(Maker maker, PoolHandle* pool, uint32_t len, const PoolHandle* share, Where where);
SFUMATO_API void PoolReset(const PoolHandle& pool, Where where);
// Of a pool of the program: its first byte in its memory, and blocks of queues and buffers without memory as yet, which
// then lie at an offset of that memory.
SFUMATO_API uint32_t PoolBegin(const PoolHandle& pool, Where where);
SFUMATO_API void StartQueue(QueueHandle* queue, uint32_t num, uint32_t len, Where where);
SFUMATO_API void StartBuffer(BufferHandle* buffer, uint32_t num, uint32_t len, Where where);
SFUMATO_API void PlaceBlock(const QueueHandle& queue, const PoolHandle& pool, uint32_t index, uint32_t offset,
                            uint32_t len, Where where);
SFUMATO_API void PlaceBuffer(const BufferHandle& buffer, const PoolHandle& pool, uint32_t offset, uint32_t len,
                             Where where);
// What EXTERN_IMPL_BUFPOOL keeps.
template <AscendC::TPosition pos, uint32_t most>
struct OwnPool {
    static_assert(most <= 16, "EXTERN_IMPL_BUFPOOL: a pool has at most 16 buffers");
    PoolHandle handle{-1, pos, most};
    uint32_t begin = 0, address = 0;
    uint8_t count = 0;
    uint8_t handles[most + 1] = {};
    void Restart() { address = begin, count = 0; }
};
// The memory behind a position that no InitBuffer has taken; without an address when nothing is left.
SFUMATO_API LocalView RestOf(AscendC::TPosition position, DataType type);
// Reports a tensor that is no part of the buffer.
SFUMATO_API void CheckPart(const BufferHandle& buffer, const LocalView& tensor, Where where);
// Returns a view with size in bytes; `bits` is the element's width.
SFUMATO_API LocalView BufferGet(const BufferHandle& buffer, DataType type, uint64_t count, uint64_t byte_offset,
                                bool whole, Where where);
SFUMATO_API LocalView QueueAlloc(const QueueHandle& queue, DataType type, bool in_place, Where where);
// from, to: the hop of the two-position form; MAX for the plain form.
SFUMATO_API bool QueueEnQue(const QueueHandle& queue, const LocalView& tensor, AscendC::TPosition from,
                            AscendC::TPosition to, Where where);
SFUMATO_API LocalView QueueDeQue(const QueueHandle& queue, DataType type, AscendC::TPosition from,
                                 AscendC::TPosition to, bool in_place, Where where);
SFUMATO_API void QueueFree(const QueueHandle& queue, const LocalView& tensor, Where where);
enum class QueueQuery { kVacant, kCount, kIdle };
SFUMATO_API int32_t QueueState(const QueueHandle& queue, QueueQuery query, Where where);
SFUMATO_API void QueueFreeEvents(const QueueHandle& queue, Where where);
SFUMATO_API int8_t AllocEvent(uint8_t event, Where where);
SFUMATO_API void ReleaseEvent(uint8_t event, int8_t id, Where where);
SFUMATO_API int8_t FetchEvent(uint8_t event, Where where);

}  // namespace sfumato::ascendc

namespace AscendC {

// What is known of a queue when it is compiled: bufferLen and bufferNumber are what InitBuffer is given, or 0.
struct TQueConfig {
    bool nd2nz = false;
    bool nz2nd = false;
    bool scmBlockGroup = false;
    uint32_t bufferLen = 0;
    uint32_t bufferNumber = 0;
    uint32_t consumerSize = 0;
    TPosition consumer[8] = {};
    bool enableStaticEvtId = false;
    bool enableLoopQueue = false;
};

// Of a buffer in a pool of the program.
using TBufHandle = uint8_t*;

class TPipe;
template <TPosition pos, uint32_t bufIDSize>
class TBufPool;
template <class Owner>
class BufferMaker;

template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind {
public:
    static constexpr TPosition srcPosition = src, dstPosition = dst;

    TQueBind() = default;
    TQueBind(const TQueBind&) = delete;
    TQueBind& operator=(const TQueBind&) = delete;

    template <class T>
    LocalTensor<T> AllocTensor(SFUMATO_AT) {
        return LocalTensor<T>(sfumato_::QueueAlloc(handle_, sfumato_::kTypeOf<T>, false, where));
    }
    template <class T>
    void AllocTensor(LocalTensor<T>& tensor, SFUMATO_AT) {
        tensor = LocalTensor<T>(sfumato_::QueueAlloc(handle_, sfumato_::kTypeOf<T>, true, where));
    }
    template <class T>
    bool EnQue(const LocalTensor<T>& tensor, SFUMATO_AT) {
        return sfumato_::QueueEnQue(handle_, tensor.view(), TPosition::MAX, TPosition::MAX, where);
    }
    template <TPosition from, TPosition to, class T>
    bool EnQue(const LocalTensor<T>& tensor, SFUMATO_AT) {
        return sfumato_::QueueEnQue(handle_, tensor.view(), from, to, where);
    }
    template <class T>
    LocalTensor<T> DeQue(SFUMATO_AT) {
        return LocalTensor<T>(
            sfumato_::QueueDeQue(handle_, sfumato_::kTypeOf<T>, TPosition::MAX, TPosition::MAX, false, where));
    }
    template <class T>
    void DeQue(LocalTensor<T>& tensor, SFUMATO_AT) {
        const auto view =
            sfumato_::QueueDeQue(handle_, sfumato_::kTypeOf<T>, TPosition::MAX, TPosition::MAX, true, where);
        if (depth != 0) tensor = LocalTensor<T>(view);
    }
    template <TPosition from, TPosition to, class T>
    LocalTensor<T> DeQue(SFUMATO_AT) {
        return LocalTensor<T>(sfumato_::QueueDeQue(handle_, sfumato_::kTypeOf<T>, from, to, false, where));
    }
    template <class T>
    void FreeTensor(LocalTensor<T>& tensor, SFUMATO_AT) {
        sfumato_::QueueFree(handle_, tensor.view(), where);
    }
    bool VacantInQue(SFUMATO_AT) { return sfumato_::QueueState(handle_, sfumato_::QueueQuery::kVacant, where) != 0; }
    bool HasTensorInQue(SFUMATO_AT) { return GetTensorCountInQue(where) != 0; }
    int32_t GetTensorCountInQue(SFUMATO_AT) {
        return sfumato_::QueueState(handle_, sfumato_::QueueQuery::kCount, where);
    }
    bool HasIdleBuffer(SFUMATO_AT) { return sfumato_::QueueState(handle_, sfumato_::QueueQuery::kIdle, where) != 0; }
    void FreeAllEvent(SFUMATO_AT) { sfumato_::QueueFreeEvents(handle_, where); }

    // For pools of the program (EXTERN_IMPL_BUFPOOL): num blocks, and where each of them lies.
    void InitStartBufHandle(TBufHandle, uint8_t num, uint32_t len, SFUMATO_AT) {
        sfumato_::StartQueue(&handle_, num, len, where);
    }
    template <class Pool>
    void InitBufHandle(Pool* bufPool, uint32_t index, TBufHandle, uint32_t curPoolAddr, uint32_t len, SFUMATO_AT) {
        sfumato_::PlaceBlock(handle_, bufPool->SfumatoPool().handle, index, curPoolAddr, len, where);
    }

private:
    template <class>
    friend class BufferMaker;
    static constexpr sfumato_::QueueHandle Handle() {
        if constexpr (std::is_pointer_v<decltype(mask)>)
            return {-1, src, dst, depth, mask->bufferNumber, mask->bufferLen};
        return {-1, src, dst, depth};
    }
    sfumato_::QueueHandle handle_ = Handle();
};

namespace detail {
// The two ends a TQue of one position binds (framework.md 1.3).
struct Ends {
    TPosition src, dst;
};
constexpr Ends EndsOf(TPosition p) {
    switch (p) {
        case TPosition::VECOUT: return {TPosition::VECOUT, TPosition::GM};
        case TPosition::A2: return {TPosition::A1, TPosition::A2};
        case TPosition::B2: return {TPosition::B1, TPosition::B2};
        case TPosition::C2: return {TPosition::C1, TPosition::C2};
        case TPosition::CO1: return {TPosition::CO1, TPosition::CO2};
        case TPosition::CO2: return {TPosition::CO2, TPosition::GM};
        case TPosition::VECCALC: return {TPosition::VECCALC, TPosition::VECCALC};
        default: return {TPosition::GM, p};
    }
}
}  // namespace detail

template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<detail::EndsOf(pos).src, detail::EndsOf(pos).dst, depth, mask> {};

// A queue of L1 buffers filled from GM or UB (framework.md 1.7).
template <TPosition pos, int32_t depth = 1, auto mask = 0>
class TSCM : public TQueBind<pos, TPosition::TSCM, depth, mask> {};

template <TPosition pos = TPosition::VECCALC>
class TBuf {
public:
    template <class T>
    LocalTensor<T> Get(SFUMATO_AT) {
        return LocalTensor<T>(sfumato_::BufferGet(handle_, sfumato_::kTypeOf<T>, 0, 0, true, where));
    }
    template <class T>
    LocalTensor<T> Get(uint32_t count, SFUMATO_AT) {
        return LocalTensor<T>(sfumato_::BufferGet(handle_, sfumato_::kTypeOf<T>, count, 0, false, where));
    }
    template <class T>
    LocalTensor<T> GetWithOffset(uint32_t count, uint32_t byte_offset, SFUMATO_AT) {
        return LocalTensor<T>(sfumato_::BufferGet(handle_, sfumato_::kTypeOf<T>, count, byte_offset, false, where));
    }

    // Get under the names of queues: it takes nothing and gives nothing back.
    template <class T>
    LocalTensor<T> AllocTensor(SFUMATO_AT) {
        return Get<T>(where);
    }
    template <class T>
    void FreeTensor(LocalTensor<T>& tensor, SFUMATO_AT) {
        sfumato_::CheckPart(handle_, tensor.view(), where);
    }

    // As those of queues: num is 1, index 0.
    void InitStartBufHandle(TBufHandle, uint8_t num, uint32_t len, SFUMATO_AT) {
        sfumato_::StartBuffer(&handle_, num, len, where);
    }
    template <class Pool>
    void InitBufHandle(Pool* bufPool, uint32_t, TBufHandle, uint32_t curPoolAddr, uint32_t len, SFUMATO_AT) {
        sfumato_::PlaceBuffer(handle_, bufPool->SfumatoPool().handle, curPoolAddr, len, where);
    }

private:
    template <class>
    friend class BufferMaker;
    sfumato_::BufferHandle handle_{-1, pos};
};

// What TPipe and TBufPool have in common: they give memory to queues, buffers and pools.
template <class Owner>
class BufferMaker {
public:
    // num blocks of len bytes each, len rounded up to 32.
    template <TPosition src, TPosition dst, int32_t depth, auto mask>
    bool InitBuffer(TQueBind<src, dst, depth, mask>& queue, uint8_t num, uint32_t len, SFUMATO_AT) {
        return sfumato_::InitQueue(Self(), &queue.handle_, num, len, where);
    }
    template <TPosition p>
    bool InitBuffer(TBuf<p>& buffer, uint32_t len, SFUMATO_AT) {
        return sfumato_::InitBuffer(Self(), &buffer.handle_, len, where);
    }
    // The form of queues: num is 1.
    template <TPosition p>
    bool InitBuffer(TBuf<p>& buffer, uint8_t num, uint32_t len, SFUMATO_AT) {
        return sfumato_::CheckOneBlock(buffer.handle_, num, where) &&
               sfumato_::InitBuffer(Self(), &buffer.handle_, len, where);
    }
    template <TPosition p, uint32_t size>
    bool InitBufPool(TBufPool<p, size>& pool, uint32_t len, SFUMATO_AT) {
        return sfumato_::InitPool(Self(), &pool.handle_, len, nullptr, where);
    }
    // The memory of `share`: both begin at its first byte.
    template <TPosition p, uint32_t size, TPosition q, uint32_t other>
    bool InitBufPool(TBufPool<p, size>& pool, uint32_t len, const TBufPool<q, other>& share, SFUMATO_AT) {
        return sfumato_::InitPool(Self(), &pool.handle_, len, &share.handle_, where);
    }

    // A pool class of the program.
    template <class Pool>
    requires requires(Pool& p) { p.SfumatoPool(); }
    bool InitBufPool(Pool& pool, uint32_t len, SFUMATO_AT) { return Start(pool.SfumatoPool(), len, nullptr, where); }
    template <class Pool, class Share>
    requires requires(Pool& p, Share& s) { p.SfumatoPool(), s.SfumatoPool(); }
    bool InitBufPool(Pool& pool, uint32_t len, Share& share, SFUMATO_AT) {
        return Start(pool.SfumatoPool(), len, &share.SfumatoPool().handle, where);
    }

private:
    template <class Pool>
    bool Start(Pool& pool, uint32_t len, const sfumato_::PoolHandle* share, sfumato::Where where) {
        if (!sfumato_::InitPool(Self(), &pool.handle, len, share, where)) return false;
        pool.begin = sfumato_::PoolBegin(pool.handle, where);
        pool.Restart();
        return true;
    }
    sfumato_::Maker Self() { return static_cast<Owner*>(this)->AsMaker(); }
};

// A piece of one memory, filled with at most bufIDSize buffers; pools may share one piece (framework.md 1.6).
template <TPosition pos, uint32_t bufIDSize = 4>
class TBufPool : public BufferMaker<TBufPool<pos, bufIDSize>> {
    static_assert(bufIDSize <= 16, "a TBufPool has at most 16 buffers");

public:
    TBufPool() = default;
    TBufPool(const TBufPool&) = delete;
    TBufPool& operator=(const TBufPool&) = delete;

    // It may be filled again, from its first byte.
    void Reset(SFUMATO_AT) { sfumato_::PoolReset(handle_, where); }

private:
    template <class>
    friend class BufferMaker;
    sfumato_::Maker AsMaker() { return {nullptr, &handle_}; }
    sfumato_::PoolHandle handle_{-1, pos, bufIDSize};
};

// Owns the on-chip memory and event ids of one core. One at a time.
class TPipe : public BufferMaker<TPipe> {
public:
    explicit TPipe(SFUMATO_AT) { sfumato_::PipeInit(this, where); }
    ~TPipe() { sfumato_::PipeDestroy(this, true); }
    TPipe(const TPipe&) = delete;
    TPipe& operator=(const TPipe&) = delete;

    void Init(SFUMATO_AT) { sfumato_::PipeInit(this, where); }
    void Reset(SFUMATO_AT) { sfumato_::PipeReset(this, where); }
    void Destroy() { sfumato_::PipeDestroy(this, true); }
    void DestroyWithoutPipeAll() { sfumato_::PipeDestroy(this, false); }

    // The host's address of the memory behind a position: of CPU debugging.
    uint8_t* GetBaseAddr(int8_t logicPos, SFUMATO_AT) {
        return sfumato_::PositionBase(static_cast<TPosition>(logicPos), where);
    }

    template <HardEvent event>
    TEventID AllocEventID(SFUMATO_AT) {
        return sfumato_::AllocEvent(static_cast<uint8_t>(event), where);
    }
    template <HardEvent event>
    void ReleaseEventID(TEventID id, SFUMATO_AT) {
        sfumato_::ReleaseEvent(static_cast<uint8_t>(event), id, where);
    }
    template <HardEvent event>
    TEventID FetchEventID(SFUMATO_AT) {
        return FetchEventID(event, where);
    }
    TEventID FetchEventID(HardEvent event, SFUMATO_AT) {
        return sfumato_::FetchEvent(static_cast<uint8_t>(event), where);
    }

private:
    friend class BufferMaker<TPipe>;
    sfumato_::Maker AsMaker() { return {this}; }
};

// All of the memory behind pos that no InitBuffer has taken; false when nothing is left (framework.md 1.8).
template <class T, TPosition pos>
bool PopStackBuffer(LocalTensor<T>& popLocal) {
    popLocal = LocalTensor<T>(sfumato_::RestOf(pos, sfumato_::kTypeOf<T>));
    return popLocal.GetSize() != 0;
}

inline TPipe* GetTPipePtr(SFUMATO_AT) { return static_cast<TPipe*>(sfumato_::CurrentPipe(where)); }

}  // namespace AscendC
