// SPDX-License-Identifier: Apache-2.0
// The host side of CPU-mode programs: GmAlloc, ICPU_RUN_KF and friends (compat.md, "Host side").
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "kernel_operator.h"

enum class KernelMode { MIX_MODE = 0, AIC_MODE, AIV_MODE, MIX_AIC_1_1 };

// The chip the program was compiled for: SFUMATO_CHIP from sfumato_add_kernel, else the family of __NPU_ARCH__.
#ifndef SFUMATO_CHIP
#if !defined(__NPU_ARCH__)
#error \
    "tikicpulib.h: define the chip, e.g. -D__NPU_ARCH__=2201 (Ascend910B), 1001 (Ascend910), 2002 (Ascend310P), 3002 (Ascend310B), or use sfumato_add_kernel(... CHIP ...)"
#elif __NPU_ARCH__ == 1001
#define SFUMATO_CHIP "Ascend910"
#elif __NPU_ARCH__ == 2002
#define SFUMATO_CHIP "Ascend310P"
#elif __NPU_ARCH__ == 2201
#define SFUMATO_CHIP "Ascend910B"
#elif __NPU_ARCH__ == 3002
#define SFUMATO_CHIP "Ascend310B"
#else
#error \
    "tikicpulib.h: unknown __NPU_ARCH__; legal are 1001 (Ascend910), 2002 (Ascend310P), 2201 (Ascend910B), 3002 (Ascend310B)"
#endif
#endif

namespace sfumato::ascendc {

// Runs the kernel on a simulated chip. A fault prints its report to stderr and ends the process with exit code 4, wrong
// use with 2: programs written for the vendor's CPU mode do not look at a result.
SFUMATO_API void RunKernelOrExit(const char* chip, const char* kernel, uint32_t blocks, const void* function,
                                 const std::function<void()>& run, const void* const* pointers, int pointer_count);

template <class... Params, class... Args>
void RunOnCpu(const char* chip, const char* name, void (*kernel)(Params...), uint32_t blocks, Args... args) {
    static_assert(sizeof...(Args) <= 32, "ICPU_RUN_KF: at most 32 arguments");
    static_assert(sizeof...(Args) == sizeof...(Params), "ICPU_RUN_KF: as many arguments as the kernel has parameters");
    const auto pointer = [](const auto& arg) -> const void* {
        if constexpr (std::is_pointer_v<std::decay_t<decltype(arg)>>) return arg;
        return nullptr;
    };
    const void* const pointers[] = {pointer(args)..., nullptr};
    RunKernelOrExit(
        chip, name, blocks, reinterpret_cast<const void*>(kernel), [=] { kernel((Params)(args)...); }, pointers,
        static_cast<int>(sizeof...(Args)));
}

SFUMATO_API void SetTilingKeyForCpu(uint64_t key);

}  // namespace sfumato::ascendc

namespace AscendC {

using ::KernelMode;
// Global memory for kernels, filled with the pattern; freed by GmFree only.
SFUMATO_API void* GmAlloc(size_t size);
SFUMATO_API void GmFree(void* p);
SFUMATO_API void SetKernelMode(KernelMode mode);

}  // namespace AscendC

#define ICPU_SET_TILING_KEY(key) ::sfumato::ascendc::SetTilingKeyForCpu(key)
#define ICPU_RUN_KF(func, blockDim, ...) \
    ::sfumato::ascendc::RunOnCpu(SFUMATO_CHIP, #func, func, static_cast<uint32_t>(blockDim) __VA_OPT__(, ) __VA_ARGS__)
