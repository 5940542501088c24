// SPDX-License-Identifier: Apache-2.0
// Creates, asks and destroys the objects of aclnn calls (clients.md 5.1).
#include "aclnn/objects.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "aclnn/aclnn_base.h"
#include "aclnn/handles.h"

namespace sfumato::aclnn {
namespace {

struct Objects {
    std::mutex mutex;
    std::map<const void*, const char*> live;
};
Objects& TheObjects() {
    static auto* objects = new Objects;
    return *objects;
}

template <class Array, class T>
Array* NewArray(const AclCall& call, const T* value, uint64_t size) {
    if (!value && size)
        return RefuseArgument(call, "value", "there are no values", "nullptr", fmt::format("{} values", size));
    return New(Array{{value, value + size}});
}

template <class List, class T>
List* NewList(const AclCall& call, const T* const* value, uint64_t size) {
    if (!value && size)
        return RefuseArgument(call, "value", "there are no values", "nullptr", fmt::format("{} values", size));
    for (uint64_t i = 0; i < size; ++i) {
        if (value[i] && !IsLive(value[i])) {
            RefuseObject(call, kTypeName<T>, value[i]);
            return nullptr;
        }
    }
    return New(List{{value, value + size}});
}

template <class T, class List>
aclnnStatus DestroyList(const AclCall& call, const List* list) {
    if (list && IsLive(list)) {
        for (const T* p : list->values) {
            if (p && SetDead(p, kTypeName<T>)) delete p;
        }
    }
    return Destroy(call, list);
}

template <class T>
aclnnStatus GetSize(const AclCall& call, const T* object, uint64_t* size) {
    return Get(call, object, size, [](const T& t) { return t.values.size(); });
}

aclnnStatus GetDims(const AclCall& call, const aclTensor* tensor, std::vector<int64_t> aclTensor::*member,
                    int64_t** dims, uint64_t* count) {
    if (const aclnnStatus error = Get(call, tensor, count, [&](const aclTensor& t) { return (t.*member).size(); }))
        return error;
    return Get(call, tensor, dims, [&](const aclTensor& t) {
        auto* copy = new int64_t[(t.*member).size()];
        std::copy((t.*member).begin(), (t.*member).end(), copy);
        return copy;
    });
}

bool TakeDims(const AclCall& call, const char* operand, const int64_t* dims, uint64_t count,
              std::vector<int64_t>& taken) {
    if (count > kMostDims) {
        RefuseArgument(call, operand, "a tensor cannot have so many dimensions", fmt::format("{}", count),
                       fmt::format("at most {}", kMostDims));
        return false;
    }
    if (!dims && count) {
        RefuseArgument(call, operand, "there are no values", "nullptr", fmt::format("{} values", count));
        return false;
    }
    taken.assign(dims, dims + count);
    for (const int64_t d : taken) {
        if (d >= 0) continue;
        RefuseArgument(call, operand, "a value is negative", fmt::format("[{}]", fmt::join(taken, ", ")), "0 or more");
        return false;
    }
    return true;
}

// False after a refusal.
bool Fill(const AclCall& call, aclTensor& t, const int64_t* view, uint64_t view_count, aclDataType type,
          const int64_t* stride, int64_t offset, aclFormat format, const int64_t* storage, uint64_t storage_count,
          void* data) {
    if (!TakeDims(call, "viewDims", view, view_count, t.view)) return false;
    if (!TakeDims(call, "storageDims", storage ? storage : view, storage ? storage_count : view_count, t.storage))
        return false;
    if (stride) {
        if (!TakeDims(call, "stride", stride, view_count, t.strides)) return false;
    } else {
        t.strides.assign(view_count, 1);
        for (size_t i = t.view.size(); i-- > 1;) t.strides[i - 1] = t.strides[i] * t.view[i];
    }
    if (offset < 0) {
        RefuseArgument(call, "offset", "a value is negative", fmt::format("{}", offset), "0 or more");
        return false;
    }
    if (aclDataTypeSize(type) == 0 && type != ACL_INT4 && type != ACL_UINT1) {
        RefuseArgument(call, "dataType", "tensors have no such type", fmt::format("{}", static_cast<int>(type)),
                       "an aclDataType");
        return false;
    }
    t.offset = offset, t.type = type, t.format = format, t.data = data;
    int64_t last = offset, held = 1;
    for (size_t i = 0; i < t.view.size(); ++i) last += (t.view[i] - 1) * t.strides[i];
    for (const int64_t d : t.storage) held *= d;
    if (t.Count() && last >= held) {
        RefuseArgument(call, "viewDims", "the view reaches past the end of the storage",
                       fmt::format("element {} of a storage of {}", last, held), fmt::format("at most {}", held - 1));
        return false;
    }
    return true;
}

}  // namespace

std::nullptr_t RefuseArgument(const AclCall& call, const char* operand, const char* message, const std::string& found,
                              const std::string& legal) {
    call.Refuse({Rule::kAclArgument, operand, message, found, legal, ""});
    return nullptr;
}

aclnnStatus RefuseObject(const AclCall& call, const char* type, const void* object) {
    if (!object) {
        call.Refuse({Rule::kAclArgument, type, "the object is null", "nullptr", type, ""});
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    call.Refuse({Rule::kAclHandle, type, fmt::format("this is no {}", type), WhatIs(object),
                 "one that was created and not destroyed", ""});
    return ACLNN_ERR_PARAM_INVALID;
}

void SetLive(const void* object, const char* type) {
    std::lock_guard lock(TheObjects().mutex);
    TheObjects().live[object] = type;
}
bool SetDead(const void* object, const char* type) {
    std::lock_guard lock(TheObjects().mutex);
    const auto it = TheObjects().live.find(object);
    if (it == TheObjects().live.end() || it->second != std::string_view(type)) return false;
    TheObjects().live.erase(it);
    return true;
}
bool IsLive(const void* object, const char* type) {
    std::lock_guard lock(TheObjects().mutex);
    const auto it = TheObjects().live.find(object);
    return it != TheObjects().live.end() && it->second == std::string_view(type);
}
std::string WhatIs(const void* object) {
    std::lock_guard lock(TheObjects().mutex);
    const auto it = TheObjects().live.find(object);
    return it == TheObjects().live.end() ? "no object that is alive" : fmt::format("an {}", it->second);
}

}  // namespace sfumato::aclnn

using namespace sfumato::aclnn;

uint64_t aclTensor::Count() const {
    uint64_t count = 1;
    for (const int64_t d : view) count *= static_cast<uint64_t>(d);
    return count;
}

uint64_t aclTensor::Reach() const {
    if (Count() == 0) return 0;
    int64_t last = 0, stored = 1;
    for (size_t d = 0; d < view.size(); ++d) last += (view[d] - 1) * strides[d];
    for (const int64_t d : storage) stored *= d;
    if (format == ACL_FORMAT_FRACTAL_NZ) last = std::max(last, stored - 1);
    return static_cast<uint64_t>(offset + last + 1);
}

bool aclTensor::IsContiguous() const {
    int64_t expected = 1;
    for (size_t i = view.size(); i-- > 0;) {
        if (view[i] != 1 && strides[i] != expected) return Count() == 0;
        expected *= view[i];
    }
    return true;
}

aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t* stride,
                           int64_t offset, aclFormat format, const int64_t* storageDims, uint64_t storageDimsNum,
                           void* tensorData) {
    aclTensor t;
    return Fill("aclCreateTensor", t, viewDims, viewDimsNum, dataType, stride, offset, format, storageDims,
                storageDimsNum, tensorData)
               ? New(std::move(t))
               : nullptr;
}
aclnnStatus aclInitTensor(aclTensor* tensor, const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType,
                          const int64_t* stride, int64_t offset, aclFormat format, const int64_t* storageDims,
                          uint64_t storageDimsNum, void* tensorData) {
    const AclCall call = "aclInitTensor";
    if (!tensor || !IsLive(tensor)) return RefuseObject(call, "aclTensor", tensor);
    aclTensor t;
    if (!Fill(call, t, viewDims, viewDimsNum, dataType, stride, offset, format, storageDims, storageDimsNum,
              tensorData))
        return ACLNN_ERR_PARAM_INVALID;
    *tensor = std::move(t);
    return ACLNN_SUCCESS;
}

aclScalar* aclCreateScalar(void* value, aclDataType dataType) {
    const AclCall call = "aclCreateScalar";
    const size_t bytes = aclDataTypeSize(dataType);
    if (!value) return RefuseArgument(call, "value", "there is no value", "nullptr", "its address on the host");
    if (!bytes) {
        return RefuseArgument(call, "dataType", "scalars have no such type",
                              fmt::format("{}", static_cast<int>(dataType)), "an aclDataType of whole bytes");
    }
    const auto* p = static_cast<const uint8_t*>(value);
    return New(aclScalar{dataType, {p, p + bytes}});
}
aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
    return NewArray<aclIntArray>("aclCreateIntArray", value, size);
}
aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
    return NewArray<aclBoolArray>("aclCreateBoolArray", value, size);
}
aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) {
    return NewArray<aclFloatArray>("aclCreateFloatArray", value, size);
}
aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size) {
    return NewList<aclTensorList>("aclCreateTensorList", value, size);
}
aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size) {
    return NewList<aclScalarList>("aclCreateScalarList", value, size);
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) { return Destroy("aclDestroyTensor", tensor); }
aclnnStatus aclDestroyScalar(const aclScalar* scalar) { return Destroy("aclDestroyScalar", scalar); }
aclnnStatus aclDestroyIntArray(const aclIntArray* array) { return Destroy("aclDestroyIntArray", array); }
aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) { return Destroy("aclDestroyBoolArray", array); }
aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) { return Destroy("aclDestroyFloatArray", array); }
aclnnStatus aclDestroyTensorList(const aclTensorList* array) {
    return DestroyList<aclTensor>("aclDestroyTensorList", array);
}
aclnnStatus aclDestroyScalarList(const aclScalarList* array) {
    return DestroyList<aclScalar>("aclDestroyScalarList", array);
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum) {
    return GetDims("aclGetViewShape", tensor, &aclTensor::view, viewDims, viewDimsNum);
}
aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims, uint64_t* storageDimsNum) {
    return GetDims("aclGetStorageShape", tensor, &aclTensor::storage, storageDims, storageDimsNum);
}
aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue, uint64_t* stridesNum) {
    return GetDims("aclGetViewStrides", tensor, &aclTensor::strides, stridesValue, stridesNum);
}
aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
    return Get("aclGetViewOffset", tensor, offset, [](const aclTensor& t) { return t.offset; });
}
aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
    return Get("aclGetFormat", tensor, format, [](const aclTensor& t) { return t.format; });
}
aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType) {
    return Get("aclGetDataType", tensor, dataType, [](const aclTensor& t) { return t.type; });
}
aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** addr) {
    return Get("aclGetRawTensorAddr", tensor, addr, [](const aclTensor& t) { return t.data; });
}
aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* addr) {
    if (!tensor || !IsLive(tensor)) return RefuseObject("aclSetRawTensorAddr", "aclTensor", tensor);
    tensor->data = addr;
    return ACLNN_SUCCESS;
}
aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
    return GetSize("aclGetIntArraySize", array, size);
}
aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
    return GetSize("aclGetBoolArraySize", array, size);
}
aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
    return GetSize("aclGetFloatArraySize", array, size);
}
aclnnStatus aclGetTensorListSize(const aclTensorList* tensorList, uint64_t* size) {
    return GetSize("aclGetTensorListSize", tensorList, size);
}
aclnnStatus aclGetScalarListSize(const aclScalarList* scalarList, uint64_t* size) {
    return GetSize("aclGetScalarListSize", scalarList, size);
}

aclnnStatus aclnnInit(const char*) { return ACLNN_SUCCESS; }
aclnnStatus aclnnFinalize(void) { return ACLNN_SUCCESS; }
