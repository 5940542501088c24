// SPDX-License-Identifier: Apache-2.0
// The vendor's CPU-mode host calls: GmAlloc, ICPU_RUN_KF, SetKernelMode. They print and exit, because these macros
// promise it.
#include <fmt/format.h>

#include <cstdio>

#include "host/launch.h"
#include "host/told.h"
#include "sfumato/launch.h"
#include "soc/chip.h"
#include "tikicpulib.h"

namespace sfumato::host {
namespace {

struct CpuMode {
    uint64_t tiling_key = 0;
    bool mode_set = false;
    KernelMode mode = KernelMode::MIX_MODE;
};
CpuMode& TheCpuMode() {
    static CpuMode mode;
    return mode;
}

LaunchOptions OptionsOf(const Site& site) {
    const CpuMode& cpu = TheCpuMode();
    LaunchOptions options = OptionsOfEnvironment(Route::kCpuMode, site.chip, site.options);
    options.kernel = site.kernel;
    options.tiling_key = cpu.tiling_key;
    if (cpu.mode_set) {
        options.core = cpu.mode == KernelMode::AIV_MODE      ? CoreChoice::kVector
                       : cpu.mode == KernelMode::AIC_MODE    ? CoreChoice::kCube
                       : cpu.mode == KernelMode::MIX_AIC_1_1 ? CoreChoice::kMixOneToOne
                                                             : CoreChoice::kMix;
    }
    return options;
}

void CheckBlocks(const Site& site, const LaunchOptions& options, const std::optional<CodeUse>& use, uint32_t blocks) {
    const soc::Chip chip = soc::FindChip(options.chip);
    const bool vector =
        options.core == CoreChoice::kVector || (options.core == CoreChoice::kDefault && !(use && use->cube));
    const uint32_t most = vector ? chip.max_blocks_aiv : chip.max_blocks_aic;
    if (blocks >= 1 && blocks <= most) return;
    RefuseLaunch(site, options,
                 {Rule::kLaunchBlocks, "blocks", "ICPU_RUN_KF cannot launch this number of blocks",
                  fmt::format("{}", blocks), fmt::format("1 to {} on {} in this kernel mode", most, chip.name),
                  "launch with <<<>>> for more, or choose the mode with SetKernelMode"});
}

}  // namespace

void RunKernelOrExit(const Site& site, uint32_t blocks, const void* function, const std::function<void()>& run,
                     const void* const* pointers, size_t count) {
    LaunchOptions options;
    options.kernel = site.kernel;
    const auto refuse = [&](ExitCode code, const char* text, std::vector<Report> reports) {
        Told::The().AddRefused(options, site.where.file, text, std::move(reports));
        EndProcess(code, text);
    };
    try {
        options = OptionsOf(site);
        FunctionCode code = CodeOf(function, site.where);
        CheckBlocks(site, options, code.use, blocks);
        CheckPointers(site, options, pointers, count);
        const LaunchResult result = sfumato::Launch(
            options, blocks, Device::The().memory(),
            KernelCall{
                run, function, site.kernel, {}, nullptr, {}, code.use, std::move(code.findings), site.where.file});
        Told::The().Add(options, blocks, site.where.file, result);
        if (const std::string faults = Faults(result); !faults.empty()) {
            EndProcess(kFault, fmt::format("{}\n{}: the kernel failed", faults, site.kernel));
        }
    } catch (const KernelError& error) {
        refuse(kFault, error.what(), {error.report()});
    } catch (const Error& error) {
        refuse(kUsage, error.what(), {});
    }
}

void SetTilingKeyForCpu(uint64_t key) { TheCpuMode().tiling_key = key; }

}  // namespace sfumato::host

namespace AscendC {

void* GmAlloc(size_t size) {
    try {
        return sfumato::host::Device::The().Allocate(sfumato::host::Block::Kind::kDevice, size, "GmAlloc");
    } catch (const sfumato::Error& error) {
        sfumato::host::EndProcess(sfumato::kUsage, error.what());
    }
}

void GmFree(void* p) {
    auto& device = sfumato::host::Device::The();
    if (!p || device.Free(sfumato::host::Block::Kind::kDevice, p)) return;
    sfumato::Finding finding{sfumato::Rule::kFreeUnknown,           "p",
                             "no block that is in use starts here", device.Describe(p),
                             "what GmAlloc returned, once",         ""};
    const sfumato::Report report = sfumato::ToReport(std::move(finding), "GmFree", {});
    sfumato::host::Told::The().AddCall(report);
    sfumato::host::EndProcess(sfumato::kFault, report.Text());
}

void SetKernelMode(KernelMode mode) {
    sfumato::host::TheCpuMode().mode = mode;
    sfumato::host::TheCpuMode().mode_set = true;
}

}  // namespace AscendC
