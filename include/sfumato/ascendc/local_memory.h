// SPDX-License-Identifier: Apache-2.0
// Variables of functions in local memory, and numbers as its addresses (language.md 5.1): what src/jit/local_memory.cpp
// makes of __ubuf__ T a[N] and of (__ubuf__ T*)n.
#pragma once

#include "sfumato/ascendc/types.h"
#include "sfumato/report.h"

namespace sfumato::ascendc {

// A variable in the memory behind the position. Each core has its own, at one address for the whole kernel.
struct LocalVariable {
    const char* name;
    AscendC::TPosition position;
    Where where;
    template <class T>
    operator T&() const;
};
// What is behind all of them: extern __ubuf__ T a[].
struct DynamicMemory {
    Where where;
    template <class T>
    operator T&() const;
};
SFUMATO_API void* AddressOf(const LocalVariable& variable, uint64_t bytes, uint64_t align);
SFUMATO_API void* DynamicUb(Where where);
// Before a kernel: how many bytes a launch gives DynamicUb.
SFUMATO_API void SetDynamicUb(uint64_t bytes);

// A number as an address of the memory: an offset of it, or an address that the core's memory has. Any other: a report.
SFUMATO_API void* AddressAt(AscendC::TPosition position, uint64_t value, Where where);

template <class T>
LocalVariable::operator T&() const {
    return *static_cast<T*>(AddressOf(*this, sizeof(T), alignof(T)));
}
template <class T>
DynamicMemory::operator T&() const {
    return *static_cast<T*>(DynamicUb(where));
}

// (__ubuf__ T*)value: of an integer an address of the memory, of all else what the cast makes.
template <AscendC::TPosition position>
class LocalPointer {
public:
    template <class Value>
    LocalPointer(Value value, Where where = Where::Here()) {
        if constexpr (std::is_pointer_v<Value> || std::is_null_pointer_v<Value>) {
            address_ = (const volatile void*)value;
        } else if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>) {
            address_ = AddressAt(position, static_cast<uint64_t>(value), where);
        } else {
            address_ = static_cast<void*>(value);
        }
    }
    template <class T>
    operator T*() const {
        return (T*)address_;
    }

private:
    const volatile void* address_;
};

}  // namespace sfumato::ascendc

// Short, so that they take the place of the qualifier that a cast loses.
using __ub = ::sfumato::ascendc::LocalPointer<AscendC::TPosition::VECCALC>;
using __l1 = ::sfumato::ascendc::LocalPointer<AscendC::TPosition::A1>;
using __l0a = ::sfumato::ascendc::LocalPointer<AscendC::TPosition::A2>;
using __l0b = ::sfumato::ascendc::LocalPointer<AscendC::TPosition::B2>;
using __l0c = ::sfumato::ascendc::LocalPointer<AscendC::TPosition::CO1>;
using __fb = ::sfumato::ascendc::LocalPointer<AscendC::TPosition::C2PIPE2GM>;
using __bt = ::sfumato::ascendc::LocalPointer<AscendC::TPosition::C2>;
#define SFUMATO_LOCAL_CAST(name, Memory)                                           \
    template <class Pointer, class Value>                                          \
    Pointer name(Value value, ::sfumato::Where where = ::sfumato::Where::Here()) { \
        return (Pointer)Memory(value, where);                                      \
    }
SFUMATO_LOCAL_CAST(__ub_cast, __ub)
SFUMATO_LOCAL_CAST(__l1_cast, __l1)
SFUMATO_LOCAL_CAST(__l0a_cast, __l0a)
SFUMATO_LOCAL_CAST(__l0b_cast, __l0b)
SFUMATO_LOCAL_CAST(__l0c_cast, __l0c)
SFUMATO_LOCAL_CAST(__fb_cast, __fb)
SFUMATO_LOCAL_CAST(__bt_cast, __bt)
#undef SFUMATO_LOCAL_CAST

// The variable that a declaration means: one for each instance of a template.
#define SFUMATO_LOCAL_VARIABLE(name, position)                                                                    \
    ([]() -> const ::sfumato::ascendc::LocalVariable& {                                                           \
        static constexpr ::sfumato::ascendc::LocalVariable sfumato_variable{name, ::AscendC::TPosition::position, \
                                                                            ::sfumato::Where::Here()};            \
        return sfumato_variable;                                                                                  \
    }())
#define SFUMATO_DYNAMIC_UB \
    ::sfumato::ascendc::DynamicMemory { ::sfumato::Where::Here() }
