// SPDX-License-Identifier: Apache-2.0
// flash_attention by ACLRT_LAUNCH_KERNEL. Arguments: heads, length.
#include "aclrtlaunch_flash_attention.h"
#include "device.h"

int main(int, char** argv) {
    const uint32_t heads = std::atoi(argv[1]), length = std::atoi(argv[2]);
    constexpr uint32_t kBlocks = 2;
    aclrtStream stream = nullptr;
    Check(aclrtCreateStream(&stream));
    void *q = Upload("q.bin"), *k = Upload("k.bin"), *v = Upload("v.bin");
    const size_t bytes = size_t{heads} * length * 64 * sizeof(float);
    void *out = Zeros(bytes), *workspace = Zeros(kBlocks * 128 * 1024);
    ACLRT_LAUNCH_KERNEL(flash_attention)(kBlocks, stream, q, k, v, out, workspace, heads, length, true);
    Check(aclrtSynchronizeStream(stream));
    Download("y.bin", out, bytes);
    for (void* p : {q, k, v, out, workspace}) Check(aclrtFree(p));
    Check(aclrtDestroyStream(stream));
}
