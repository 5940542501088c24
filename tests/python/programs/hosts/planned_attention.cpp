// SPDX-License-Identifier: Apache-2.0
// Attention whose tilings the host plans for the chip it finds. Arguments: heads, queries, keys.
#include "../flash.cpp"
#include "device.h"
#include "lib/matmul/matmul_tiling.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"

// A launch by <<<>>> has no system workspace: the first part of the program's is it.
extern "C" __global__ __aicore__ void planned_attention(GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR out, GM_ADDR workspace,
                                                        uint32_t system, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GET_TILING_DATA_WITH_STRUCT(FlashData, t, tiling);
    SetSysWorkspace(workspace);
    Attend(q, k, v, out, workspace + system, t);
}

namespace {

// Of C[m, n] = A x B of half, on one core.
TCubeTiling Plan(int m, int n, int k, bool transposed) {
    using namespace matmul_tiling;
    MatmulApiTiling plan(*platform_ascendc::PlatformAscendCManager::GetInstance());
    plan.SetAType(TPosition::GM, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    plan.SetBType(TPosition::GM, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16, transposed);
    plan.SetCType(TPosition::GM, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT);
    plan.SetShape(m, n, k);
    plan.SetOrgShape(m, n, k);
    plan.EnableBias(false);
    plan.SetBufferSpace(-1, -1, -1);
    optiling::TCubeTiling tiling;
    if (plan.GetTiling(tiling) == -1) std::exit(3);
    return tiling;
}

}  // namespace

int main(int, char** argv) {
    FlashData data;
    data.heads = std::atoi(argv[1]), data.queries = std::atoi(argv[2]), data.keys = std::atoi(argv[3]);
    data.width = 64, data.rows = 32, data.columns = 48, data.scale = 0.125f;
    data.scores = Plan(data.rows, data.columns, data.width, true);
    data.values = Plan(data.rows, data.width, data.columns, false);
    const ge::Shape tile({data.rows, data.columns});
    const uint32_t bytes = AscendC::GetSoftMaxFlashV2MinTmpSize(tile, sizeof(float), sizeof(float), true);
    if (bytes > 16 * 1024) std::exit(4);
    optiling::SoftMaxTiling softmax;
    AscendC::SoftMaxFlashV2TilingFunc(tile, sizeof(float), sizeof(float), 16 * 1024, softmax, true);
    data.softmax = softmax;
    const uint32_t blocks = 2, size = data.heads * data.queries * data.width * sizeof(half);
    aclrtStream stream = nullptr;
    Check(aclrtCreateStream(&stream));
    void *q = Upload("q.bin"), *k = Upload("k.bin"), *v = Upload("v.bin"), *out = Zeros(size);
    const uint32_t system = platform_ascendc::PlatformAscendCManager::GetInstance()->GetLibApiWorkSpaceSize();
    void* workspace = Zeros(system + blocks * 2 * (6 * data.rows * data.columns + 4 * data.rows * data.width));
    void* tiling = Zeros(sizeof(data));
    Check(aclrtMemcpy(tiling, sizeof(data), &data, sizeof(data), ACL_MEMCPY_HOST_TO_DEVICE));
    planned_attention<<<blocks, nullptr, stream>>>(q, k, v, out, workspace, system, tiling);
    Check(aclrtSynchronizeStream(stream));
    Download("y.bin", out, size);
    for (void* p : {q, k, v, out, workspace, tiling}) Check(aclrtFree(p));
    Check(aclrtDestroyStream(stream));
}
