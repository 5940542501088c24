// SPDX-License-Identifier: Apache-2.0
// Making, asking and destroying the objects that callers hold pointers to, and the refusals of wrong ones.
#pragma once

#include <utility>

#include "aclnn/objects.h"
#include "host/acl_call.h"

namespace sfumato::aclnn {

using host::AclCall;

constexpr uint64_t kMostDims = 25;  // of a shape (clients.md 6.3)

std::nullptr_t RefuseArgument(const AclCall& call, const char* operand, const char* message, const std::string& found,
                              const std::string& legal);
// A destroyed or wrong object.
aclnnStatus RefuseObject(const AclCall& call, const char* type, const void* object);

template <class T>
T* New(T object) {
    T* p = new T(std::move(object));
    SetLive(p, kTypeName<T>);
    return p;
}

template <class T>
aclnnStatus Destroy(const AclCall& call, const T* object) {
    if (!object || !SetDead(object, kTypeName<T>)) return RefuseObject(call, kTypeName<T>, object);
    delete object;
    return ACLNN_SUCCESS;
}

// `place` is set to what the object has.
template <class T, class Place, class Value>
aclnnStatus Get(const AclCall& call, const T* object, Place* place, Value value) {
    if (!object || !IsLive(object)) return RefuseObject(call, kTypeName<T>, object);
    if (!place) {
        call.RefuseNull("result");
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    *place = value(*object);
    return ACLNN_SUCCESS;
}

}  // namespace sfumato::aclnn
