// SPDX-License-Identifier: Apache-2.0
// Ids, numbers, parameters and arrays between Python and TIK programs.
#include "tik_values.h"

#include <nanobind/stl/string.h>

#include <memory>
#include <string>
#include <utility>

namespace nb = nanobind;

namespace sfumato::python {
namespace {

template <class Id>
void BindId(nb::module_& m) {
    nb::dict members;
    members["__slots__"] = nb::tuple();
    members["__module__"] = "sfumato._native.tik";
    const nb::handle type(reinterpret_cast<PyObject*>(&PyType_Type));
    const nb::handle integer(reinterpret_cast<PyObject*>(&PyLong_Type));
    constexpr auto name = NameOfId<Id>();
    nb::object made = type(nb::str(name.text), nb::make_tuple(integer), members);
    m.attr(name.text) = made;
    g_id_class<Id> = made.release().ptr();
}

}  // namespace

void BindIds(nb::module_& m) {
    BindId<tik::ExprId>(m);
    BindId<tik::ScalarId>(m);
    BindId<tik::TensorId>(m);
    BindId<tik::RefId>(m);
}

bool IsNumber(nb::handle h) { return PyFloat_Check(h.ptr()) || PyLong_Check(h.ptr()); }

tik::Number ToNumber(nb::handle h) {
    if (PyFloat_Check(h.ptr())) return PyFloat_AsDouble(h.ptr());
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(h.ptr(), &overflow);
    if (overflow == 0) {
        if (value == -1 && PyErr_Occurred()) throw nb::python_error();
        return int64_t{value};
    }
    const unsigned long long wide = overflow > 0 ? PyLong_AsUnsignedLongLong(h.ptr()) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
        PyErr_Clear();
        throw Error(std::string(nb::repr(h).c_str()) + " fits no 64-bit integer");
    }
    return uint64_t{wide};
}

nb::object ToPython(const tik::Number& number) {
    return std::visit([](auto n) -> nb::object { return nb::cast(n); }, number);
}

tik::Value ToValue(nb::handle h) {
    if (h.is_none()) return {};
    if (Is<tik::ExprId>(h)) return ToId<tik::ExprId>(h);
    if (Is<tik::RefId>(h)) return ToId<tik::RefId>(h);
    if (Is<tik::ScalarId>(h) || Is<tik::TensorId>(h)) {
        throw nb::type_error("a parameter is an ExprId (var of a scalar) or a RefId (ref of a tensor)");
    }
    if (IsNumber(h)) return std::visit([](auto n) -> tik::Value { return n; }, ToNumber(h));
    if (nb::isinstance<nb::str>(h)) return std::string(nb::cast<const char*>(h));
    if (!PyList_Check(h.ptr()) && !PyTuple_Check(h.ptr())) {
        throw nb::type_error((std::string("not a parameter of a TIK call: ") + nb::repr(h).c_str()).c_str());
    }
    tik::ValueList list;
    for (nb::handle item : nb::borrow<nb::sequence>(h)) list.push_back(ToValue(item));
    return list;
}

tik::ExprId ToExpr(tik::Program& program, nb::handle h, Where where) {
    return Is<tik::ExprId>(h) ? ToId<tik::ExprId>(h) : program.Immediate(ToNumber(h), where);
}

nb::object ToArray(const tik::Output& output) {
    const nb::module_ types = nb::module_::import_("sfumato._types"), numpy = nb::module_::import_("numpy");
    const nb::object dtype = types.attr("dtype_of")(NumpyName(output.type));
    nb::list shape;
    for (const int64_t d : output.shape) shape.append(d);
    auto* const keep = new std::shared_ptr<void>(output.owner);
    const nb::capsule owner(keep, [](void* p) noexcept { delete static_cast<std::shared_ptr<void>*>(p); });
    const size_t size = output.bytes.size();
    const nb::object flat = nb::cast(nb::ndarray<nb::numpy, uint8_t, nb::ndim<1>>(output.bytes.data(), {size}, owner));
    if (output.type != DataType::kInt4) return flat.attr("view")(dtype).attr("reshape")(nb::tuple(shape));
    const nb::object array = numpy.attr("empty")(nb::tuple(shape), dtype);
    types.attr("unpack_int4")(flat, array);
    return array;
}

}  // namespace sfumato::python

namespace nanobind::detail {

bool type_caster<sfumato::Where>::from_python(handle h, uint8_t, cleanup_list*) noexcept {
    value = {};
    if (h.is_none()) return true;
    if (!PyTuple_Check(h.ptr()) || PyTuple_Size(h.ptr()) != 2) return false;
    const char* const file = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(h.ptr(), 0), nullptr);
    const unsigned long line = file ? PyLong_AsUnsignedLong(PyTuple_GetItem(h.ptr(), 1)) : 0;
    if (PyErr_Occurred()) {
        PyErr_Clear();
        return false;
    }
    value = {file, static_cast<uint32_t>(line)};
    return true;
}

}  // namespace nanobind::detail
