// SPDX-License-Identifier: Apache-2.0
// The values that cross between Python and TIK programs.
//
// Ids are ints of classes of their own (ExprId, ScalarId, TensorId, RefId), so that a plain int is always a number.
// A Where is (file, line), or None for nowhere.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <type_traits>
#include <vector>

#include "arrays.h"
#include "sfumato/tik.h"

namespace sfumato::python {

template <class Id>
constexpr auto NameOfId() {
    using nanobind::detail::const_name;
    if constexpr (std::is_same_v<Id, tik::ExprId>) return const_name("ExprId");
    if constexpr (std::is_same_v<Id, tik::ScalarId>) return const_name("ScalarId");
    if constexpr (std::is_same_v<Id, tik::TensorId>) return const_name("TensorId");
    if constexpr (std::is_same_v<Id, tik::RefId>) return const_name("RefId");
}

// The Python class of an id; set by BindIds, owned by the module.
template <class Id>
inline PyObject* g_id_class = nullptr;

void BindIds(nanobind::module_& m);

template <class Id>
bool Is(nanobind::handle h) {
    return Py_TYPE(h.ptr()) == reinterpret_cast<PyTypeObject*>(g_id_class<Id>);
}

// Throws TypeError for anything else.
template <class Id>
Id ToId(nanobind::handle h);

bool IsNumber(nanobind::handle h);
tik::Number ToNumber(nanobind::handle h);
nanobind::object ToPython(const tik::Number& number);

// A parameter of a call: None, a number, an ExprId, a RefId, a str, or a list of these. A dict comes as a list of its
// keys and values in turn, a scalar that the call writes as the ExprId that reads it.
tik::Value ToValue(nanobind::handle h);

// An ExprId, or a number, which becomes an immediate.
tik::ExprId ToExpr(tik::Program& program, nanobind::handle h, Where where);

// An output as an array; int4 unpacked. The array keeps the output's bytes.
nanobind::object ToArray(const tik::Output& output);

}  // namespace sfumato::python

namespace nanobind::detail {

template <class Tag>
struct type_caster<sfumato::tik::Id<Tag>> {
    using Id = sfumato::tik::Id<Tag>;
    NB_TYPE_CASTER(Id, sfumato::python::NameOfId<Id>())

    bool from_python(handle h, uint8_t, cleanup_list*) noexcept {
        if (!sfumato::python::Is<Id>(h)) return false;
        value.value = static_cast<int32_t>(PyLong_AsLong(h.ptr()));
        return true;
    }
    static handle from_cpp(Id id, rv_policy, cleanup_list*) noexcept {
        return PyObject_CallFunction(sfumato::python::g_id_class<Id>, "i", id.value);
    }
};

template <>
struct type_caster<sfumato::Where> {
    NB_TYPE_CASTER(sfumato::Where, const_name("tuple[str, int]"))

    bool from_python(handle h, uint8_t, cleanup_list*) noexcept;
    static handle from_cpp(sfumato::Where where, rv_policy, cleanup_list*) noexcept {
        return Py_BuildValue("(sI)", where.file ? where.file : "", where.line);
    }
};

}  // namespace nanobind::detail

namespace sfumato::python {

template <class Id>
Id ToId(nanobind::handle h) {
    Id id;
    if (nanobind::try_cast(h, id)) return id;
    throw nanobind::type_error(
        (std::string("expected ") + NameOfId<Id>().text + ", got " + nanobind::repr(h).c_str()).c_str());
}

}  // namespace sfumato::python
