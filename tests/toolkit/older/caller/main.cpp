// Reads x and y, calls the operator in two phases by the sample caller's calls, writes z.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"
#include "aclnn_@FILE@.h"

static std::vector<char> Read(const std::string& path) {
    std::vector<char> bytes;
    FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return bytes;
    char buffer[4096];
    for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) bytes.insert(bytes.end(), buffer, buffer + n);
    std::fclose(file);
    return bytes;
}

static int Fail(const char* what, int code) {
    std::printf("%s: %d\n%s\n", what, code, aclGetRecentErrMsg() ? aclGetRecentErrMsg() : "");
    return 1;
}

int main() {
    if (aclInit(nullptr) != ACL_SUCCESS || aclrtSetDevice(0) != ACL_SUCCESS) return Fail("init", 1);
    aclrtStream stream = nullptr;
    aclrtCreateStream(&stream);
    const aclDataType type = static_cast<aclDataType>(@TYPENUMBER@);
    std::vector<char> host[3] = {Read("x.bin"), Read("y.bin"), {}};
    host[2].resize(host[0].size());
    const int64_t dims[] = {static_cast<int64_t>(host[0].size() / aclDataTypeSize(type))};
    aclTensorDesc* descs[3];
    aclDataBuffer* buffers[3];
    aclTensor* tensors[3];
    for (int i = 0; i < 3; ++i) {
        descs[i] = aclCreateTensorDesc(type, 1, dims, ACL_FORMAT_ND);
        void* device = nullptr;
        if (aclrtMalloc(&device, host[0].size(), ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return Fail("malloc", i);
        buffers[i] = aclCreateDataBuffer(device, aclGetTensorDescSize(descs[i]));
        if (i < 2 && !host[i].empty())
            aclrtMemcpy(device, host[0].size(), host[i].data(), host[i].size(), ACL_MEMCPY_HOST_TO_DEVICE);
        tensors[i] = aclCreateTensor(dims, 1, aclGetTensorDescType(descs[i]), nullptr, 0, aclGetTensorDescFormat(descs[i]),
                                     dims, 1, aclGetDataBufferAddr(buffers[i]));
    }
    if (host[1].empty()) tensors[1] = nullptr;
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    int code = aclnn@OP@GetWorkspaceSize(tensors[0], tensors[1], @FACTOR@, tensors[2], &size, &executor);
    if (code != ACL_SUCCESS) return Fail("GetWorkspaceSize", code);
    void* workspace = nullptr;
    if (size != 0) aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
    code = aclnn@OP@(workspace, size, executor, stream);
    if (code != ACL_SUCCESS) return Fail("execute", code);
    code = aclrtSynchronizeStreamWithTimeout(stream, 5000);
    if (code != ACL_SUCCESS) return Fail("synchronize", code);
    aclrtMemcpy(host[2].data(), host[2].size(), aclGetDataBufferAddr(buffers[2]), host[2].size(), ACL_MEMCPY_DEVICE_TO_HOST);
    FILE* file = std::fopen("z.bin", "wb");
    std::fwrite(host[2].data(), 1, host[2].size(), file);
    std::fclose(file);
    for (int i = 0; i < 3; ++i) {
        aclDestroyDataBuffer(buffers[i]);
        aclDestroyTensorDesc(descs[i]);
    }
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    aclFinalize();
    std::puts("done");
    return 0;
}
