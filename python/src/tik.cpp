// SPDX-License-Identifier: Apache-2.0
// The module sfumato._native.tik: TIK programs for the Python surface.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "module.h"
#include "report/finding.h"
#include "tik_debug.h"
#include "tik_program.h"
#include "tik_values.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sfumato::python {
namespace {

// The exception of build-time mistakes: a subclass of Error whose instances have the fields of their report.
PyObject* g_tik_error;

nb::object TikErrorOf(const Report& report) {
    const nb::object r = nb::cast(report);
    const nb::object error = nb::handle(g_tik_error)(nb::str(report.Text().c_str()));
    for (const char* field : {"severity", "rule", "chip", "kernel", "core", "instruction", "index", "operand",
                              "message", "found", "legal", "hint", "file", "line", "related"}) {
        error.attr(field) = r.attr(field);
    }
    error.attr("report") = r;
    return error;
}

void BindTikError(nb::module_& m, nb::handle base) {
    g_tik_error = PyErr_NewException("sfumato._native.tik.TikError", base.ptr(), nullptr);
    m.attr("TikError") = nb::handle(g_tik_error);
    nb::register_exception_translator([](const std::exception_ptr& p, void*) {
        try {
            std::rethrow_exception(p);
        } catch (const tik::TikError& e) {
            PyErr_SetObject(g_tik_error, TikErrorOf(e.report()).ptr());
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
        "fault",
        [](const std::string& rule, std::string message, const std::string& file, uint32_t line,
           const std::string& instruction, std::string operand, std::string found, std::string legal,
           std::string hint) {
            const auto row = FindRule(rule);
            if (!row) throw nb::key_error(("no rule '" + rule + "' in src/report/rules.inc").c_str());
            return TikErrorOf(ToReport(
                {*row, std::move(operand), std::move(message), std::move(found), std::move(legal), std::move(hint)},
                instruction, {file.c_str(), line}));
        },
        "rule"_a, "message"_a, "file"_a, "line"_a, "instruction"_a, "operand"_a, "found"_a, "legal"_a, "hint"_a,
        "A TikError of the rule, for the surface to raise.");
    m.def(
        "support",
        [](const std::string& family, const std::string& intrinsic) -> nb::object {
            const auto list = tik::SupportOf(family, intrinsic);
            return list ? nb::cast(*list) : nb::none();
        },
        "family"_a, "intrinsic"_a, "What the family has of an instruction; None when no call has the name.");
    m.def(
        "knows", [](const char* call) { return tik::Program::Knows(call); }, "True when call() has the name.");
}

}  // namespace sfumato::python
