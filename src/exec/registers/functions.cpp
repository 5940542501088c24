// SPDX-License-Identifier: Apache-2.0
// Quotients, roots, exponentials and logarithms of registers: correctly rounded (arch950.md 4), by the runs that
// instructions on memory have. Log2 and Log10 of halves are rounded to float first. Without keeps_subnormals,
// subnormal operands and results are zeros of their sign.
#include "exec/registers/table.h"
#include "exec/run.h"
#include "exec/runs.h"
#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/registers/functions.cpp"
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

template <class T, T kFirstNormal>
void FlushSubnormals(T* v) {
    for (size_t i = 0; i < kRegisterBytes / sizeof(T); ++i) {
        const T sign = v[i] & std::numeric_limits<T>::min();
        v[i] = (v[i] ^ sign) < kFirstNormal ? sign : v[i];
    }
}

// Of 64 floats or 128 halves. kByFloat: of halves, too.
template <template <class> class FormatOf, isa::Opcode kOpcode, Takes kTakes, bool kByFloat = false>
uint32_t RunFunction(const RegisterCall& call, const RegisterControl& control) {
    using Format = FormatOf<RegisterFloats>;
    const typename Format::D d;
    using T = hn::TFromD<typename Format::D>;
    constexpr bool kHalf = sizeof(T) == 2;
    constexpr T kFirstNormal = kHalf ? 0x400 : 0x800000;
    constexpr size_t kLanes = kRegisterBytes / sizeof(T);
    alignas(64) T x[kLanes], y[kLanes];
    std::memcpy(x, call.src0->bytes.data(), kRegisterBytes);
    if (!call.keeps_subnormals) FlushSubnormals<T, kFirstNormal>(x);
    RunArgs args;
    args.src0 = args.dst = x;
    args.n = kLanes;
    args.overflow = Overflow::kInfNan;
    args.exact = true;
    if constexpr (kTakes == Takes::kTwo) {
        const SecondSource<T> second(call);
        for (size_t i = 0; i < kLanes; ++i) y[i] = second.lanes[i];
        if (!call.keeps_subnormals) FlushSubnormals<T, kFirstNormal>(y);
        args.src1 = y;
    }
    if constexpr (kHalf && kByFloat) {
        alignas(64) float wide[kLanes];
        WidenHalves(x, wide, kLanes);
        args.src0 = args.dst = wide;
        FindRun(kOpcode, DataType::kFloat)(args);
        NarrowToHalves(wide, x, kLanes, false);
    } else {
        FindRun(kOpcode, kHalf ? DataType::kHalf : DataType::kFloat)(args);
    }
    if (!call.keeps_subnormals) FlushSubnormals<T, kFirstNormal>(x);
    const Limit<Format> limit(d, Saturates(control));
    for (size_t i = 0; i < kLanes; i += hn::Lanes(d)) hn::Store(limit(d, hn::Load(d, x + i)), d, x + i);
    WriteLanes(*call.dst, x, WholeElements<sizeof(T)>(KnownOf<kTakes>(call)), OnOf<sizeof(T)>(call.mask), call.merging);
    return 0;
}

template <template <class> class FormatOf>
void AddFunctionsOf(RegisterTable& table, DataType type) {
    using enum RegisterOp;
    table.At(kDiv, type) = RunFunction<FormatOf, isa::Opcode::vdiv, Takes::kTwo>;
    table.At(kSqrt, type) = RunFunction<FormatOf, isa::Opcode::vsqrt, Takes::kOne>;
    table.At(kExp, type) = RunFunction<FormatOf, isa::Opcode::vexp, Takes::kOne>;
    table.At(kLn, type) = RunFunction<FormatOf, isa::Opcode::vln, Takes::kOne>;
    table.At(kLog2, type) = RunFunction<FormatOf, isa::Opcode::vlog2, Takes::kOne, true>;
    table.At(kLog10, type) = RunFunction<FormatOf, isa::Opcode::vlog10, Takes::kOne, true>;
}

void RegisterFunctions(RegisterTable& table) {
    AddFunctionsOf<Half>(table, DataType::kHalf);
    AddFunctionsOf<Float>(table, DataType::kFloat);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddFunctions(RegisterTable& table) { SFUMATO_FOR_TARGET(RegisterFunctions)(table); }
}  // namespace sfumato::exec
#endif
