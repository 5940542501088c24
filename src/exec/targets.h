// SPDX-License-Identifier: Apache-2.0
// Which SIMD targets Highway compiles, and the value that follows the target in force. Included before any hwy header.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "hwy/base.h"

#if defined(HIGHWAY_HWY_DETECT_TARGETS_H_)
#error "include exec/targets.h before Highway's other headers"
#endif

// x86: the baseline, SSE4, AVX2 and AVX3; elsewhere what Highway offers. Releases before 1.0.4 have no SSE2 target, and
// the scalar one lacks instructions, so the baseline is SSSE3 there (SFUMATO_HWY_NO_SSE2 comes from CMake).
// SFUMATO_SIMD=one defines HWY_COMPILE_ONLY_STATIC: the machine's own target alone. Lower bits are later extensions.
#if HWY_ARCH_X86
#if defined(SFUMATO_HWY_NO_SSE2)
#define HWY_WANT_SSSE3 1
#define HWY_DISABLED_TARGETS (HWY_AVX3 - 1)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | (HWY_AVX3 - 1))
#endif
#endif

namespace sfumato::exec {

class PerTargetBase {
protected:
    using Resolve = const void* (*)();
    explicit PerTargetBase(Resolve resolve);
    const void* Update();

    std::atomic<const void*> value_{nullptr};

private:
    friend void ForgetTargets();
    Resolve resolve_;
    PerTargetBase* next_;
};

// What a per-target function returns (`resolve` calls SFUMATO_FOR_TARGET) for the target in force, kept until
// ForceTarget. For namespace-scope variables only: they register themselves. Get() is one load.
template <typename T>
class PerTarget : PerTargetBase {
public:
    explicit PerTarget(Resolve resolve) : PerTargetBase(resolve) {}
    const T& Get() {
        const void* value = value_.load(std::memory_order_acquire);
        return *static_cast<const T*>(value ? value : Update());
    }
};

// The target in force, as Highway's bit.
int64_t TargetInForce();

// Entry of a list that starts at bit `first_bit` for the target in force; `fallback` where it has none.
template <typename Function, size_t kCount>
Function* PickForTarget(Function* const (&list)[kCount], int first_bit, Function* fallback) {
    const int64_t target = TargetInForce();
    for (size_t i = 0; i < kCount; ++i) {
        if (list[i] && target == int64_t{1} << (first_bit + static_cast<int>(i))) return list[i];
    }
    return fallback;
}

}  // namespace sfumato::exec

// The function of the target in force. Highway's own HWY_DYNAMIC_DISPATCH needs the library libhwy, whose static
// initialiser measures a timer for some 3 ms: half of what a cached run of the command takes.
#define SFUMATO_FOR_TARGET(FUNC)                                                                   \
    (*::sfumato::exec::PickForTarget<std::remove_pointer_t<decltype(&HWY_STATIC_DISPATCH(FUNC))>>( \
        {HWY_CHOOSE_TARGET_LIST(FUNC)}, HWY_HIGHEST_TARGET_BIT + 1 - HWY_MAX_DYNAMIC_TARGETS,      \
        &HWY_STATIC_DISPATCH(FUNC)))
