// SPDX-License-Identifier: Apache-2.0
// The objects behind the pointers of acl_meta.h, and which of them are alive.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl_op.h"
#include "aclnn/acl_meta.h"
#include "sfumato/op.h"

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
// Of single-operator calls (framework.md 5.6). `dims`: of the declaration; -1 and -2 are not known.
struct aclTensorDesc {
    aclDataType type = ACL_DT_UNDEFINED;
    aclFormat format = ACL_FORMAT_UNDEFINED, storage_format = ACL_FORMAT_UNDEFINED;
    std::vector<int64_t> dims, storage;  // storage: in memory, where `has_storage`
    bool has_storage = false;
    std::vector<std::pair<int64_t, int64_t>> ranges;
    std::string name, dynamic_input;
    aclMemType place = ACL_MEMTYPE_DEVICE;
    bool constant = false;  // `values` are its
    std::string values;

    bool IsAbsent() const { return type == ACL_DT_UNDEFINED; }
    bool IsKnown() const;  // every dimension
    uint64_t Count() const;
};
struct aclDataBuffer {
    void* data = nullptr;
    size_t size = 0;
};
struct aclopAttr {
    std::map<std::string, sfumato::op::AttrValue> values;
    std::map<std::string, std::vector<std::string>> texts;  // lists of texts, which no operator takes
};
struct aclopHandle {
    std::string op;
    std::vector<aclTensorDesc> inputs, outputs;
    aclopAttr attr;
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
SFUMATO_X(aclTensorDesc)
SFUMATO_X(aclDataBuffer)
SFUMATO_X(aclopAttr)
SFUMATO_X(aclopHandle)
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
