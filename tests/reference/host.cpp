// SPDX-License-Identifier: Apache-2.0
// A host as users write it: tensors of the device, the two phases, a stream. Calls aclnnAdds, aclnnRelu and aclnnMatmul
// on them; with "again" one executor twice, with "streams" two streams without an order.
#include <cstdio>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/level2/aclnn_matmul.h"

#define CHECK(call)                                                      \
    do {                                                                 \
        const auto code = (call);                                        \
        if (code != 0) {                                                 \
            const char* text = aclGetRecentErrMsg();                     \
            std::printf("%s: %d\n%s\n", #call, code, text ? text : "-"); \
        }                                                                \
    } while (0)

struct Matrix {
    explicit Matrix(const std::vector<float>& values) {
        CHECK(aclrtMalloc(&data, sizeof(float) * 4, ACL_MEM_MALLOC_HUGE_FIRST));
        CHECK(aclrtMemcpy(data, 16, values.data(), 16, ACL_MEMCPY_HOST_TO_DEVICE));
        const int64_t shape[] = {2, 2}, strides[] = {2, 1};
        tensor = aclCreateTensor(shape, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape, 2, data);
    }
    void Print(const char* name) {
        float host[4];
        CHECK(aclrtMemcpy(host, 16, data, 16, ACL_MEMCPY_DEVICE_TO_HOST));
        std::printf("%s: %g %g %g %g\n", name, host[0], host[1], host[2], host[3]);
    }
    void* data = nullptr;
    aclTensor* tensor;
};

static aclScalar* Number(float value) { return aclCreateScalar(&value, ACL_FLOAT); }

int main(int argc, char** argv) {
    const char* mode = argc > 1 ? argv[1] : "";
    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(0));
    aclrtStream stream, other;
    CHECK(aclrtCreateStream(&stream));
    CHECK(aclrtCreateStream(&other));
    Matrix a({1, -2, 3, -4}), b({0, 0, 0, 0}), c({0, 0, 0, 0}), d({2, 0, 0, 2}), e({0, 0, 0, 0});
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    CHECK(aclnnAddsGetWorkspaceSize(a.tensor, Number(1), Number(2), b.tensor, &size, &executor));
    if (!std::strcmp(mode, "again")) CHECK(aclSetAclOpExecutorRepeatable(executor));
    CHECK(aclnnAdds(nullptr, size, executor, stream));
    if (!std::strcmp(mode, "again")) {
        b.Print("once");
        CHECK(aclSetInputTensorAddr(executor, 0, a.tensor, d.data));
        CHECK(aclnnAdds(nullptr, size, executor, stream));
        CHECK(aclDestroyAclOpExecutor(executor));
        b.Print("again");
    }
    CHECK(aclnnReluGetWorkspaceSize(b.tensor, c.tensor, &size, &executor));
    CHECK(aclnnRelu(nullptr, size, executor, std::strcmp(mode, "streams") ? stream : other));
    CHECK(aclnnMatmulGetWorkspaceSize(c.tensor, d.tensor, e.tensor, 0, &size, &executor));
    CHECK(aclnnMatmul(nullptr, size, executor, stream));
    CHECK(aclrtSynchronizeStream(stream));
    e.Print("matmul");
    CHECK(aclFinalize());
}
