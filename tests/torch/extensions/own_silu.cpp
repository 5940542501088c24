// SPDX-License-Identifier: Apache-2.0
// An operator package whose aclnnSilu is the user's: out = 3 self, for dense floats.
#include "acl/acl.h"
#include "aclnn/acl_meta.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

struct aclOpExecutor {
    const float* from;
    float* to;
    uint64_t count;
};

EXPORT int aclnnSiluGetWorkspaceSize(const aclTensor* self, const aclTensor* out, uint64_t* size,
                                     aclOpExecutor** executor) {
    int64_t* sizes = nullptr;
    uint64_t rank = 0, count = 1;
    void *from = nullptr, *to = nullptr;
    aclGetViewShape(self, &sizes, &rank);
    for (uint64_t d = 0; d < rank; ++d) count *= static_cast<uint64_t>(sizes[d]);
    delete[] sizes;
    aclGetRawTensorAddr(self, &from);
    aclGetRawTensorAddr(out, &to);
    *size = 64;
    *executor = new aclOpExecutor{static_cast<const float*>(from), static_cast<float*>(to), count};
    return 0;
}
EXPORT int aclnnSilu(void* workspace, uint64_t size, aclOpExecutor* executor, aclrtStream) {
    const aclOpExecutor call = *executor;
    delete executor;
    if (!workspace || size != 64) return 161001;
    for (uint64_t i = 0; i < call.count; ++i) call.to[i] = 3 * call.from[i];
    return 0;
}
