// SPDX-License-Identifier: Apache-2.0
// column_sum and histogram of reduce.cpp by ICPU_RUN_KF. Arguments: rows, columns.
#include <cstring>

#include "../reduce.cpp"
#include "files.h"
#include "tikicpulib.h"

int main(int, char** argv) {
    const uint32_t rows = std::atoi(argv[1]), columns = std::atoi(argv[2]);
    const std::vector<char> bytes = ReadFile("x.bin");
    auto* x = static_cast<uint8_t*>(AscendC::GmAlloc(bytes.size()));
    auto* y = static_cast<uint8_t*>(AscendC::GmAlloc((columns + 64) * sizeof(int32_t)));
    std::memcpy(x, bytes.data(), bytes.size());
    std::memset(y, 0, (columns + 64) * sizeof(int32_t));
    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    ICPU_RUN_KF(column_sum, 4, x, y, rows, columns);
    ICPU_RUN_KF(histogram, 3, x, y + columns * sizeof(int32_t), rows * columns);
    WriteFile("y.bin", y, (columns + 64) * sizeof(int32_t));
    AscendC::GmFree(x);
    AscendC::GmFree(y);
}
