// SPDX-License-Identifier: Apache-2.0
// BEGIN_TILING_DATA_DEF and its fields: one class that the host sets and saves, and the kernel reads
// (framework.md 4.6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "sfumato/kernel_language.h"
#include "sfumato/where.h"

// Host code of operators: what the build says is, and what is compiled for a standard that no kernel is.
#if defined(SFUMATO_OP_HOST) || !SFUMATO_KERNEL_LANGUAGE
#define SFUMATO_TILING_OF_HOST
#endif
#if SFUMATO_KERNEL_LANGUAGE
#include <string>

#include "sfumato/report.h"
#include "sfumato/tiling_register.h"
#endif

namespace sfumato {
namespace tiling {

template <class Field>
struct IsFieldType {
    static constexpr bool value = std::is_same<Field, float>::value ||
                                  (std::is_integral<Field>::value && !std::is_same<Field, wchar_t>::value &&
#ifdef __cpp_char8_t
                                   !std::is_same<Field, char8_t>::value &&
#endif
                                   !std::is_same<Field, char16_t>::value && !std::is_same<Field, char32_t>::value);
};

#ifdef SFUMATO_TILING_OF_HOST
// What fields that nobody sets hold: 0, or a pattern in a strict call.
SFUMATO_API void FillUnset(void* data, size_t bytes);
// From now on the buffer holds what the struct does, as long as the call of host code runs that says so.
SFUMATO_API void Mirror(const void* data, size_t bytes, void* to);
// A field at the address was set.
SFUMATO_API void WasSet(const void* field);
// Throws KernelError (op-tiling-data), or Error outside of a call of host code.
[[noreturn]] SFUMATO_API void NoRoom(size_t bytes, const char* name, const void* to, size_t capacity, Where where);
#endif

// Bytes of a struct of tiling data in the host's layout. Throws Error when they do not fit.
inline void Save(const void* data, size_t bytes, const char* name, void* to, size_t capacity, Where where) {
    if (to == nullptr || capacity < bytes) {
#ifdef SFUMATO_TILING_OF_HOST
        NoRoom(bytes, name, to, capacity, where);
#else
        static_cast<void>(where);
        throw Error(std::string("SaveToBuffer: ") + name + " has " + std::to_string(bytes) + " bytes, the buffer " +
                    (to == nullptr ? "is null" : "has " + std::to_string(capacity)));
#endif
    }
    std::memcpy(to, data, bytes);
}

}  // namespace tiling
}  // namespace sfumato

namespace sfumato {
namespace op {

// Tells the library that is being loaded of a struct of tiling data (clients.md 6.3).
SFUMATO_API bool AddTilingClass(const char* op, const char* name, size_t bytes);

}  // namespace op
}  // namespace sfumato

#ifdef SFUMATO_TILING_OF_HOST
#define SFUMATO_TILING_UNSET(name)                               \
    name() { ::sfumato::tiling::FillUnset(this, sizeof(name)); } \
    void SetDataPtr(void* buffer) { ::sfumato::tiling::Mirror(this, sizeof(name), buffer); }
#define SFUMATO_TILING_WAS_SET(field) ::sfumato::tiling::WasSet(field)
#define SFUMATO_TILING_JOIN_(a, b) a##b
#define SFUMATO_TILING_JOIN(a, b) SFUMATO_TILING_JOIN_(a, b)
#define SFUMATO_TILING_LOAD(op_type, struct_type)                                                                   \
    __attribute__((unused)) static const bool SFUMATO_TILING_JOIN(sfumato_tiling_class_of_##op_type, __COUNTER__) = \
        ::sfumato::op::AddTilingClass(#op_type, #struct_type, sizeof(struct_type));
#else
#define SFUMATO_TILING_UNSET(name)
#define SFUMATO_TILING_WAS_SET(field)
#define SFUMATO_TILING_LOAD(op_type, struct_type)
#endif

#define SFUMATO_TILING_FIELD_CHECK(type)                                                                           \
    static_assert(                                                                                                 \
        ::sfumato::tiling::IsFieldType<type>::value,                                                               \
        "TILING_DATA_FIELD_DEF: a field is bool, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, " \
        "uint64_t or float");

// Fields lie in order, each at its natural alignment; the whole is padded to 8 bytes (framework.md 4.6, assumed).
#define BEGIN_TILING_DATA_DEF(name)                                                                                 \
    struct alignas(8) name {                                                                                        \
        SFUMATO_TILING_UNSET(name)                                                                                  \
        size_t GetDataSize() const { return sizeof(name); }                                                         \
        void SaveToBuffer(void* buffer, size_t capacity, ::sfumato::Where where = ::sfumato::Where::Here()) const { \
            ::sfumato::tiling::Save(this, sizeof(name), #name, buffer, capacity, where);                            \
        }
#define TILING_DATA_FIELD_DEF(type, name) \
    SFUMATO_TILING_FIELD_CHECK(type)      \
    type name;                            \
    void set_##name(type value) {         \
        name = value;                     \
        SFUMATO_TILING_WAS_SET(&name);    \
    }                                     \
    type get_##name() const { return name; }
#define TILING_DATA_FIELD_DEF_ARR(type, count, name)         \
    SFUMATO_TILING_FIELD_CHECK(type)                         \
    type name[count];                                        \
    void set_##name(const type* values) {                    \
        ::std::memcpy(name, values, sizeof(type) * (count)); \
        SFUMATO_TILING_WAS_SET(name);                        \
    }                                                        \
    const type* get_##name() const { return name; }          \
    type* get_##name() { return name; }
#define TILING_DATA_FIELD_DEF_STRUCT(struct_type, name) struct_type name;
#define END_TILING_DATA_DEF \
    }                       \
    ;

#if SFUMATO_KERNEL_LANGUAGE
#define REGISTER_TILING_DATA_CLASS(op_type, struct_type)   \
    SFUMATO_TILING_LOAD(op_type, struct_type)              \
    static_assert(::sfumato::tiling::Register<__COUNTER__, \
                                              ::sfumato::tiling::ClassEntry<#op_type, struct_type, #struct_type>>());
#else
#define REGISTER_TILING_DATA_CLASS(op_type, struct_type) SFUMATO_TILING_LOAD(op_type, struct_type)
#endif

namespace optiling {}
// The kernel's side has no namespaces around the structs of the host. Where the build includes their header, it names
// each by itself.
#if defined(SFUMATO_KERNEL_BUILD) && !defined(SFUMATO_NAMED_TILING_STRUCTS)
using namespace optiling;
#endif
