// SPDX-License-Identifier: Apache-2.0
// What calls on whole registers do where nobody looks at single accesses: a few compares and the work itself, in the
// kernel's own code. All else goes the long way (issue.h), with the same bytes.
#pragma once

#include "sfumato/ascendc/reg/masks.h"
#include "sfumato/scalar_port.h"

namespace sfumato::ascendc::reg {

// The port of the core whose vector function runs unwatched; nullptr: there is none, or it is to stop.
inline const runtime::ScalarPort* OpenPort() {
    const runtime::ScalarPort* port = runtime::t_core;
    if (!port || !port->vector_ub || port->stopped_above->load(std::memory_order_relaxed) <= port->order)
        return nullptr;
    return port;
}
// Whether a register's bytes lie at the address, as LoadAlign and StoreAlign ask for them.
inline bool HoldsRegister(const runtime::ScalarPort* port, const void* address) {
    const auto offset = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(port->vector_ub);
    return offset <= port->vector_bytes - kRegisterBytes && offset % 32 == 0;
}
inline bool IsWhole(const MaskRegister& mask, uint32_t bits) {
    const uint64_t whole = LowestBits(bits);
    return mask.set && ((mask.bits[0] & mask.bits[1] & mask.bits[2] & mask.bits[3]) & whole) == whole;
}
inline void MarkKnown(VectorRegister* r) { r->known = {~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}}; }

// Kernels are compiled with little optimisation: what is to be done by vectors is written so.
typedef uint64_t Block __attribute__((vector_size(16), may_alias));  // at a multiple of 16 bytes
typedef float Floats __attribute__((vector_size(16), may_alias));
typedef int32_t Words __attribute__((vector_size(16), may_alias));
constexpr uint32_t kBlocks = kRegisterBytes / sizeof(Block);

inline void CopyRegister(void* to, const void* from) {
#pragma GCC unroll 16
    for (uint32_t i = 0; i < kBlocks; ++i) static_cast<Block*>(to)[i] = static_cast<const Block*>(from)[i];
}
inline bool LoadAtOnce(VectorRegister* dst, const void* address) {
    const runtime::ScalarPort* port = OpenPort();
    if (!port || !HoldsRegister(port, address)) return false;
    CopyRegister(dst->bytes.data(), address);
    MarkKnown(dst);
    return true;
}
inline bool StoreAtOnce(const void* address, const VectorRegister* src, const MaskRegister& mask, uint32_t bits) {
    const runtime::ScalarPort* port = OpenPort();
    if (!port || !HoldsRegister(port, address) || !IsWhole(mask, bits)) return false;
    CopyRegister(const_cast<void*>(address), src->bytes.data());
    return true;
}
// f(a, b) of floats, and of a NaN the one that the chip makes (arch950.md 4). a and b: of block i.
template <class F, class A, class B>
bool FloatsAtOnce(VectorRegister* dst, const MaskRegister& mask, const F& f, const A& a, const B& b) {
    if (!OpenPort() || !IsWhole(mask, sizeof(float))) return false;
    constexpr int32_t kMade = 0x7FFFFFFF;
    auto* const to = reinterpret_cast<Words*>(dst->bytes.data());
#pragma GCC unroll 16
    for (uint32_t i = 0; i < kBlocks; ++i) {
        const Floats r = f(a(i), b(i));
        const Words number = r == r;
        to[i] = ((Words)r & number) | (~number & kMade);
    }
    MarkKnown(dst);
    return true;
}
inline auto FloatsOf(const VectorRegister* r) {
    return [from = reinterpret_cast<const Floats*>(r->bytes.data())](uint32_t i) { return from[i]; };
}
template <class F>
bool FloatsAtOnce(VectorRegister* dst, const VectorRegister* a, const VectorRegister* b, const MaskRegister& mask,
                  const F& f) {
    return FloatsAtOnce(dst, mask, f, FloatsOf(a), FloatsOf(b));
}
template <class F>
bool FloatsAtOnce(VectorRegister* dst, const VectorRegister* a, float b, const MaskRegister& mask, const F& f) {
    const Floats all = {b, b, b, b};
    return FloatsAtOnce(dst, mask, f, FloatsOf(a), [&](uint32_t) { return all; });
}

// The operations that are done so.
template <RegisterOp op>
inline constexpr bool kOfFloats = op == RegisterOp::kAdd || op == RegisterOp::kSub || op == RegisterOp::kMul;
template <RegisterOp op>
inline constexpr auto kOfFloat = [](Floats a, Floats b) {
    if constexpr (op == RegisterOp::kAdd) return a + b;
    if constexpr (op == RegisterOp::kSub) return a - b;
    return a * b;
};

}  // namespace sfumato::ascendc::reg
