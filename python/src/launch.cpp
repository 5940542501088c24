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
#include <cstring>

#include "arrays.h"
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

// One array of the caller and its copy in global memory.
struct Transfer {
    uint8_t* host;
    uint8_t* device;
    uint64_t bytes;
    bool writable;
    std::string label;  // "argument 2 (dst)", for messages
};

// "argument 2 (dst)"; the kernel's name for it where it has one.
std::string Label(size_t position, const KernelInfo& kernel) {
    std::string label = "argument " + std::to_string(position + 1);
    if (position < kernel.params.size() && !kernel.params[position].name.empty()) {
        label += " (" + kernel.params[position].name + ")";
    }
    return label;
}

std::string AllocationName(size_t position, const KernelInfo& kernel) {
    if (position < kernel.params.size() && !kernel.params[position].name.empty()) return kernel.params[position].name;
    return "arg" + std::to_string(position);
}

// The arguments of one launch: Python's values as Argument, arrays as allocations of `memory`.
class ArgumentList {
public:
    ArgumentList(GlobalMemory& memory, const KernelInfo& kernel) : memory_(memory), kernel_(kernel) {}

    // `item` is (kind, value, type name or "", writable, the item of the number that an array without dimensions is).
    void Add(nb::tuple item) {
        if (!item[4].is_none() && !TakesPointer()) item = nb::cast<nb::tuple>(item[4]);
        const auto kind = nb::cast<std::string>(item[0]);
        const auto type_name = nb::cast<std::string>(item[2]);
        const auto type = type_name.empty() ? std::nullopt : FindDataType(type_name);
        if (kind == "array") {
            arguments_.push_back(Argument::Pointer(Copy(item[1], nb::cast<bool>(item[3]), type), type));
        } else if (kind == "null") {
            arguments_.push_back(Argument::Pointer(nullptr));
        } else if (kind == "float") {
            arguments_.push_back(Argument::Floating(nb::cast<double>(item[1]), type));
        } else if (kind == "negative") {
            arguments_.push_back(Argument::Integer(nb::cast<int64_t>(item[1]), type));
        } else if (kind == "integer") {
            arguments_.push_back(Argument::Unsigned(nb::cast<uint64_t>(item[1]), type));
        } else if (kind == "beyond") {
            arguments_.push_back(Argument::Beyond(nb::cast<std::string>(item[1])));
        } else if (kind == "list") {
            AddList(nb::cast<nb::list>(item[1]));
        } else if (kind == "struct") {
            AddStruct(nb::cast<nb::tuple>(item[1]));
        } else {
            const auto bytes = nb::cast<nb::bytes>(item[1]);
            AddBytes(std::string(bytes.c_str(), bytes.size()));
        }
    }

    const std::vector<Argument>& arguments() const { return arguments_; }

    // Copies what the kernel wrote to the caller's arrays: all of them, or none when one is read-only and was written.
    void CopyBack() const {
        std::vector<std::vector<GlobalMemory::Changed>> changes;
        for (const Transfer& t : transfers_) {
            changes.push_back(memory_.ChangesOf(t.device));
            for (const auto& [at, bytes] : changes.back()) {
                if (t.writable || std::memcmp(t.host + at, bytes.data(), bytes.size()) == 0) continue;
                throw Error(t.label + ": the kernel wrote to it, but the array is read-only; pass a writable array. " +
                            "No array was changed.");
            }
        }
        for (size_t i = 0; i < transfers_.size(); ++i) {
            for (const auto& [at, bytes] : changes[i]) {
                if (transfers_[i].writable) CopyOut(transfers_[i].host + at, bytes);
            }
        }
    }

private:
    // Of the argument that comes next; one too many does not.
    bool TakesPointer() const {
        const size_t position = arguments_.size();
        return position < kernel_.params.size() && kernel_.params[position].kind == ParamKind::kPointer;
    }

    // Each tensor is (bytes, writable, shape).
    void AddList(const nb::list& items) {
        std::vector<ListedTensor> tensors;
        for (const nb::handle item : items) {
            const auto tensor = nb::cast<nb::tuple>(item);
            uint8_t* data = Copy(tensor[0], nb::cast<bool>(tensor[1]));
            tensors.push_back({data, nb::cast<std::vector<uint64_t>>(tensor[2])});
        }
        const std::string name = AllocationName(arguments_.size(), kernel_);
        uint8_t* list = memory_.AllocateList(tensors, name);
        SetRole(list, false);
        arguments_.push_back(Argument::Pointer(list));
    }

    // (bytes, [(offset, bytes of an array, writable)]): the address of each array stands at its offset.
    void AddStruct(const nb::tuple& value) {
        const auto bytes = nb::cast<nb::bytes>(value[0]);
        std::string data(bytes.c_str(), bytes.size());
        for (const nb::handle item : nb::cast<nb::list>(value[1])) {
            const auto field = nb::cast<nb::tuple>(item);
            const uint8_t* address = Copy(field[1], nb::cast<bool>(field[2]));
            std::memcpy(data.data() + nb::cast<uint64_t>(field[0]), &address, sizeof address);
        }
        AddBytes(std::move(data));
    }

    // What the array holds is given, also where the kernel may write.
    void SetRole(const uint8_t* device, bool writable, std::optional<DataType> type = {}) {
        memory_.SetRole(device, writable ? GlobalMemory::Role::kInOut : GlobalMemory::Role::kInput, type);
    }

    // One array passed twice is one allocation; arrays that share only some bytes are refused.
    uint8_t* Copy(nb::handle given, bool writable, std::optional<DataType> type = {}) {
        const auto array = nb::cast<Bytes>(given);
        auto* host = static_cast<uint8_t*>(const_cast<void*>(static_cast<const void*>(array.data())));
        const uint64_t bytes = array.size();
        const std::string label = Label(arguments_.size(), kernel_);
        for (Transfer& t : transfers_) {
            if (bytes == 0 || t.bytes == 0) continue;
            if (t.host == host && t.bytes == bytes) {
                t.writable = t.writable || writable;
                SetRole(t.device, t.writable, type);
                return t.device;
            }
            if ((writable || t.writable) && host < t.host + t.bytes && t.host < host + bytes) {
                throw Error(label + " and " + t.label +
                            " share memory without being the same array; pass the same array twice, or a copy");
            }
        }
        uint8_t* device = memory_.Borrow(host, bytes, AllocationName(arguments_.size(), kernel_));
        TellPart(memory_, device, given, array);
        SetRole(device, writable, type);
        transfers_.push_back({host, device, bytes, writable, label});
        return device;
    }

    // bytes are a struct by value, or a read-only block of global memory where the kernel takes a pointer.
    void AddBytes(std::string value) {
        uint8_t* device = nullptr;
        if (TakesPointer()) {
            device = memory_.Allocate(value.size(), AllocationName(arguments_.size(), kernel_), value.data());
            SetRole(device, false);
        }
        Argument argument = Argument::Bytes(std::move(value));
        argument.pointer = device;
        arguments_.push_back(std::move(argument));
    }

    GlobalMemory& memory_;
    const KernelInfo& kernel_;
    std::vector<Argument> arguments_;
    std::vector<Transfer> transfers_;
};

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
