// SPDX-License-Identifier: Apache-2.0
// softmax(LeakyReLU(A x B + bias)): two kernels on one stream by <<<>>>. Arguments: m, n, k.
#include "../mix.cpp"
#include "../vector.cpp"
#include "device.h"

int main(int, char** argv) {
    const uint32_t m = std::atoi(argv[1]), n = std::atoi(argv[2]), k = std::atoi(argv[3]);
    aclrtStream stream = nullptr;
    Check(aclrtCreateStream(&stream));
    void *a = Upload("a.bin"), *b = Upload("b.bin"), *bias = Upload("bias.bin");
    void *c = Zeros(m * n * sizeof(float)), *y = Zeros(m * n * sizeof(float)), *workspace = Zeros(2 * 2 * 4096 * 4);
    matmul_leaky_1_2<<<2, nullptr, stream>>>(a, b, bias, c, workspace, m, n, k);
    softmax<<<4, nullptr, stream>>>(c, y, m, n);
    Check(aclrtSynchronizeStream(stream));
    Download("y.bin", y, m * n * sizeof(float));
    for (void* p : {a, b, bias, c, y, workspace}) Check(aclrtFree(p));
    Check(aclrtDestroyStream(stream));
}
