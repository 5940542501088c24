// SPDX-License-Identifier: Apache-2.0
// The objects behind the pointers of acl_meta.h, and which of them are alive.
#pragma once

#include <string>
#include <vector>

#include "aclnn/acl_meta.h"

struct aclTensor {
    std::vector<int64_t> view, strides, storage;
    int64_t offset = 0;  // elements
    aclDataType type = ACL_DT_UNDEFINED;
    aclFormat format = ACL_FORMAT_ND;
    void* data = nullptr;

    uint64_t Count() const;
    // Elements from `data` to the end of the view, or of what is stored in FRACTAL_NZ; 0 of an empty tensor.
    uint64_t Reach() const;
    bool IsContiguous() const;
};
struct aclScalar {
    aclDataType type = ACL_DT_UNDEFINED;
    std::vector<uint8_t> bytes;
};
struct aclIntArray {
    std::vector<int64_t> values;
};
struct aclBoolArray {
    std::vector<uint8_t> values;
};
struct aclFloatArray {
    std::vector<float> values;
};
struct aclTensorList {
    std::vector<const aclTensor*> values;
};
struct aclScalarList {
    std::vector<const aclScalar*> values;
};

namespace sfumato::aclnn {

// A value of `sfumato::aclnn::Kind` (sfumato/host/aclnn.h) as the type is spelled, for reports.
template <class T>
constexpr const char* kTypeName = "";
#define SFUMATO_X(type) \
    template <>         \
    inline constexpr const char* kTypeName<type> = #type;
SFUMATO_X(aclTensor)
SFUMATO_X(aclScalar)
SFUMATO_X(aclIntArray)
SFUMATO_X(aclBoolArray)
SFUMATO_X(aclFloatArray)
SFUMATO_X(aclTensorList)
SFUMATO_X(aclScalarList)
SFUMATO_X(aclOpExecutor)
#undef SFUMATO_X

// Callers pass pointers without a prototype (clients.md 5): what they point to is looked up.
void SetLive(const void* object, const char* type);
bool SetDead(const void* object, const char* type);  // false when it is none
// "an aclScalar", "no object (0x...)".
std::string WhatIs(const void* object);
bool IsLive(const void* object, const char* type);
template <class T>
bool IsLive(const T* object) {
    return IsLive(object, kTypeName<T>);
}

}  // namespace sfumato::aclnn
