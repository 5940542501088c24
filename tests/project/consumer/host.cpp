// SPDX-License-Identifier: Apache-2.0
// A host program: once as programs for the vendor's CPU mode are written, once with the launch API.
#include <cstdio>

#include "sfumato/launch.h"
#include "tikicpulib.h"

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y);
extern "C" __global__ __aicore__ void leave(int32_t code);
void LeaveHost(int code);

namespace {

constexpr int kBlocks = 2, kCount = 64 * kBlocks;

int CountDoubled(const float* x, const float* y) {
    int equal = 0;
    for (int i = 0; i < kCount; ++i) equal += y[i] == 2 * x[i];
    return equal;
}

}  // namespace

int main() {
    auto* x = static_cast<float*>(AscendC::GmAlloc(kCount * sizeof(float)));
    auto* y = static_cast<float*>(AscendC::GmAlloc(kCount * sizeof(float)));
    for (int i = 0; i < kCount; ++i) x[i] = static_cast<float>(i);
    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    ICPU_RUN_KF(twice, kBlocks, reinterpret_cast<uint8_t*>(x), reinterpret_cast<uint8_t*>(y));
    std::printf("ICPU_RUN_KF on %s, __NPU_ARCH__ %d: %d of %d\n", SFUMATO_CHIP, __NPU_ARCH__, CountDoubled(x, y),
                kCount);
    AscendC::GmFree(x);
    AscendC::GmFree(y);

    sfumato::GlobalMemory memory;
    uint8_t* from = memory.Allocate(kCount * sizeof(float), "x");
    uint8_t* to = memory.Allocate(kCount * sizeof(float), "y");
    for (int i = 0; i < kCount; ++i) reinterpret_cast<float*>(from)[i] = static_cast<float>(-i);
    sfumato::LaunchOptions options;
    options.chip = SFUMATO_CHIP;
    options.kernel = "twice";
    const sfumato::LaunchResult result = sfumato::Launch(options, kBlocks, memory, twice, from, to);
    for (const sfumato::Report& report : result.findings) std::printf("%s\n", report.Text().c_str());
    const int equal = CountDoubled(reinterpret_cast<float*>(from), reinterpret_cast<float*>(to));
    std::printf("Launch: %s, %d of %d\n", result.ok() ? "ok" : "failed", equal, kCount);
    const sfumato::LaunchResult left = sfumato::Launch(options, kBlocks, memory, leave, 0);
    std::printf("leave: %s at line %u\n", sfumato::Name(left.findings.at(0).rule), left.findings.at(0).line);
    std::fflush(stdout);
    LeaveHost(result.ok() && equal == kCount ? 0 : 1);
    return 1;
}
