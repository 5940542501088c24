// SPDX-License-Identifier: Apache-2.0
// Running a TIK program from Python, steered by a debugger or by nobody.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "launch_control.h"
#include "launch_options.h"
#include "line_sink.h"
#include "data_types.h"
#include "tik_debug.h"
#include "tik_program.h"
#include "tik_values.h"

namespace nb = nanobind;

namespace sfumato::python {
namespace {

using nb::arg;

// A size of 2^31 - 1 and more stands for "given at run time".
constexpr uint64_t kLarge = 0x7FFFFFFF;

const tik::Parameter* FindParameter(const tik::ProgramInfo& info, const std::string& name) {
    for (const tik::Parameter& p : info.parameters) {
        if (p.name == name) return &p;
    }
    return nullptr;
}

// The array must have the type and the size of the tensor it is for.
void CheckArray(const std::string& what, const std::string& type, nb::handle array, const tik::Parameter& tensor) {
    const std::string wanted = NumpyName(tensor.type);
    if (type != wanted) {
        throw Error(what + " is an array of " + type + ", but the tensor is of " + wanted + "; pass array.astype('" +
                    wanted + "')");
    }
    const auto fed = nb::cast<uint64_t>(array.attr("size"));
    uint64_t size = 1;
    for (const int64_t d : tensor.shape) size *= static_cast<uint64_t>(d);
    if (size < kLarge && fed != size) {
        throw Error(what + " has " + std::to_string(fed) + " elements, but the tensor has " + std::to_string(size) +
                    "; pass an array of the tensor's shape");
    }
}

// The feed as native memory: `keep` owns contiguous copies until the run ends.
std::vector<tik::Feed> ToFeed(const tik::ProgramInfo& info, const nb::dict& feed, std::vector<Bytes>& keep) {
    const nb::module_ types = nb::module_::import_("sfumato._types"), numpy = nb::module_::import_("numpy");
    std::vector<tik::Feed> fed;
    for (auto [key, value] : feed) {
        tik::Feed& f = fed.emplace_back();
        f.name = nb::cast<std::string>(key);
        const tik::Parameter* parameter = FindParameter(info, f.name);
        if (parameter && parameter->kind == "scalar") {
            f.is_number = true;
            f.number = ToNumber(nb::hasattr(value, "item") ? nb::object(value.attr("item")()) : nb::borrow(value));
            continue;
        }
        const std::string what = "run: '" + f.name + "'";
        if (!nb::hasattr(value, "dtype") || !nb::hasattr(value, "shape")) {
            throw Error(what + " must be a NumPy array, not " + nb::repr(value).c_str());
        }
        const auto type = nb::cast<std::string>(types.attr("require_type")(value.attr("dtype"), what));
        if (parameter) CheckArray(what, type, value, *parameter);
        nb::object array = numpy.attr("ascontiguousarray")(value);
        array = type == "int4" ? types.attr("pack_int4")(array) : types.attr("flat_bytes")(array);
        keep.push_back(nb::cast<Bytes>(array));
        f.data = keep.back().data();
        f.bytes = keep.back().size();
        const Part part = PartOf(array, keep.back());
        f.start = part.start, f.more = part.more;
    }
    return fed;
}

// One option of run(); `log`, `print` and `progress` are functions, and are left alone.
void Set(tik::RunOptions& options, const std::string& name, nb::handle value) {
    if (name == "shapes") {
        for (auto [tensor, shape] : nb::borrow<nb::dict>(value)) {
            options.shapes[nb::cast<std::string>(tensor)] = nb::cast<std::vector<int64_t>>(shape);
        }
    } else if (!SetOption(options.launch, kTikRun, name, value)) {
        throw Error("run: the option '" + name + "' is not known; legal: shapes, " + OptionNames(kTikRun));
    }
}

// debugger: steers the run, or is nullptr.
nb::list Launch(PythonProgram& program, const nb::dict& feed, const nb::dict& words, PythonDebugger* debugger) {
    tik::RunOptions options;
    nb::object log = nb::none(), print = nb::none(), progress = nb::none();
    for (auto [key, value] : words) {
        const auto name = nb::cast<std::string>(key);
        if (name == "log") log = nb::borrow(value);
        if (name == "print") print = nb::borrow(value);
        if (name == "progress") progress = nb::borrow(value);
        Set(options, name, value);
    }
    LineSink log_sink(log), print_sink(print);
    options.launch.log = log_sink.function();
    options.launch.print = print_sink.function();
    std::vector<Bytes> keep;
    const std::vector<tik::Feed> fed = ToFeed(program.Info(), feed, keep);
    LaunchControl control(options.launch, progress, debugger == nullptr);
    tik::RunResult result;
    {
        nb::gil_scoped_release release;
        result = debugger ? program.Debug(fed, options, *debugger, debugger->stop_first()) : program.Run(fed, options);
    }
    log_sink.Rethrow();
    print_sink.Rethrow();
    program.last = result.launch;
    control.Rethrow(result.launch);
    if (!result.launch.ok()) {
        const nb::object type = nb::module_::import_("sfumato._errors").attr("KernelError");
        const nb::object error = type(nb::cast(result.launch));
        PyErr_SetObject(type.ptr(), error.ptr());
        throw nb::python_error();
    }
    if (!result.launch.trace_error.empty()) throw Error(result.launch.trace_error);
    nb::list outputs;
    for (const tik::Output& output : result.outputs) outputs.append(ToArray(output));
    return outputs;
}

nb::list RunProgram(PythonProgram& program, const nb::dict& feed, const nb::dict& options) {
    return Launch(program, feed, options, nullptr);
}

nb::list DebugProgram(PythonProgram& program, const nb::dict& feed, const nb::object& object, const nb::dict& options) {
    PythonDebugger debugger(object);
    return Launch(program, feed, options, &debugger);
}

}  // namespace

void BindRunning(nb::class_<PythonProgram>& c) {
    c.def("run", &RunProgram, arg("feed"), arg("options"),
          "The outputs in order. Raises KernelError for a fault; `last` has every finding.");
    c.def("debug", &DebugProgram, arg("feed"), arg("debugger"), arg("options"),
          "The same, steered by a debugger; no outputs when it ended the run.");
    c.def_prop_ro("last", [](const PythonProgram& p) { return p.last; });
}

}  // namespace sfumato::python
