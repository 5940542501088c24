// SPDX-License-Identifier: Apache-2.0
// A host on two streams: aclnnSort, then AxpyCustom (an operator project of the user's) on the other stream, then
// aclnnCumsum and aclnnIndexSelect on the first, ordered by two events; with "unordered" the second one is not waited
// for. Prints the running sums in the order of the sort, and the places.
#include <cstdio>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "aclnn_axpy_custom.h"
#include "aclnnop/aclnn_cumsum.h"
#include "aclnnop/aclnn_index_select.h"
#include "aclnnop/aclnn_sort.h"

constexpr int64_t kCount = 37;

#define CHECK(call)                                                                        \
    do {                                                                                   \
        if (const auto code = (call)) {                                                    \
            const char* text = aclGetRecentErrMsg();                                       \
            std::printf("%s: %d\n%s\n", #call, static_cast<int>(code), text ? text : "-"); \
            return 1;                                                                      \
        }                                                                                  \
    } while (0)
// Both phases of a function on a stream.
#define RUN(function, stream, ...)                                                 \
    do {                                                                           \
        uint64_t size = 0;                                                         \
        aclOpExecutor* executor = nullptr;                                         \
        CHECK(function##GetWorkspaceSize(__VA_ARGS__, &size, &executor));          \
        void* workspace = nullptr;                                                 \
        if (size) CHECK(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST)); \
        CHECK(function(workspace, size, executor, stream));                        \
    } while (0)

template <class T>
struct Row {
    explicit Row(aclDataType type) {
        aclrtMalloc(&data, kCount * sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST);
        const int64_t stride = 1;
        tensor = aclCreateTensor(&kCount, 1, type, &stride, 0, ACL_FORMAT_ND, &kCount, 1, data);
    }
    void Fill(T (*value)(int64_t)) {
        std::vector<T> host;
        for (int64_t i = 0; i < kCount; ++i) host.push_back(value(i));
        aclrtMemcpy(data, kCount * sizeof(T), host.data(), kCount * sizeof(T), ACL_MEMCPY_HOST_TO_DEVICE);
    }
    void Print(const char* name) const {
        std::vector<T> host(kCount);
        aclrtMemcpy(host.data(), kCount * sizeof(T), data, kCount * sizeof(T), ACL_MEMCPY_DEVICE_TO_HOST);
        std::printf("%s", name);
        for (const T value : host) std::printf(" %g", static_cast<double>(value));
        std::printf("\n");
    }
    void* data = nullptr;
    aclTensor* tensor = nullptr;
};

int main(int argc, char** argv) {
    const bool ordered = argc < 2 || std::strcmp(argv[1], "unordered");
    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(0));
    aclrtStream first = nullptr, second = nullptr;
    aclrtEvent sorted = nullptr, scaled = nullptr;
    CHECK(aclrtCreateStream(&first));
    CHECK(aclrtCreateStream(&second));
    CHECK(aclrtCreateEvent(&sorted));
    CHECK(aclrtCreateEvent(&scaled));
    Row<float> x(ACL_FLOAT), y(ACL_FLOAT), values(ACL_FLOAT), z(ACL_FLOAT), sums(ACL_FLOAT), chosen(ACL_FLOAT);
    Row<int64_t> places(ACL_INT64);
    x.Fill([](int64_t i) { return static_cast<float>(i * 7 % 11); });
    y.Fill([](int64_t i) { return 0.25f * static_cast<float>(i); });
    RUN(aclnnSort, first, x.tensor, true, -1, true, values.tensor, places.tensor);
    CHECK(aclrtRecordEvent(sorted, first));
    CHECK(aclrtStreamWaitEvent(second, sorted));
    RUN(aclnnAxpyCustom, second, values.tensor, y.tensor, 2.0, z.tensor);
    CHECK(aclrtRecordEvent(scaled, second));
    if (ordered) CHECK(aclrtStreamWaitEvent(first, scaled));
    RUN(aclnnCumsum, first, z.tensor, 0, ACL_FLOAT, sums.tensor);
    RUN(aclnnIndexSelect, first, sums.tensor, 0, places.tensor, chosen.tensor);
    CHECK(aclrtSynchronizeStream(first));
    chosen.Print("chosen");
    places.Print("places");
    CHECK(aclFinalize());
}
