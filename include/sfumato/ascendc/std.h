// SPDX-License-Identifier: Apache-2.0
// AscendC::Std: what kernels may use of the standard library (language.md 4).
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace AscendC::Std {

using std::add_const, std::add_const_t, std::add_cv, std::add_cv_t, std::add_lvalue_reference,
    std::add_lvalue_reference_t, std::add_pointer, std::add_pointer_t, std::add_rvalue_reference,
    std::add_rvalue_reference_t, std::add_volatile, std::bool_constant, std::common_type, std::common_type_t,
    std::conditional, std::conditional_t, std::conjunction, std::conjunction_v, std::decay, std::decay_t, std::declval,
    std::disjunction, std::disjunction_v, std::enable_if, std::enable_if_t, std::extent, std::extent_v, std::false_type,
    std::forward, std::index_sequence, std::index_sequence_for, std::integer_sequence, std::integral_constant,
    std::is_arithmetic, std::is_arithmetic_v, std::is_array, std::is_array_v, std::is_assignable, std::is_assignable_v,
    std::is_base_of, std::is_base_of_v, std::is_class, std::is_class_v, std::is_const, std::is_const_v,
    std::is_constructible, std::is_constructible_v, std::is_convertible, std::is_convertible_v,
    std::is_default_constructible, std::is_default_constructible_v, std::is_empty, std::is_empty_v, std::is_enum,
    std::is_enum_v, std::is_floating_point, std::is_floating_point_v, std::is_function, std::is_function_v,
    std::is_fundamental, std::is_fundamental_v, std::is_integral, std::is_integral_v, std::is_lvalue_reference,
    std::is_lvalue_reference_v, std::is_null_pointer, std::is_null_pointer_v, std::is_object, std::is_object_v,
    std::is_pointer, std::is_pointer_v, std::is_reference, std::is_reference_v, std::is_rvalue_reference,
    std::is_rvalue_reference_v, std::is_same, std::is_same_v, std::is_scalar, std::is_scalar_v, std::is_signed,
    std::is_signed_v, std::is_trivially_copyable, std::is_trivially_copyable_v, std::is_union, std::is_union_v,
    std::is_unsigned, std::is_unsigned_v, std::is_void, std::is_void_v, std::is_volatile, std::is_volatile_v,
    std::make_index_sequence, std::make_integer_sequence, std::make_signed, std::make_signed_t, std::make_unsigned,
    std::make_unsigned_t, std::move, std::negation, std::negation_v, std::rank, std::rank_v, std::remove_all_extents,
    std::remove_all_extents_t, std::remove_const, std::remove_const_t, std::remove_cv, std::remove_cv_t,
    std::remove_cvref, std::remove_cvref_t, std::remove_extent, std::remove_extent_t, std::remove_pointer,
    std::remove_pointer_t, std::remove_reference, std::remove_reference_t, std::remove_volatile, std::remove_volatile_t,
    std::true_type, std::type_identity, std::type_identity_t, std::underlying_type, std::underlying_type_t, std::void_t;

template <size_t value>
using Int = integral_constant<size_t, value>;
template <class A, class B>
using IsSame = is_same<A, B>;
template <class T, class... Ts>
inline constexpr bool is_one_of_v = (is_same_v<T, Ts> || ...);
template <class T, class... Ts>
struct is_one_of : bool_constant<is_one_of_v<T, Ts...>> {};

// A tuple of its own: the header of the standard one would take a tenth of a kernel's compilation.
template <class... Ts>
class tuple;
template <size_t index, class T>
struct tuple_element;
template <>
class tuple<> {};
template <class T, class... Ts>
class tuple<T, Ts...> : public tuple<Ts...> {
public:
    constexpr tuple() : value() {}
    constexpr tuple(const T& first, const Ts&... rest) : tuple<Ts...>(rest...), value(first) {}
    template <class U, class... Us>
    requires(sizeof...(Us) == sizeof...(Ts)) constexpr tuple(const tuple<U, Us...>& other)
        : tuple<Ts...>(static_cast<const tuple<Us...>&>(other)), value(static_cast<T>(other.value)) {}
    template <class U, class... Us>
    constexpr tuple& operator=(const tuple<U, Us...>& other) {
        value = other.value;
        if constexpr (sizeof...(Ts) > 0) {
            static_cast<tuple<Ts...>&>(*this) = static_cast<const tuple<Us...>&>(other);
        }
        return *this;
    }
    T value;
};

template <size_t index, class T, class... Ts>
constexpr auto& get(tuple<T, Ts...>& t) {
    if constexpr (index == 0) {
        return t.value;
    } else {
        return get<index - 1>(static_cast<tuple<Ts...>&>(t));
    }
}
template <size_t index, class T, class... Ts>
constexpr const auto& get(const tuple<T, Ts...>& t) {
    if constexpr (index == 0) {
        return t.value;
    } else {
        return get<index - 1>(static_cast<const tuple<Ts...>&>(t));
    }
}
template <size_t index, class... Ts>
constexpr auto&& get(tuple<Ts...>&& t) {
    return static_cast<typename tuple_element<index, tuple<Ts...>>::type&&>(get<index>(t));
}
template <size_t index, class... Ts>
constexpr const auto&& get(const tuple<Ts...>&& t) {
    return static_cast<const typename tuple_element<index, tuple<Ts...>>::type&&>(get<index>(t));
}
template <class... Ts>
constexpr tuple<decay_t<Ts>...> make_tuple(Ts&&... values) {
    return tuple<decay_t<Ts>...>(values...);
}
template <class... Ts>
constexpr tuple<Ts&...> tie(Ts&... values) {
    return tuple<Ts&...>(values...);
}

template <class T>
struct tuple_size;
template <class... Ts>
struct tuple_size<tuple<Ts...>> : Int<sizeof...(Ts)> {};
template <class T>
inline constexpr size_t tuple_size_v = tuple_size<T>::value;
template <size_t index, class T, class... Ts>
struct tuple_element<index, tuple<T, Ts...>> : tuple_element<index - 1, tuple<Ts...>> {};
template <class T, class... Ts>
struct tuple_element<0, tuple<T, Ts...>> {
    using type = T;
};
template <size_t index, class T>
using tuple_element_t = typename tuple_element<index, T>::type;

template <class T>
struct is_tuple : false_type {};
template <class... Ts>
struct is_tuple<tuple<Ts...>> : true_type {};
template <class T>
inline constexpr bool is_tuple_v = is_tuple<T>::value;

template <class T>
constexpr const T& min(const T& a, const T& b) {
    return b < a ? b : a;
}
template <class T>
constexpr const T& max(const T& a, const T& b) {
    return a < b ? b : a;
}

// Of integers, and of floating-point types in float (assumed for half: rounded once).
template <class T>
constexpr T abs(const T& x) {
    return x < T(0) || x == T(0) ? static_cast<T>(T(0) - x) : x;
}
template <class T>
T sqrt(const T& x) {
    if constexpr (sizeof(T) > sizeof(float)) {
        return static_cast<T>(__builtin_sqrt(static_cast<double>(x)));
    } else {
        return static_cast<T>(__builtin_sqrtf(static_cast<float>(x)));
    }
}

}  // namespace AscendC::Std
