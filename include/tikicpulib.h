// SPDX-License-Identifier: Apache-2.0
// The host side of CPU-mode programs: GmAlloc, ICPU_RUN_KF and friends (compat.md, "Host side").
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "kernel_operator.h"
#include "sfumato/host/chip.h"
#include "sfumato/host/launch.h"
#include "sfumato/op/securec.h"

enum class KernelMode { MIX_MODE = 0, AIC_MODE, AIV_MODE, MIX_AIC_1_1 };

namespace sfumato::host {

// What ICPU_RUN_KF was given. function: its code, or null where it does not tell; is_kernel: the function itself, which
// has a name, and not a body that calls it.
struct Callable {
    const void* function = nullptr;
    bool is_kernel = false;
};

// Runs the kernel on a simulated chip. A fault prints its report to stderr and ends the process with exit code 4, wrong
// options with 2: programs written for the vendor's CPU mode do not look at a result. In a test of GoogleTest
// (`in_test`) a fault throws Error instead, which fails the test.
SFUMATO_API void RunKernelOrExit(const Site& site, uint32_t blocks, const Callable& kernel,
                                 const std::function<void()>& run, const void* const* pointers, size_t count,
                                 bool in_test);

// Without a header of GoogleTest: null where the program has none of it.
extern "C" {
__attribute__((weak)) void* SfumatoUnitTest() __asm__("_ZN7testing8UnitTest11GetInstanceEv");
__attribute__((weak)) const void* SfumatoCurrentTest(const void*) __asm__("_ZNK7testing8UnitTest17current_test_infoEv");
}
inline bool InTest() {
    return SfumatoUnitTest != nullptr && SfumatoCurrentTest != nullptr &&
           SfumatoCurrentTest(SfumatoUnitTest()) != nullptr;
}

// Converts as a cast does, to what a callable wants.
template <class T>
struct CastArgument {
    T value;
    template <class Wanted>
    operator Wanted() const {
        return (Wanted)value;
    }
};

template <class... Params>
Callable CallableOf(void (*kernel)(Params...)) {
    return {reinterpret_cast<const void*>(kernel), true};
}
template <class... Params>
Callable CallableOf(const std::function<void(Params...)>& kernel) {
    const auto* function = kernel.template target<void (*)(Params...)>();
    return function ? CallableOf(*function) : Callable{};
}
template <class Body>
Callable CallableOf(const Body&) {
    if constexpr (requires { &Body::operator(); }) {
        const auto body = &Body::operator();
        const void* code = nullptr;
        __builtin_memcpy(&code, &body, sizeof code);  // Itanium C++ ABI 2.3: of a function that is not virtual
        return {code, false};
    }
    return {};
}

// A function gets its arguments as a cast to its parameters makes them; so does a callable that does not take them as
// they are.
template <class... Params, class... Args>
void CallKernel(void (*kernel)(Params...), Args... args) {
    static_assert(sizeof...(Args) == sizeof...(Params), "ICPU_RUN_KF: as many arguments as the kernel has parameters");
    kernel((Params)(args)...);
}
template <class Body, class... Args>
void CallKernel(Body& body, Args... args) {
    if constexpr (std::is_invocable_v<Body&, Args...>) {
        body(args...);
    } else {
        static_assert(std::is_invocable_v<Body&, CastArgument<Args>...>,
                      "ICPU_RUN_KF: what runs is a kernel, a lambda, a std::function or an object with operator() that "
                      "takes these arguments");
        body(CastArgument<Args>{args}...);
    }
}

template <class Kernel, class... Args>
void RunOnCpu(const Site& site, Kernel kernel, uint32_t blocks, Args... args) {
    static_assert(sizeof...(Args) <= 32, "ICPU_RUN_KF: at most 32 arguments");
    const auto pointer = [](const auto& arg) -> const void* {
        if constexpr (std::is_pointer_v<std::decay_t<decltype(arg)>>) return arg;
        return nullptr;
    };
    const void* const pointers[] = {pointer(args)..., nullptr};
    RunKernelOrExit(
        site, blocks, CallableOf(kernel), [&] { CallKernel(kernel, args...); }, pointers, sizeof...(Args), InTest());
}

SFUMATO_API void SetTilingKeyForCpu(uint64_t key);

}  // namespace sfumato::host

namespace AscendC {

using ::KernelMode;
// Global memory for kernels, filled with the pattern; freed by GmFree only.
SFUMATO_API void* GmAlloc(size_t size);
SFUMATO_API void GmFree(void* p);
SFUMATO_API void SetKernelMode(KernelMode mode);

}  // namespace AscendC

#define ICPU_SET_TILING_KEY(key) ::sfumato::host::SetTilingKeyForCpu(key)
#define ICPU_RUN_KF(func, blockDim, ...) \
    ::sfumato::host::RunOnCpu(SFUMATO_SITE(#func), func, static_cast<uint32_t>(blockDim) __VA_OPT__(, ) __VA_ARGS__)
