// SPDX-License-Identifier: Apache-2.0
// Logic, shifts and choices by mask on registers (arch950.md 2.9, 2.10).
#include "exec/registers/table.h"
#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/registers/logic.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

#include "exec/format-inl.h"
#include "exec/registers/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {
namespace {

struct BitsAnd {
    static constexpr Takes kTakes = Takes::kTwo;
    template <class T>
    T operator()(T a, T b) const {
        return a & b;
    }
};
struct BitsOr {
    static constexpr Takes kTakes = Takes::kTwo;
    template <class T>
    T operator()(T a, T b) const {
        return a | b;
    }
};
struct BitsXor {
    static constexpr Takes kTakes = Takes::kTwo;
    template <class T>
    T operator()(T a, T b) const {
        return a ^ b;
    }
};
struct BitsNot {
    static constexpr Takes kTakes = Takes::kOne;
    template <class T>
    T operator()(T a) const {
        return static_cast<T>(~a);
    }
};

// Counts of the type's width or more, and negative ones, which the caller reports, shift everything out. The sign bit
// of a signed number shifted to the left stays, and the others move.
struct ShiftedLeft {
    template <class T>
    static T Of(T a, std::make_unsigned_t<T> count) {
        constexpr unsigned kBits = sizeof(T) * 8;
        using U = std::make_unsigned_t<T>;
        const U moved = static_cast<U>(static_cast<U>(a) << (count & (kBits - 1)));
        constexpr U kSign = static_cast<U>(U{1} << (kBits - 1));
        const U kept = std::is_signed_v<T>
                           ? static_cast<U>((moved & static_cast<U>(~kSign)) | (static_cast<U>(a) & kSign))
                           : moved;
        return static_cast<T>(count < kBits ? kept : U{0});
    }
};
struct ShiftedRight {
    template <class T>
    static T Of(T a, std::make_unsigned_t<T> count) {
        constexpr unsigned kBits = sizeof(T) * 8;
        const T moved = static_cast<T>(a >> (count & (kBits - 1)));
        return count < kBits ? moved : a < 0 ? static_cast<T>(-1) : T{0};
    }
};

template <class T, class Op>
uint32_t RunBits(const RegisterCall& call, const RegisterControl&) {
    EachElement<T, Op::kTakes>(call, Op());
    return 0;
}

template <class T, class Op>
uint32_t RunShift(const RegisterCall& call, const RegisterControl&) {
    RegisterCall shift = call;
    if (const auto count = static_cast<int16_t>(call.scalar); !call.src1 && (count < 0 || count > 64)) {
        shift.scalar = 64;  // which fits all types
    }
    EachElement<T, Takes::kTwo>(shift, [](T a, T b) { return Op::Of(a, static_cast<std::make_unsigned_t<T>>(b)); });
    return 0;
}

// mask ? src0 : src1, byte by byte. Lanes are halves of elements where there are two registers.
template <size_t kWidth>
void SelectLanes(const RegisterCall& call) {
    const OnBytes on = OnOf<kWidth>(call.mask);
    constexpr size_t kMost = 2;
    alignas(64) uint8_t out[kMost][kRegisterBytes];
    KnownBytes known[kMost];
    for (size_t r = 0; r < call.registers; ++r) {
        if (call.src1) {
            std::memcpy(out[r], call.src1[r].bytes.data(), kRegisterBytes);
        } else {
            const uint64_t scalar = call.scalar >> (r * 32);
            for (size_t i = 0; i < kRegisterBytes; i += kWidth) std::memcpy(out[r] + i, &scalar, kWidth);
        }
        Blend(out[r], call.src0[r].bytes.data(), on);
        for (size_t i = 0; i < 4; ++i) {
            const uint64_t other = call.src1 ? call.src1[r].known[i] : ~uint64_t{0};
            known[r][i] = (call.src0[r].known[i] & on.words[i]) | (other & ~on.words[i]);
        }
    }
    for (size_t r = 0; r < call.registers; ++r) WriteLanes(call.dst[r], out[r], known[r], OnOf<1>(nullptr), false);
}
template <size_t kWidth>
uint32_t RunSelect(const RegisterCall& call, const RegisterControl&) {
    if (kWidth == 8 && call.registers == 2) {
        SelectLanes<4>(call);
    } else {
        SelectLanes<kWidth>(call);
    }
    return 0;
}

template <class T>
void AddLogicOf(RegisterTable& table, DataType type) {
    using enum RegisterOp;
    using U = std::make_unsigned_t<T>;
    table.At(kAnd, type) = RunBits<U, BitsAnd>;
    table.At(kOr, type) = RunBits<U, BitsOr>;
    table.At(kXor, type) = RunBits<U, BitsXor>;
    table.At(kNot, type) = RunBits<U, BitsNot>;
    table.At(kShiftLeft, type) = RunShift<T, ShiftedLeft>;
    table.At(kShiftRight, type) = RunShift<T, ShiftedRight>;
    table.At(kSelect, type) = RunSelect<sizeof(T)>;
}

void RegisterLogic(RegisterTable& table) {
    AddLogicOf<int8_t>(table, DataType::kInt8);
    AddLogicOf<uint8_t>(table, DataType::kUint8);
    AddLogicOf<int16_t>(table, DataType::kInt16);
    AddLogicOf<uint16_t>(table, DataType::kUint16);
    AddLogicOf<int32_t>(table, DataType::kInt32);
    AddLogicOf<uint32_t>(table, DataType::kUint32);
    AddLogicOf<int64_t>(table, DataType::kInt64);
    AddLogicOf<uint64_t>(table, DataType::kUint64);
    using enum RegisterOp;
    table.At(kNot, DataType::kHalf) = RunBits<uint16_t, BitsNot>;
    table.At(kNot, DataType::kFloat) = RunBits<uint32_t, BitsNot>;
    table.At(kSelect, DataType::kHalf) = table.At(kSelect, DataType::kBfloat16) = RunSelect<2>;
    table.At(kSelect, DataType::kFloat) = RunSelect<4>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddLogic(RegisterTable& table) { SFUMATO_FOR_TARGET(RegisterLogic)(table); }
}  // namespace sfumato::exec
#endif
