// SPDX-License-Identifier: Apache-2.0
// The module sfumato._native.tik: TIK programs for the Python surface.
#include <nanobind/stl/string.h>

#include "module.h"
#include "tik_debug.h"
#include "tik_program.h"
#include "tik_values.h"

namespace nb = nanobind;

namespace sfumato::python {
namespace {

// The exception of build-time mistakes: a subclass of Error whose instances have the fields of their report.
PyObject* g_tik_error;

void RaiseTikError(const Report& report) {
    const nb::object r = nb::cast(report);
    const nb::object error = nb::handle(g_tik_error)(nb::str(report.Text().c_str()));
    for (const char* field : {"severity", "rule", "chip", "kernel", "core", "instruction", "index", "operand",
                              "message", "found", "legal", "hint", "file", "line"}) {
        error.attr(field) = r.attr(field);
    }
    error.attr("report") = r;
    PyErr_SetObject(g_tik_error, error.ptr());
}

void BindTikError(nb::module_& m, nb::handle base) {
    g_tik_error = PyErr_NewException("sfumato._native.tik.TikError", base.ptr(), nullptr);
    m.attr("TikError") = nb::handle(g_tik_error);
    nb::register_exception_translator([](const std::exception_ptr& p, void*) {
        try {
            std::rethrow_exception(p);
        } catch (const tik::TikError& e) {
            RaiseTikError(e.report());
        }
    });
}

}  // namespace

void BindTik(nb::module_& parent) {
    nb::module_ m = parent.def_submodule("tik", "TIK programs.");
    BindIds(m);
    BindTikError(m, nb::object(parent.attr("Error")));
    BindTikStop(m);
    nb::class_<PythonProgram> program(m, "Program");
    BindRecording(program);
    BindRunning(program);
    m.def(
        "knows", [](const char* call) { return tik::Program::Knows(call); }, "True when call() has the name.");
}

}  // namespace sfumato::python
