// SPDX-License-Identifier: Apache-2.0
// GlobalTensor and LocalTensor (framework.md 1.10, 1.11).
#pragma once

#include <cstring>
#include <string>

#include "sfumato/ascendc/issue.h"
#include "sfumato/scalar_port.h"

namespace sfumato::ascendc {

template <class T>
uint64_t ToBits(T value) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
}
template <class T>
T Read(const void* at) {
    T value;
    std::memcpy(static_cast<void*>(&value), at, sizeof(T));
    return value;
}
template <class T>
T FromBits(uint64_t bits) {
    return Read<T>(&bits);
}
template <class T>
inline constexpr bool kWholeBytes = BitsOf(kTypeOf<T>) == 8 * sizeof(T);  // all but int4b_t

// Where an element of `bytes` bytes of a local tensor lies, when it may be accessed at once: it lies in the tensor and
// in UB, no queue hands the tensor out, its TBuf still has its memory, nothing is pending. nullptr: the long way, which
// waits or reports.
inline uint8_t* ElementAtOnce(const runtime::ScalarPort* port, const LocalView& tensor, uint64_t index,
                              uint64_t bytes) {
    if (!port) return nullptr;
    const uint64_t at = index * bytes;
    const uint64_t offset = reinterpret_cast<uintptr_t>(tensor.address) - reinterpret_cast<uintptr_t>(port->ub);
    const bool inside = (index < tensor.size) & (at + bytes <= tensor.room) &
                        ((tensor.block == -1) | (tensor.block <= port->sure_block)) & (offset <= port->ub_bytes) &
                        (at + bytes <= port->ub_bytes - offset);
    if (!inside || *port->pending != 0) return nullptr;
    return port->stopped_above->load(std::memory_order_relaxed) < port->order ? nullptr : tensor.address + at;
}

// An index together with the place in the source that gave it: operators cannot have default arguments.
struct IndexAt {
    template <class I>
    IndexAt(I i, Where w = Where::Here()) : index(static_cast<uint64_t>(i)), where(w) {}
    uint64_t index;
    Where where;
};

// Elements of T that fit in n bytes: int4b_t lies two a byte.
template <class T>
constexpr uint64_t ElementsIn(uint64_t bytes) {
    return bytes * 8 / BitsOf(kTypeOf<T>);
}

// Of an operator on two tensors of T, and of a comparison.
template <class T>
struct TensorResult : TensorExpression {
    using TensorExpression::TensorExpression;
};
struct TensorComparison : TensorExpression {
    using TensorExpression::TensorExpression;
};

}  // namespace sfumato::ascendc

namespace AscendC {

// Where a LocalTensor lies that is made from an address: bytes, and the number of a TPosition.
struct TBuffAddr {
    uint32_t dataLen = 0;
    uint32_t bufferAddr = 0;
    uint8_t logicPos = static_cast<uint8_t>(TPosition::MAX);
};

SFUMATO_API void ReportShapeUnset(sfumato::Where where);

template <class T>
class GlobalTensor {
public:
    using PrimType = T;

    // count in elements. Without it the tensor has no known end of its own; the allocation's end is still checked.
    void SetGlobalBuffer(T* buffer, uint64_t count, SFUMATO_AT) {
        view_.address = reinterpret_cast<uint8_t*>(const_cast<std::remove_cv_t<T>*>(buffer));
        view_.size = count;
        view_.base = view_.address;
        sfumato_::GlobalBuffer(view_, sfumato_::kTypeOf<T>, where);
    }
    void SetGlobalBuffer(T* buffer, SFUMATO_AT) { SetGlobalBuffer(buffer, 0, where); }

    T* GetPhyAddr() const { return reinterpret_cast<T*>(view_.address); }
    T* GetPhyAddr(uint64_t offset) const { return GetPhyAddr() + offset; }
    uint64_t GetSize() const { return view_.size; }

    T GetValue(uint64_t offset, SFUMATO_AT) const {
        return sfumato_::FromBits<T>(sfumato_::LoadGlobal(view_, sfumato_::kTypeOf<T>, offset, where));
    }
    void SetValue(uint64_t offset, T value, SFUMATO_AT) const {
        sfumato_::StoreGlobal(view_, sfumato_::kTypeOf<T>, offset, sfumato_::ToBits(value), where);
    }
    // A reference, of chips that have it.
    T& operator()(uint64_t offset, SFUMATO_AT) const {
        return *reinterpret_cast<T*>(sfumato_::ScalarPointer(view_, sfumato_::kTypeOf<T>, offset, "operator()", where));
    }
    GlobalTensor operator[](sfumato_::IndexAt at) const {
        GlobalTensor shifted = *this;
        shifted.view_ = sfumato_::Advance(view_, sfumato_::kTypeOf<T>, at.index, at.where);
        return shifted;
    }
    template <class U>
    GlobalTensor<U> ReinterpretCast() const {
        GlobalTensor<U> other;
        other.view_ = view_;
        other.view_.size = sfumato_::ElementsIn<U>(sfumato::BytesOf(sfumato_::kTypeOf<T>, view_.size));
        return other;
    }
    void SetShapeInfo(const ShapeInfo& info) { shape_ = info, has_shape_ = true; }
    ShapeInfo GetShapeInfo(SFUMATO_AT) const {
        if (!has_shape_) ReportShapeUnset(where);
        return shape_;
    }
    template <CacheRwMode rw = CacheRwMode::RW>
    void SetL2CacheHint(CacheMode mode) {  // speed only
        sfumato_::HintCache(view_.address, mode != CacheMode::CACHE_MODE_DISABLE);
    }

    const sfumato_::GlobalView& view() const { return view_; }

private:
    template <class U>
    friend class GlobalTensor;

    sfumato_::GlobalView view_;
    ShapeInfo shape_;
    bool has_shape_ = false;
};

template <class T>
class LocalTensor {
public:
    using PrimType = T;

    LocalTensor() = default;
    explicit LocalTensor(const sfumato_::LocalView& view) : view_(view) {
        address_.logicPos = static_cast<uint8_t>(view.position);
    }
    // Static tensor programming: addr is a byte offset in the memory behind pos.
    LocalTensor(TPosition pos, uint32_t addr, uint32_t count, SFUMATO_AT)
        : LocalTensor(sfumato_::TensorAt(pos, addr, sfumato_::kTypeOf<T>, count, where)) {}

    // The same in two steps: the position by SetAddr or address_.logicPos, then the place, of bufferSize elements, by
    // InitBuffer, in either order. It takes effect at the tensor's next use.
    void SetAddr(const TBuffAddr& address, SFUMATO_AT) { address_ = address, by_hand_ = where; }
    void InitBuffer(uint32_t bufferOffset, uint32_t bufferSize, SFUMATO_AT) {
        address_.bufferAddr = bufferOffset;
        address_.dataLen = static_cast<uint32_t>(sfumato::BytesOf(sfumato_::kTypeOf<T>, bufferSize));
        by_hand_ = where;
    }

    T GetValue(uint32_t index, SFUMATO_AT) const {
        if constexpr (sfumato_::kWholeBytes<T>) {
            const auto* at = sfumato_::ElementAtOnce(sfumato::runtime::t_core, view_, index, sizeof(T));
            if (at) [[likely]]
                return sfumato_::Read<T>(at);
        }
        return sfumato_::FromBits<T>(sfumato_::LoadLocal(view(), sfumato_::kTypeOf<T>, index, "GetValue", where));
    }
    template <class V>
    void SetValue(uint32_t index, V value, SFUMATO_AT) const {
        if constexpr (sfumato_::kWholeBytes<T>) {
            sfumato::runtime::ScalarPort* const port = sfumato::runtime::t_core;
            auto* at = sfumato_::ElementAtOnce(port, view_, index, sizeof(T));
            const bool aligned = reinterpret_cast<uintptr_t>(at) % sizeof(T) == 0;
            if (at && aligned && port->stores >> static_cast<int>(sfumato_::kTypeOf<T>) & 1) [[likely]] {
                port->Count();
                const T element = static_cast<T>(value);
                std::memcpy(at, &element, sizeof(T));
                return;
            }
        }
        sfumato_::StoreLocal(view(), sfumato_::kTypeOf<T>, index, sfumato_::ToBits(static_cast<T>(value)), "SetValue",
                             where);
    }
    T& operator()(uint32_t index, SFUMATO_AT) const {
        static_assert(!std::is_same_v<T, int4b_t>, "operator(): an int4b_t element is half a byte and has no address");
        return *reinterpret_cast<T*>(sfumato_::ScalarPointer(view(), sfumato_::kTypeOf<T>, index, "operator()", where));
    }
    LocalTensor operator[](sfumato_::IndexAt at) const {
        const sfumato_::LocalView& whole = view();
        LocalTensor shifted = *this;
        shifted.view_ = sfumato_::Advance(whole, sfumato_::kTypeOf<T>, at.index, at.where);
        return shifted;
    }

    template <class U>
    LocalTensor<U> ReinterpretCast() const {
        LocalTensor<U> other(view());
        other.SetSize(
            static_cast<uint32_t>(sfumato_::ElementsIn<U>(sfumato::BytesOf(sfumato_::kTypeOf<T>, view_.size))));
        other.SetUserTag(user_tag_);
        return other;
    }
    template <class U>
    void SetAddrWithOffset(LocalTensor<U>& src, uint32_t offset) {
        view_ = src[offset].view();
        SetSize(static_cast<uint32_t>(sfumato_::ElementsIn<T>(sfumato::BytesOf(sfumato_::kTypeOf<U>, view_.size))));
    }
    void SetSize(uint32_t size) { view(), view_.size = size; }
    uint32_t GetSize() const { return view().size; }
    void SetBufferLen(uint32_t bytes) { view(), view_.size = static_cast<uint32_t>(sfumato_::ElementsIn<T>(bytes)); }
    uint32_t GetLength() const { return static_cast<uint32_t>(sfumato::BytesOf(sfumato_::kTypeOf<T>, view().size)); }
    int32_t GetPosition() const { return static_cast<int32_t>(view().position); }
    // A host pointer into the on-chip memory: accesses through it are not seen by the checks.
    uint64_t GetPhyAddr() const { return reinterpret_cast<uint64_t>(view().address); }
    uint64_t GetPhyAddr(uint32_t offset) const { return GetPhyAddr() + sfumato::BytesOf(sfumato_::kTypeOf<T>, offset); }
    void SetUserTag(int32_t tag) { user_tag_ = tag; }
    int32_t GetUserTag() const { return user_tag_; }
    void SetShapeInfo(const ShapeInfo& info) { shape_ = info, has_shape_ = true; }
    ShapeInfo GetShapeInfo(SFUMATO_AT) const {
        if (!has_shape_) ReportShapeUnset(where);
        return shape_;
    }
    // A line for each 32 bytes: the index of its first element, then its elements (framework.md 1.11).
    void Print(SFUMATO_AT) const { Print(GetSize(), where); }
    void Print(uint32_t count, SFUMATO_AT) const { sfumato_::PrintLocal(view(), sfumato_::kTypeOf<T>, count, where); }
    // The tensor's bytes as they are; 0 when they are written.
    int32_t ToFile(const std::string& fileName, SFUMATO_AT) const {
        return sfumato_::WriteLocal(view(), sfumato_::kTypeOf<T>, fileName.c_str(), where) ? 0 : -1;
    }

    // dst = a op b, for all elements of dst; of a comparison a bit for each element of a.
    void operator=(const sfumato_::TensorResult<T>& result) const {
        sfumato_::Assign(view(), sfumato_::kTypeOf<T>, result);
    }
    void operator=(const sfumato_::TensorComparison& result) const {
        static_assert(sizeof(T) == 1, "a comparison of tensors gives a tensor of int8_t or uint8_t");
        sfumato_::Assign(view(), sfumato_::kTypeOf<T>, result);
    }
    // A side of an operator, with the place in the source.
    struct Side {
        Side(const LocalTensor& t, sfumato::Where w = sfumato::Where::Here()) : tensor(t), where(w) {}
        const LocalTensor& tensor;
        sfumato::Where where;
    };
#define SFUMATO_TENSOR_OPERATOR(sign, Result, issue, mode)                                              \
    [[nodiscard]] friend sfumato_::Result operator sign(const Side& a, const Side& b) {                 \
        return {issue, CMPMODE::mode, a.tensor.view(), b.tensor.view(), sfumato_::kTypeOf<T>, b.where}; \
    }
    SFUMATO_TENSOR_OPERATOR(+, TensorResult<T>, sfumato_::vadd, EQ)
    SFUMATO_TENSOR_OPERATOR(-, TensorResult<T>, sfumato_::vsub, EQ)
    SFUMATO_TENSOR_OPERATOR(*, TensorResult<T>, sfumato_::vmul, EQ)
    SFUMATO_TENSOR_OPERATOR(/, TensorResult<T>, sfumato_::vdiv, EQ)
    SFUMATO_TENSOR_OPERATOR(|, TensorResult<T>, sfumato_::vor, EQ)
    SFUMATO_TENSOR_OPERATOR(&, TensorResult<T>, sfumato_::vand, EQ)
    SFUMATO_TENSOR_OPERATOR(<, TensorComparison, nullptr, LT)
    SFUMATO_TENSOR_OPERATOR(>, TensorComparison, nullptr, GT)
    SFUMATO_TENSOR_OPERATOR(==, TensorComparison, nullptr, EQ)
    SFUMATO_TENSOR_OPERATOR(<=, TensorComparison, nullptr, LE)
    SFUMATO_TENSOR_OPERATOR(>=, TensorComparison, nullptr, GE)
    SFUMATO_TENSOR_OPERATOR(!=, TensorComparison, nullptr, NE)
#undef SFUMATO_TENSOR_OPERATOR

    const sfumato_::LocalView& view() const {
        if (by_hand_.line != 0) [[unlikely]]
            Place();
        return view_;
    }

    TBuffAddr address_;  // of a tensor from InitBuffer; of any other the position alone

private:
    void Place() const {
        const sfumato::Where where = by_hand_;
        by_hand_ = sfumato::Where{};
        const auto bits = sfumato::BitsOf(sfumato_::kTypeOf<T>);
        view_ =
            sfumato_::StaticTensor(static_cast<TPosition>(address_.logicPos), address_.bufferAddr, sfumato_::kTypeOf<T>,
                                   static_cast<uint32_t>(uint64_t{address_.dataLen} * 8 / bits), where);
    }

    mutable sfumato_::LocalView view_;
    mutable sfumato::Where by_hand_{};  // the call that gave an address which view_ does not have yet
    int32_t user_tag_ = 0;
    bool has_shape_ = false;
    ShapeInfo shape_;
};

}  // namespace AscendC
