// SPDX-License-Identifier: Apache-2.0
// How a kernel reads its tiling argument, a GM pointer to a struct's bytes in host layout (framework.md 4.5).
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "sfumato/ascendc/issue.h"
#include "sfumato/small_float_types.h"
#include "sfumato/tiling_data.h"
#include "sfumato/type_numbers.h"

namespace sfumato::tiling {
template <uint64_t kNumber>
struct TypeOfNumber;
#define SFUMATO_X(word, number, element, numpy) \
    template <>                                 \
    struct TypeOfNumber<number> {               \
        using type = element;                   \
    };
SFUMATO_TYPE_NUMBERS(SFUMATO_X)
SFUMATO_SMALL_FLOAT_NUMBERS(SFUMATO_X)
#undef SFUMATO_X
}  // namespace sfumato::tiling

namespace AscendC {
// The element type with a number of C_DT_*: `type`.
template <uint64_t kNumber>
using TypeFromId = sfumato::tiling::TypeOfNumber<kNumber>;
}  // namespace AscendC

namespace sfumato::ascendc {

// "Tiling", "ops::Tiling": the type as people write it.
template <class Struct>
const char* StructName() {
    static const std::string kName = [](std::string_view text) {  // "... [with Struct = ops::Tiling]"
        text = text.substr(text.find("Struct = ") + 9);
        std::string name(text.substr(0, text.rfind(']')));
        for (const std::string_view unnamed : {"{anonymous}::", "(anonymous namespace)::"}) {
            for (size_t at; (at = name.find(unnamed)) != std::string::npos;) name.erase(at, unnamed.size());
        }
        return name;
    }(__PRETTY_FUNCTION__);
    return kName.c_str();
}

template <class S>
S ReadTiling(const void* tiling, const char* call, Where where = Where::Here()) {
    static_assert(std::is_trivially_copyable_v<S>,
                  "GET_TILING_DATA: a tiling struct holds plain values: no pointers to be followed, no virtual "
                  "functions, no constructors that copy");
    S value;
    std::memcpy(static_cast<void*>(&value), TilingBytes(tiling, sizeof(S), call, StructName<S>(), where), sizeof(S));
    return value;
}

template <class S>
S* TilingPointer(const void* tiling, const char* call, Where where = Where::Here()) {
    return static_cast<S*>(const_cast<void*>(TilingBytes(tiling, sizeof(S), call, StructName<S>(), where)));
}

// A copy of part of the tiling on the stack.
template <class S>
struct TilingCopy {
    TilingCopy(const void* from, const char* call, Where where = Where::Here()) {
        std::memcpy(static_cast<void*>(&value), TilingBytes(from, sizeof(S), call, StructName<S>(), where), sizeof(S));
    }
    S value;
};

template <auto kKey>
bool TilingKeyIs(Where where = Where::Here()) {
    static_assert(std::is_integral_v<decltype(kKey)> || std::is_enum_v<decltype(kKey)>,
                  "TILING_KEY_IS: a tiling key is an integer");
    static_assert(static_cast<__int128>(kKey) >= 0, "TILING_KEY_IS: a tiling key is not negative");
    return AskTilingKey(static_cast<uint64_t>(kKey), where);
}

template <auto... kKeys>
bool TilingKeyIn(Where where = Where::Here()) {
    static_assert(sizeof...(kKeys) == 2, "TILING_KEY_LIST: two keys share a branch");
    CheckTilingKeyList(where);
    return (static_cast<int>(TilingKeyIs<kKeys>(where)) | ...) != 0;
}

struct TilingKeyValue {
    operator uint64_t() const { return TilingKey(); }
};

}  // namespace sfumato::ascendc

inline constexpr sfumato::ascendc::TilingKeyValue g_tilingKey{};

// The key a source is compiled for stands in TILING_KEY_VAR; without one it is the key of the launch.
#ifdef TILING_KEY_VAR
#define SFUMATO_TILING_STRUCT_OF_KEY(counter) ::sfumato::tiling::Chosen<counter, true, (TILING_KEY_VAR)>::Type
#else
#define SFUMATO_TILING_STRUCT_OF_KEY(counter) ::sfumato::tiling::Chosen<counter, false, 0>::Type
#define TILING_KEY_VAR (::sfumato::ascendc::TilingKey())
#endif

#define SFUMATO_REGISTER_TILING(...) static_assert(::sfumato::tiling::Register<__COUNTER__, __VA_ARGS__>())
#define REGISTER_TILING_DEFAULT(...) \
    SFUMATO_REGISTER_TILING(::sfumato::tiling::Entry<::sfumato::tiling::Registration::kDefault, __VA_ARGS__, "">)
#define REGISTER_TILING_FOR_TILINGKEY(condition, ...) \
    SFUMATO_REGISTER_TILING(::sfumato::tiling::Entry<::sfumato::tiling::Registration::kForKeys, __VA_ARGS__, condition>)
#define REGISTER_NONE_TILING \
    SFUMATO_REGISTER_TILING(::sfumato::tiling::Entry<::sfumato::tiling::Registration::kNone, void, "">)

#define GET_TILING_DATA_WITH_STRUCT(tiling_struct, name, arg) \
    tiling_struct name = ::sfumato::ascendc::ReadTiling<tiling_struct>(arg, "GET_TILING_DATA")
#ifdef SFUMATO_TILING_STRUCT  // --tiling-struct: it wins over what the source registers (decided)
#define GET_TILING_DATA(name, arg) \
    SFUMATO_TILING_STRUCT name = ::sfumato::ascendc::ReadTiling<SFUMATO_TILING_STRUCT>(arg, "GET_TILING_DATA")
#else
#define GET_TILING_DATA(name, arg) SFUMATO_GET_TILING_DATA_AT(__COUNTER__, name, arg)
#define SFUMATO_GET_TILING_DATA_AT(counter, name, arg)                  \
    SFUMATO_TILING_STRUCT_OF_KEY(counter)                               \
    name = ::sfumato::ascendc::ReadTiling<decltype(name)>(arg,          \
                                                          "GET_TILING_" \
                                                          "DATA")
#endif
#define GET_TILING_DATA_MEMBER(tiling_struct, member, name, arg) \
    auto&& name = ::sfumato::ascendc::ReadTiling<tiling_struct>(arg, "GET_TILING_DATA_MEMBER").member
#define __tiling_data_ptr__
#define GET_TILING_DATA_PTR_WITH_STRUCT(tiling_struct, name, arg) \
    tiling_struct* name = ::sfumato::ascendc::TilingPointer<tiling_struct>(arg, "GET_TILING_DATA_PTR_WITH_STRUCT")
#define COPY_TILING_WITH_STRUCT(tiling_struct, from, name)                                                 \
    ::sfumato::ascendc::TilingCopy<tiling_struct> sfumato_copy_of_##name(from, "COPY_TILING_WITH_STRUCT"); \
    tiling_struct* name = &sfumato_copy_of_##name.value
#define COPY_TILING_WITH_ARRAY(type, count, from, name)                                                 \
    ::sfumato::ascendc::TilingCopy<type[count]> sfumato_copy_of_##name(from, "COPY_TILING_WITH_ARRAY"); \
    type(*name)[count] = &sfumato_copy_of_##name.value

#define TILING_KEY_IS(key) (::sfumato::ascendc::TilingKeyIs<(key)>())
#define TILING_KEY_LIST(...) (::sfumato::ascendc::TilingKeyIn<__VA_ARGS__>())
