// SPDX-License-Identifier: Apache-2.0
// One host program for CPU mode and a board. An argument makes it go wrong.
#include <cstdio>
#include <cstring>

#include "tiling.h"
#ifdef ASCENDC_CPU_DEBUG
#include "tikicpulib.h"
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling);
#else
#include "acl/acl.h"
#include "aclrtlaunch_twice.h"
#endif

namespace {

constexpr uint32_t kCount = 512, kBytes = kCount * sizeof(float);

void Report(const char* style, const float* x, const float* z) {
    int equal = 0;
    for (uint32_t i = 0; i < kCount; ++i) equal += z[i] == 3 * x[i] + 1;
    std::printf("%s: %d of %u\n", style, equal, kCount);
}

}  // namespace

int main(int argc, char** argv) {
    const bool wrong = argc > 1 && !std::strcmp(argv[1], "wrong");
    const TwiceTiling tiling{kCount, 3};
    float data[kCount], result[kCount];
    for (uint32_t i = 0; i < kCount; ++i) data[i] = static_cast<float>(i);
#ifdef ASCENDC_CPU_DEBUG
    auto* x = static_cast<uint8_t*>(AscendC::GmAlloc(kBytes));
    auto* z = static_cast<uint8_t*>(AscendC::GmAlloc(kBytes));
    auto* workspace = static_cast<uint8_t*>(AscendC::GmAlloc(kBytes));
    auto* t = static_cast<uint8_t*>(AscendC::GmAlloc(sizeof tiling));
    std::memcpy(x, data, kBytes);
    std::memcpy(t, &tiling, sizeof tiling);
    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    ICPU_SET_TILING_KEY(0);
    ICPU_RUN_KF(twice, wrong ? 51 : 4, x, z, workspace, t);
    std::memcpy(result, z, kBytes);
    AscendC::GmFree(x);
    AscendC::GmFree(z);
    AscendC::GmFree(workspace);
    AscendC::GmFree(t);
    if (argc > 1 && !std::strcmp(argv[1], "twice")) AscendC::GmFree(z);
    Report("ICPU_RUN_KF", data, result);
#else
    constexpr size_t kWorkspace = (16 << 20) + kBytes;  // the system's part stands in front
    void *x, *z, *workspace, *t;
    aclrtStream stream = nullptr;
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtCreateStream(&stream);
    aclrtMalloc(&x, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&z, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&workspace, kWorkspace, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&t, sizeof tiling, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(x, kBytes, data, kBytes, ACL_MEMCPY_HOST_TO_DEVICE);
    aclrtMemcpy(t, sizeof tiling, &tiling, sizeof tiling, ACL_MEMCPY_HOST_TO_DEVICE);
    const uint32_t launched = ACLRT_LAUNCH_KERNEL(twice)(4, stream, x, z, workspace, wrong ? result : t);
    const int synchronised = aclrtSynchronizeStream(stream);
    if (wrong) std::printf("%u %d\n", launched, synchronised);
    aclrtMemcpy(result, kBytes, z, kBytes, ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtFree(x);
    aclrtFree(z);
    aclrtFree(workspace);
    aclrtFree(t);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    aclFinalize();
    Report("ACLRT_LAUNCH_KERNEL", data, result);
#endif
    return 0;
}
