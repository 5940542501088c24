// SPDX-License-Identifier: Apache-2.0
// Memory of the device for the host programs of the acl style.
#pragma once

#include "acl/acl.h"
#include "files.h"

inline void Check(int error) {
    if (error == ACL_SUCCESS) return;
    std::fprintf(stderr, "%d: %s\n", error, aclGetRecentErrMsg());
    std::exit(1);
}
inline void* Zeros(size_t size) {
    void* p = nullptr;
    Check(aclrtMalloc(&p, size, ACL_MEM_MALLOC_HUGE_FIRST));
    Check(aclrtMemset(p, size, 0, size));
    return p;
}
inline void* Upload(const char* name) {
    const std::vector<char> bytes = ReadFile(name);
    void* p = Zeros(bytes.size());
    Check(aclrtMemcpy(p, bytes.size(), bytes.data(), bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE));
    return p;
}
inline void Download(const char* name, const void* p, size_t size) {
    std::vector<char> bytes(size);
    Check(aclrtMemcpy(bytes.data(), size, p, size, ACL_MEMCPY_DEVICE_TO_HOST));
    WriteFile(name, bytes.data(), size);
}
