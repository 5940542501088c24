// SPDX-License-Identifier: Apache-2.0
// AscendC::Std: what kernels may use of the standard library (language.md 4).
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace AscendC::Std {

using std::add_const;
using std::add_const_t;
using std::add_cv;
using std::add_cv_t;
using std::add_lvalue_reference;
using std::add_lvalue_reference_t;
using std::add_pointer;
using std::add_pointer_t;
using std::add_rvalue_reference;
using std::add_rvalue_reference_t;
using std::add_volatile;
using std::bool_constant;
using std::common_type;
using std::common_type_t;
using std::conditional;
using std::conditional_t;
using std::conjunction;
using std::conjunction_v;
using std::decay;
using std::decay_t;
using std::declval;
using std::disjunction;
using std::disjunction_v;
using std::enable_if;
using std::enable_if_t;
using std::extent;
using std::extent_v;
using std::false_type;
using std::forward;
using std::index_sequence;
using std::index_sequence_for;
using std::integer_sequence;
using std::integral_constant;
using std::is_arithmetic;
using std::is_arithmetic_v;
using std::is_array;
using std::is_array_v;
using std::is_assignable;
using std::is_assignable_v;
using std::is_base_of;
using std::is_base_of_v;
using std::is_class;
using std::is_class_v;
using std::is_const;
using std::is_const_v;
using std::is_constructible;
using std::is_constructible_v;
using std::is_convertible;
using std::is_convertible_v;
using std::is_default_constructible;
using std::is_default_constructible_v;
using std::is_empty;
using std::is_empty_v;
using std::is_enum;
using std::is_enum_v;
using std::is_floating_point;
using std::is_floating_point_v;
using std::is_function;
using std::is_function_v;
using std::is_fundamental;
using std::is_fundamental_v;
using std::is_integral;
using std::is_integral_v;
using std::is_lvalue_reference;
using std::is_lvalue_reference_v;
using std::is_null_pointer;
using std::is_null_pointer_v;
using std::is_object;
using std::is_object_v;
using std::is_pointer;
using std::is_pointer_v;
using std::is_reference;
using std::is_reference_v;
using std::is_rvalue_reference;
using std::is_rvalue_reference_v;
using std::is_same;
using std::is_same_v;
using std::is_scalar;
using std::is_scalar_v;
using std::is_signed;
using std::is_signed_v;
using std::is_trivially_copyable;
using std::is_trivially_copyable_v;
using std::is_union;
using std::is_union_v;
using std::is_unsigned;
using std::is_unsigned_v;
using std::is_void;
using std::is_void_v;
using std::is_volatile;
using std::is_volatile_v;
using std::make_index_sequence;
using std::make_integer_sequence;
using std::make_signed;
using std::make_signed_t;
using std::make_unsigned;
using std::make_unsigned_t;
using std::move;
using std::negation;
using std::negation_v;
using std::rank;
using std::rank_v;
using std::remove_all_extents;
using std::remove_all_extents_t;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_cvref;
using std::remove_cvref_t;
using std::remove_extent;
using std::remove_extent_t;
using std::remove_pointer;
using std::remove_pointer_t;
using std::remove_reference;
using std::remove_reference_t;
using std::remove_volatile;
using std::remove_volatile_t;
using std::true_type;
using std::type_identity;
using std::type_identity_t;
using std::underlying_type;
using std::underlying_type_t;
using std::void_t;

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
