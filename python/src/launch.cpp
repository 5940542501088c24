// SPDX-License-Identifier: Apache-2.0
// Compiling and launching for Python: arrays are lent to global memory, and changed when the launch had no fault.
#include "sfumato/launch.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "launch_arguments.h"
#include "launch_control.h"
#include "launch_options.h"
#include "line_sink.h"
#include "module.h"
#include "data_types.h"
#include "runner.h"
#include "sfumato/jit.h"

namespace nb = nanobind;

namespace sfumato::python {

namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

// What Python passes for a parameter, for people.
std::string Takes(const KernelParam& p) {
    const std::string type = p.data_type ? NumpyName(*p.data_type) : "";
    switch (p.kind) {
        case ParamKind::kPointer:
            return "global memory: an array" + (type.empty() ? "" : " of " + type) + ", bytes, a Struct or None";
        case ParamKind::kInteger: return p.is_bool ? "a bool" : "an int (" + type + ")";
        case ParamKind::kFloating: return "a float (" + type + ")";
        case ParamKind::kStruct: return "a struct of " + std::to_string(p.size) + " bytes: a Struct or bytes";
    }
    return "";
}

LaunchOptions OptionsOf(const CompiledKernels& kernels, const KernelInfo& kernel, const nb::dict& o) {
    LaunchOptions options = LaunchOptionsOf(Route::kCompile, o);
    options.chip = kernels.chip();
    options.kernel = kernel.name;
    options.tiling_key = nb::cast<uint64_t>(o["tiling_key"]);
    options.system_workspace = kernels.system_workspace();
    return options;
}

LaunchResult LaunchKernel(const std::shared_ptr<CompiledKernels>& compiled, const std::string& name, uint32_t blocks,
                          const nb::list& items, const nb::dict& option_words) {
    const std::shared_ptr<CompiledKernels> kernels = ForChecks(compiled, nb::cast<std::string>(option_words["check"]));
    const KernelInfo& kernel = kernels->Find(name);
    LaunchOptions options = OptionsOf(*kernels, kernel, option_words);
    LineSink log(option_words["log"]), print(option_words["print"]);
    options.log = log.function();
    options.print = print.function();

    GlobalMemory memory(GlobalMemory::Options{.fill = options.fill});
    ArgumentList list(memory, kernel);
    for (nb::handle item : items) list.Add(nb::cast<nb::tuple>(item));
    const auto call = BindArguments(kernels, kernel, list.arguments());
    LaunchControl control(options, option_words["progress"]);
    const auto* source = call.target<KernelCall>();
    const LastWords last_words(options, source ? source->source : "", kernel.line, memory);
    LaunchResult result;
    {
        nb::gil_scoped_release release;
        result = Launch(options, blocks, memory, call);
        last_words.AddLeftBehind(result);
    }
    log.Rethrow();
    print.Rethrow();
    control.Rethrow(result);
    if (result.ok()) list.CopyBack();
    if (!result.trace_error.empty()) throw Error(result.trace_error);
    return result;
}

void BindResult(nb::module_& m) {
    nb::class_<LaunchCost>(m, "LaunchCost",
                           "Numbers that the program and its arguments alone decide, all cores together.")
        .def_ro("bytes_gm_read", &LaunchCost::bytes_gm_read)
        .def_ro("bytes_gm_written", &LaunchCost::bytes_gm_written)
        .def_ro("vector_elements", &LaunchCost::vector_elements,
                "Of the widest operand of each vector instruction, masked ones left out.")
        .def_ro("mac", &LaunchCost::mac, "Multiplications with an addition of the cube unit.");
    nb::class_<LaunchResult>(m, "LaunchResult", nb::dynamic_attr(),
                             "What a launch found; records counts the instructions of all cores.")
        .def_ro("findings", &LaunchResult::findings)
        .def_ro("records", &LaunchResult::records)
        .def_ro("rests_on", &LaunchResult::rests_on,
                "With the option rests_on: the readings that the run used where no page decides, sorted by call.")
        .def_ro("cost", &LaunchResult::cost, "With the option cost: what was moved and computed.")
        .def_ro(
            "trace", &LaunchResult::trace,
            "With the option trace: the file, which is called .json.gz where a large .json was compressed; else \"\".")
        .def_ro("task_type", &LaunchResult::task_type, "Which cores a block had, e.g. \"KERNEL_TYPE_MIX_AIC_1_2\".")
        .def_ro("task_type_from", &LaunchResult::task_type_from, "Who said so, e.g. \"derived from its code\".")
        .def_prop_ro(
            "estimate",
            [](const LaunchResult& result) -> nb::object {
                if (!result.estimate) return nb::none();
                return nb::module_::import_("sfumato._estimate")
                    .attr("Estimate")(JsonOf(*result.estimate), TextOf(*result.estimate));
            },
            "With the option time: how long the launch would take on a board, a sfumato.Estimate; else None.")
        .def_prop_ro("ok", &LaunchResult::ok, "No fault.");
}

void BindKernels(nb::module_& m) {
    nb::class_<CompiledKernels>(m, "Kernels")
        .def_prop_ro("names",
                     [](const CompiledKernels& kernels) {
                         std::vector<std::string> names;
                         for (const KernelInfo& k : kernels.kernels()) names.push_back(k.name);
                         return names;
                     })
        .def_prop_ro("chip", &CompiledKernels::chip)
        .def_prop_ro("tiling_key", &CompiledKernels::tiling_key)
        .def_prop_ro("object_path", &CompiledKernels::object_path)
        .def_prop_ro("from_cache", &CompiledKernels::from_cache)
        .def_prop_ro("warnings", &CompiledKernels::warnings)
        .def_prop_ro("compiler", &CompiledKernels::compiler)
        .def("write_counts", &CompiledKernels::WriteCounts)
        .def("find", [](const CompiledKernels& kernels, const std::string& name) { return kernels.Find(name).name; })
        .def("parameters",
             [](const CompiledKernels& kernels, const std::string& name) {
                 std::vector<std::string> names;
                 for (const KernelParam& p : kernels.Find(name).params) names.push_back(p.name);
                 return names;
             })
        .def(
            "parameter_types",
            [](const CompiledKernels& kernels, const std::string& name) {
                std::vector<std::tuple<std::string, std::string, std::string>> types;
                for (const KernelParam& p : kernels.Find(name).params) types.emplace_back(p.name, p.type, Takes(p));
                return types;
            },
            "(name, type in the source, what an argument may be), in order.")
        .def("signature",
             [](const CompiledKernels& kernels, const std::string& name) { return kernels.Find(name).Signature(); });
}

}  // namespace

void BindLaunch(nb::module_& m) {
    // Of the routes that Python alone knows of.
    nb::dict policies;
    for (const auto& [name, route] : {std::pair{"judge", Route::kJudge}, {"sweep", Route::kSweep}})
        policies[name] = Info(route).overflow == Overflow::kBoard ? "board" : "saturate";
    m.attr("default_overflow") = policies;
    BindResult(m);
    BindKernels(m);
    m.def("compile", [](const std::string& source, const std::string& chip, const Words& defines,
                        const std::vector<std::string>& include_dirs, const std::vector<std::string>& flags,
                        const std::vector<std::string>& instantiations, std::optional<uint64_t> tiling_key,
                        const std::string& tiling_struct, const std::vector<std::string>& tiling_headers,
                        const Words& template_values, const Words& dtypes, const Words& formats,
                        const std::string& cache_dir, bool coverage) {
        const nb::gil_scoped_release others;
        return Compile({.source = source,
                        .chip = chip,
                        .defines = defines,
                        .include_dirs = include_dirs,
                        .flags = flags,
                        .instantiations = instantiations,
                        .tiling_key = tiling_key,
                        .tiling_struct = tiling_struct,
                        .tiling_headers = tiling_headers,
                        .template_values = template_values,
                        .dtypes = dtypes,
                        .formats = formats,
                        .coverage = coverage,
                        .cache_dir = cache_dir});
    });
    m.def("precompile", [](const std::string& chip, const std::string& folder, const Words& defines,
                           const std::vector<std::string>& include_dirs, const std::vector<std::string>& flags) {
        const nb::gil_scoped_release others;
        return Precompile({.chip = chip, .defines = defines, .include_dirs = include_dirs, .flags = flags}, folder);
    });
    m.def("cache_dir", &CacheDir);
    m.def("records_dir", &RecordsDir);
    m.def("include_dirs", &LocateIncludeDirs);
    m.def("check_launch_options", &CheckLaunchOptions);
    m.def("check_options", &CheckOptions, nb::arg("given"), nb::arg("where") = "options");
    m.def("launch_options", &OptionTable);
    m.def("numerics_of", &NumericsOfWords);
    m.def("exit_codes", &ExitCodes);
    m.def("option_value", &OptionOfText);
    m.def("launch", &LaunchKernel);
}

}  // namespace sfumato::python
