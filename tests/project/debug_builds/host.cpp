// SPDX-License-Identifier: Apache-2.0
// Launches each kernel on two blocks and prints what its cores left: on_vector 1 1 0 0, 0 cube cores.
#include <cstdint>
#include <cstdio>
#include <cstring>
#ifdef CPU_MODE
#include "tikicpulib.h"
#define KERNEL(name) extern "C" __global__ __aicore__ void name(GM_ADDR out, int32_t mode);
#else
#include "acl/acl.h"
#ifdef ONLY_DEBUG
#include "aclrtlaunch_only_debug.h"
#else
#include "aclrtlaunch_declared_mixed.h"
#include "aclrtlaunch_declared_vector.h"
#include "aclrtlaunch_on_both.h"
#include "aclrtlaunch_on_vector.h"
#endif
#define KERNEL(name)
#endif
KERNEL(on_vector)
KERNEL(on_both)
KERNEL(declared_mixed)
KERNEL(declared_vector)
KERNEL(only_debug)

namespace {

constexpr size_t kBytes = 16 * sizeof(int32_t);

void Print(const char* name, const int32_t* counts) {
    const int cubes = (counts[8] == 7) + (counts[9] == 7);
    std::printf("%s %d %d %d %d, %d cube cores\n", name, counts[0], counts[1], counts[2], counts[3], cubes);
    std::fflush(stdout);
}

#ifdef CPU_MODE
template <class Kernel>
void Run(const char* name, Kernel kernel) {
    auto* out = static_cast<uint8_t*>(AscendC::GmAlloc(kBytes));
    std::memset(out, 0, kBytes);
    kernel(out);
    Print(name, reinterpret_cast<int32_t*>(out));
    AscendC::GmFree(out);
}
#define RUN(name) Run(#name, [](uint8_t* out) { ICPU_RUN_KF(name, 2, out, 0); })
#else
template <class Kernel>
void Run(const char* name, Kernel kernel) {
    int32_t counts[16] = {};
    void* out = nullptr;
    aclrtMalloc(&out, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(out, kBytes, counts, kBytes, ACL_MEMCPY_HOST_TO_DEVICE);
    kernel(out);
    aclrtMemcpy(counts, kBytes, out, kBytes, ACL_MEMCPY_DEVICE_TO_HOST);
    Print(name, counts);
    aclrtFree(out);
}
#define RUN(name) Run(#name, [](void* out) { ACLRT_LAUNCH_KERNEL(name)(2, nullptr, out, 0); })
#endif

}  // namespace

int main() {
#ifdef ONLY_DEBUG
    RUN(only_debug);
#else
    RUN(on_vector);
    RUN(on_both);
    RUN(declared_mixed);
    RUN(declared_vector);
#endif
}
