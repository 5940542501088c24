// SPDX-License-Identifier: Apache-2.0
// The vendor's CPU-mode host calls: GmAlloc, ICPU_RUN_KF, SetKernelMode. The only place of the library that prints and
// exits, because these macros promise it.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "runtime/code_use.h"
#include "sfumato/launch.h"
#include "soc/chip.h"
#define SFUMATO_CHIP ""  // programs choose it, not the library
#include "tikicpulib.h"

namespace sfumato::ascendc {
namespace {

constexpr int kExitUsage = 2, kExitFault = 4;

struct Host {
    GlobalMemory memory;
    std::mutex mutex;
    uint64_t tiling_key = 0;
    bool mode_set = false;
    KernelMode mode = KernelMode::MIX_MODE;
};
Host& TheHost() {
    static Host host;
    return host;
}

[[noreturn]] void Fail(int code, const std::string& text) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", text.c_str());
    std::exit(code);
}

const char* Setting(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value && *value ? value : otherwise;
}

// Options of a program that has no command line for us: SFUMATO_SCHEDULE, SFUMATO_OVERFLOW, SFUMATO_AUTO_SYNC,
// SFUMATO_STRICT.
LaunchOptions OptionsFromEnvironment(const char* chip, const char* kernel, const Host& host) {
    LaunchOptions options;
    options.chip = Setting("SFUMATO_CHIP", chip);
    options.kernel = kernel;
    options.tiling_key = host.tiling_key;
    options.schedule = Setting("SFUMATO_SCHEDULE", "eager");
    options.auto_sync = std::string(Setting("SFUMATO_AUTO_SYNC", "on")) != "off";
    options.strict = std::string(Setting("SFUMATO_STRICT", "off")) == "on";
    const std::string overflow = Setting("SFUMATO_OVERFLOW", "saturate");
    if (overflow != "saturate" && overflow != "infnan" && overflow != "board") {
        throw Error(fmt::format("SFUMATO_OVERFLOW is '{}'; legal are saturate, infnan, board", overflow));
    }
    options.overflow = overflow == "infnan"  ? Overflow::kInfNan
                       : overflow == "board" ? Overflow::kBoard
                                             : Overflow::kSaturate;
    if (host.mode_set) {
        options.core = host.mode == KernelMode::AIV_MODE      ? CoreChoice::kVector
                       : host.mode == KernelMode::AIC_MODE    ? CoreChoice::kCube
                       : host.mode == KernelMode::MIX_AIC_1_1 ? CoreChoice::kMixOneToOne
                                                              : CoreChoice::kMix;
    }
    return options;
}

// Without SetKernelMode: MIX_MODE, as in the vendor's CPU mode, for a program whose code needs both kinds of core.
CoreChoice ModeOf(const void* function) {
    const auto entries = runtime::ModuleCode(function).EntriesFrom(function);
    const CodeUse use = entries ? runtime::UseOf(*entries) : CodeUse();
    return !use.cube ? CoreChoice::kDefault : use.vector ? CoreChoice::kMix : CoreChoice::kCube;
}

void CheckBlocks(const LaunchOptions& options, uint32_t blocks) {
    const soc::Chip chip = soc::FindChip(options.chip);
    const bool vector = options.core == CoreChoice::kVector || options.core == CoreChoice::kDefault;
    const uint32_t most = vector ? chip.max_blocks_aiv : chip.max_blocks_aic;
    if (blocks < 1 || blocks > most) {
        throw Error(fmt::format("ICPU_RUN_KF({}): {} blocks; legal are 1 to {} on {} in this kernel mode",
                                options.kernel, blocks, most, chip.name));
    }
}

}  // namespace

void SetTilingKeyForCpu(uint64_t key) { TheHost().tiling_key = key; }

void RunKernelOrExit(const char* chip, const char* kernel, uint32_t blocks, const void* function,
                     const std::function<void()>& run, const void* const* pointers, int pointer_count) {
    Host& host = TheHost();
    try {
        LaunchOptions options = OptionsFromEnvironment(chip, kernel, host);
        if (!host.mode_set) options.core = ModeOf(function);
        CheckBlocks(options, blocks);
        for (int i = 0; i < pointer_count; ++i) {
            if (pointers[i] && !host.memory.Owns(pointers[i])) {
                throw Error(
                    fmt::format("ICPU_RUN_KF({}): argument {} points to host memory ({}); kernels take memory from "
                                "AscendC::GmAlloc",
                                kernel, i, pointers[i]));
            }
        }
        const LaunchResult result =
            Launch(options, blocks, host.memory, KernelCall{run, function, kernel, {}, nullptr, {}, {}});
        for (const Report& report : result.findings) std::fprintf(stderr, "%s\n", report.Text().c_str());
        if (!result.ok()) Fail(kExitFault, fmt::format("{}: the kernel failed", kernel));
    } catch (const Error& error) {
        Fail(kExitUsage, error.what());
    }
}

}  // namespace sfumato::ascendc

namespace AscendC {

void* GmAlloc(size_t size) {
    auto& host = sfumato::ascendc::TheHost();
    std::lock_guard lock(host.mutex);
    static int number = 0;
    return host.memory.Allocate(size, fmt::format("GmAlloc #{}", number++));
}

void GmFree(void* p) {
    try {
        if (p) sfumato::ascendc::TheHost().memory.Free(p);
    } catch (const sfumato::Error&) {
        sfumato::ascendc::Fail(sfumato::ascendc::kExitUsage,
                               fmt::format("GmFree: {} is not memory from GmAlloc, or was freed before", p));
    }
}

void SetKernelMode(KernelMode mode) {
    sfumato::ascendc::TheHost().mode = mode;
    sfumato::ascendc::TheHost().mode_set = true;
}

}  // namespace AscendC
