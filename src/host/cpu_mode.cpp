// SPDX-License-Identifier: Apache-2.0
// The vendor's CPU-mode host calls: GmAlloc, ICPU_RUN_KF, SetKernelMode. They print and exit, because these macros
// promise it.
#include <fmt/format.h>

#include <cstdio>

#include "host/launch.h"
#include "host/ranks.h"
#include "host/told.h"
#include "runtime/code/code_use.h"
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

namespace {

// "(add<float, 0>)": parentheses keep a comma from the macro. A variable that holds a kernel is not what it is called.
std::string NameOf(std::string_view written, const Callable& kernel) {
    while (written.starts_with('(') && written.ends_with(')')) written = written.substr(1, written.size() - 2);
    if (!kernel.is_kernel) return std::string(written);
    const std::string name = runtime::FunctionName(kernel.function);
    std::string last = name.substr(0, name.find('<'));
    last = last.substr(last.rfind(':') + 1);
    return last.empty() || written.find(last) != written.npos ? std::string(written) : name;
}

}  // namespace

void RunKernelOrExit(const Site& place, uint32_t blocks, const Callable& kernel, const std::function<void()>& run,
                     const void* const* pointers, size_t count, bool in_test) {
    const std::string name = NameOf(place.kernel, kernel);
    Site site = place;
    site.kernel = name.c_str();
    LaunchOptions options;
    options.kernel = name;
    const auto refuse = [&](ExitCode code, const char* text, std::vector<Report> reports) {
        Told::The().AddRefused(options, site.where.file, text, std::move(reports));
        if (!in_test) EndProcess(code, text);
    };
    std::string failed;
    try {
        options = OptionsOf(site);
        FunctionCode code = CodeOf(kernel.function, site.where);
        if (code.system_workspace) options.system_workspace = sfumato::kSystemWorkspaceBytes;
        CheckBlocks(site, options, code.use, blocks);
        CheckPointers(site, options, pointers, count);
        LaunchResult result;
        const KernelCall call{run,
                              kernel.function,
                              name,
                              {},
                              nullptr,
                              {},
                              code.use,
                              std::move(code.findings),
                              site.where.file,
                              std::move(code.use_findings)};
        Ranks::The().Run(nullptr, {name, site.where, std::vector<const void*>(pointers, pointers + count), [&] {
                                       result = sfumato::Launch(options, blocks, Device::Current().memory(), call);
                                   }});
        Told::The().Add(options, blocks, site.where.file, result);
        if (const std::string faults = Faults(result); !faults.empty()) {
            failed = fmt::format("{}\n{}: the kernel failed", faults, name);
            if (!in_test) EndProcess(kFault, failed);
        }
    } catch (const KernelError& error) {
        refuse(kFault, error.what(), {error.report()});
        throw;
    } catch (const Error& error) {
        refuse(kUsage, error.what(), {});
        throw;
    }
    if (!failed.empty()) throw Error(failed);
}

void SetTilingKeyForCpu(uint64_t key) { TheCpuMode().tiling_key = key; }

}  // namespace sfumato::host

namespace AscendC {

void* GmAlloc(size_t size) {
    try {
        return sfumato::host::Device::Current().Allocate(sfumato::host::Block::Kind::kDevice, size, "GmAlloc");
    } catch (const sfumato::Error& error) {
        sfumato::host::EndProcess(sfumato::kUsage, error.what());
    }
}

void GmFree(void* p) {
    using sfumato::host::Device;
    Device* device = Device::OwnerOf(p);
    if (!p || (device && device->Free(sfumato::host::Block::Kind::kDevice, p))) return;
    sfumato::Finding finding{sfumato::Rule::kFreeUnknown,           "p",
                             "no block that is in use starts here", Device::Describe(p),
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
