// SPDX-License-Identifier: Apache-2.0
// The host side of CPU-mode programs: GmAlloc, ICPU_RUN_KF and friends (compat.md, "Host side").
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "kernel_operator.h"
#include "sfumato/host/chip.h"
#include "sfumato/host/launch.h"

enum class KernelMode { MIX_MODE = 0, AIC_MODE, AIV_MODE, MIX_AIC_1_1 };

namespace sfumato::host {

// Runs the kernel on a simulated chip. A fault prints its report to stderr and ends the process with exit code 4, wrong
// options with 2: programs written for the vendor's CPU mode do not look at a result.
SFUMATO_API void RunKernelOrExit(const Site& site, uint32_t blocks, const void* function,
                                 const std::function<void()>& run, const void* const* pointers, size_t count);

template <class... Params, class... Args>
void RunOnCpu(const Site& site, void (*kernel)(Params...), uint32_t blocks, Args... args) {
    static_assert(sizeof...(Args) <= 32, "ICPU_RUN_KF: at most 32 arguments");
    static_assert(sizeof...(Args) == sizeof...(Params), "ICPU_RUN_KF: as many arguments as the kernel has parameters");
    const auto pointer = [](const auto& arg) -> const void* {
        if constexpr (std::is_pointer_v<std::decay_t<decltype(arg)>>) return arg;
        return nullptr;
    };
    const void* const pointers[] = {pointer(args)..., nullptr};
    RunKernelOrExit(
        site, blocks, reinterpret_cast<const void*>(kernel), [=] { kernel((Params)(args)...); }, pointers,
        sizeof...(Args));
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
#define ICPU_RUN_KF(func, blockDim, ...)                                                                           \
    ::sfumato::host::RunOnCpu(::sfumato::host::Site{SFUMATO_CHIP, SFUMATO_BUILD_OPTIONS,                           \
                                                    ::sfumato::host::KernelText(#func), ::sfumato::Where::Here()}, \
                              func, static_cast<uint32_t>(blockDim) __VA_OPT__(, ) __VA_ARGS__)
