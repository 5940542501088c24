// SPDX-License-Identifier: Apache-2.0
// Bitwise operations and shifts (vector_instructions.md 10). A shift by the full width or more leaves no bit; a signed
// shift keeps the sign bit, to the left too.
#include "exec/runs.h"
#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/vector/logic_runs.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"
#include "exec/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// No result is subject to the policy.
struct NotOp {
    template <class D, class V, class P>
    HWY_INLINE V operator()(D, V a, P&) const {
        return hn::Not(a);
    }
};
struct AndOp {
    template <class D, class V, class P>
    HWY_INLINE V operator()(D, V a, V b, P&) const {
        return hn::And(a, b);
    }
};
struct OrOp {
    template <class D, class V, class P>
    HWY_INLINE V operator()(D, V a, V b, P&) const {
        return hn::Or(a, b);
    }
};

// Distances that a shift of lanes takes: at most the width less 1; `all`: the full width was asked for.
template <typename T>
struct Distance {
    static constexpr uint64_t kWidth = sizeof(T) * 8;
    explicit Distance(const RunArgs& args)
        : bits(static_cast<int>(args.scalar < kWidth ? args.scalar : kWidth - 1)), all(args.scalar >= kWidth) {}
    int bits;
    bool all;
};

template <typename T>
struct Left {
    explicit Left(const RunArgs& args) : distance(args) {}
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, P&) const {
        const V shifted = distance.all ? hn::Zero(d) : hn::ShiftLeftSame(a, distance.bits);
        if constexpr (std::is_unsigned_v<T>) {
            return shifted;
        } else {
            const V sign = hn::Set(d, hwy::LimitsMin<T>());
            return hn::Or(hn::AndNot(sign, shifted), hn::And(sign, a));
        }
    }
    Distance<T> distance;
};

template <typename T>
struct Right {
    explicit Right(const RunArgs& args) : distance(args), rounds(args.rounds && args.scalar > 0), before(args) {
        if (!distance.all) before.bits -= rounds;
    }
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, P&) const {
        const bool none = distance.all && std::is_unsigned_v<T>;
        const V shifted = none ? hn::Zero(d) : hn::ShiftRightSame(a, distance.bits);
        if (!rounds) return shifted;
        return hn::Add(shifted, hn::And(hn::ShiftRightSame(a, before.bits), hn::Set(d, T{1})));
    }
    Distance<T> distance;
    bool rounds;
    Distance<T> before;  // brings the last bit shifted out to bit 0
};

template <typename T>
void AddLogic(RunTable& table, DataType type) {
    using enum isa::Opcode;
    using D = hn::ScalableTag<T>;
    table.At(vnot, type) = Run<D, NotOp, Inputs::kOne>;
    table.At(vand, type) = Run<D, AndOp, Inputs::kTwo>;
    table.At(vor, type) = Run<D, OrOp, Inputs::kTwo>;
}

template <typename T>
void AddShifts(RunTable& table, DataType type) {
    using enum isa::Opcode;
    using D = hn::ScalableTag<T>;
    table.At(vshl, type) = Run<D, Left<T>, Inputs::kOne>;
    table.At(vshr, type) = Run<D, Right<T>, Inputs::kOne>;
}

void LogicRuns(RunTable& table) {
    AddLogic<int8_t>(table, DataType::kInt8);
    AddLogic<uint8_t>(table, DataType::kUint8);
    AddLogic<int16_t>(table, DataType::kInt16);
    AddLogic<uint16_t>(table, DataType::kUint16);
    AddShifts<int16_t>(table, DataType::kInt16);
    AddShifts<uint16_t>(table, DataType::kUint16);
    AddShifts<int32_t>(table, DataType::kInt32);
    AddShifts<uint32_t>(table, DataType::kUint32);
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddLogicRuns(RunTable& table) { SFUMATO_FOR_TARGET(LogicRuns)(table); }
}  // namespace sfumato::exec
#endif
