// SPDX-License-Identifier: Apache-2.0
// Operator projects for Python: arrays are copied to global memory, and outputs back.
#include "sfumato/op.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "arrays.h"
#include "launch_control.h"
#include "launch_options.h"
#include "line_sink.h"
#include "module.h"
#include "rank_launch.h"

namespace nb = nanobind;

namespace sfumato::python {
namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

// Runs f; a report becomes sfumato.OperatorError.
template <class F>
auto Reported(const F& f) {
    try {
        return f();
    } catch (const KernelError& error) {
        const nb::object type = nb::module_::import_("sfumato._errors").attr("operator_error");
        const nb::object value = type(error.report());
        PyErr_SetObject(value.type().ptr(), value.ptr());
        throw nb::python_error();
    }
}

// (shape, type, format, bytes or None, origin or None): a tensor. The bytes are the caller's as long as the call lives.
op::Tensor TensorOf(const nb::tuple& item) {
    op::Tensor tensor;
    tensor.spec.shape = nb::cast<std::vector<int64_t>>(item[0]);
    const auto type = nb::cast<std::string>(item[1]), format = nb::cast<std::string>(item[2]);
    tensor.spec.type = op::TypeNumber(type);
    tensor.spec.format = op::FormatNumber(format);
    if (tensor.spec.type < 0) throw Error("'" + type + "' is no element type of an operator");
    if (tensor.spec.format < 0) throw Error("'" + format + "' is no format of an operator");
    if (!nb::object(item[4]).is_none()) tensor.spec.origin = nb::cast<std::vector<int64_t>>(item[4]);
    if (!nb::object(item[3]).is_none()) tensor.values = nb::cast<Bytes>(item[3]).data();
    return tensor;
}
std::vector<std::vector<op::Tensor>> TensorsOf(const nb::list& lists) {
    std::vector<std::vector<op::Tensor>> tensors;
    for (const nb::handle list : lists) {
        tensors.emplace_back();
        for (const nb::handle item : nb::cast<nb::list>(list))
            tensors.back().push_back(TensorOf(nb::cast<nb::tuple>(item)));
    }
    return tensors;
}

nb::list ListOf(const std::vector<std::vector<op::Tensor>>& tensors) {
    nb::list lists;
    for (const auto& of_param : tensors) {
        nb::list list;
        for (const op::Tensor& t : of_param) {
            nb::object origin = nb::none();
            if (!t.spec.origin.empty()) origin = nb::tuple(nb::cast(t.spec.origin));
            list.append(nb::make_tuple(nb::tuple(nb::cast(t.spec.shape)), op::TypeName(t.spec.type),
                                       op::FormatName(t.spec.format), origin));
        }
        lists.append(list);
    }
    return lists;
}

nb::list ParamsOf(const std::vector<op::Param>& params) {
    constexpr const char* kKinds[] = {"required", "optional", "dynamic"};
    nb::list list;
    for (const op::Param& p : params) {
        nb::list types, formats;
        for (const int type : p.types) types.append(op::TypeName(type));
        for (const int format : p.formats) formats.append(op::FormatName(format));
        nb::dict d;
        d["name"] = p.name;
        d["kind"] = kKinds[static_cast<int>(p.type)];
        d["types"] = types;
        d["formats"] = formats;
        d["value_depend"] = p.value_depend;
        list.append(d);
    }
    return list;
}

nb::object ValueOf(const op::AttrValue& value) {
    return std::visit([](const auto& v) -> nb::object { return nb::cast(v); }, value);
}

nb::dict DefinitionOf(const op::Operator& loaded) {
    const op::Definition& d = loaded.definition();
    nb::list attrs;
    for (const op::Attr& a : d.attrs) {
        nb::dict attr;
        attr["name"] = a.name;
        attr["type"] = op::AttrTypeName(a.type);
        attr["required"] = a.required;
        attr["default"] = a.required ? nb::none() : ValueOf(a.value);
        attrs.append(attr);
    }
    nb::dict words;
    words["name"] = d.name;
    words["inputs"] = ParamsOf(d.inputs);
    words["outputs"] = ParamsOf(d.outputs);
    words["attrs"] = attrs;
    words["chips"] = d.chips;
    words["groups"] = d.groups;
    words["columns"] = d.columns;
    words["kernel_source"] = loaded.origin().kernel_source;
    words["host_sources"] = loaded.origin().sources;
    words["from_cache"] = loaded.origin().host_from_cache;
    words["warnings"] = loaded.origin().warnings;
    words["chip"] = loaded.chip();
    return words;
}

// Arrays in global memory. One array given twice is one allocation. who: in front of their names, "rank 3: ".
class Copies {
public:
    explicit Copies(GlobalMemory& memory, std::string who = "") : memory_(memory), who_(std::move(who)) {}

    uint8_t* Add(const std::string& name, nb::handle given, bool output) {
        const auto array = nb::cast<Bytes>(given);
        auto* host = static_cast<uint8_t*>(const_cast<void*>(static_cast<const void*>(array.data())));
        for (Copy& c : copies_) {
            if (c.host != host || c.bytes != array.size() || c.bytes == 0) continue;
            if (output) memory_.SetRole(c.device, GlobalMemory::Role::kInOut);
            return c.device;
        }
        uint8_t* device = output ? memory_.Allocate(array.size(), name) : memory_.Borrow(host, array.size(), name);
        TellPart(memory_, device, given, array);
        memory_.SetRole(device, output ? GlobalMemory::Role::kOutput : GlobalMemory::Role::kInput);
        copies_.push_back({host, device, array.size(), !output, who_ + name});
        return device;
    }
    // What the kernel changed. Inputs too, as a board has no other memory than the tensor's.
    std::vector<ArgumentList::Change> Changes() const {
        std::vector<ArgumentList::Change> changes;
        for (const Copy& c : copies_) {
            const bool changed = !c.lent && c.bytes != 0 && std::memcmp(c.host, c.device, c.bytes) != 0;
            if (changed) changes.push_back({c.host, {c.device, c.bytes}, &c.label});
            if (!c.lent) continue;
            for (const auto& [at, bytes] : memory_.ChangesOf(c.device))
                changes.push_back({c.host + at, bytes, &c.label});
        }
        return changes;
    }
    void Free() {
        for (const Copy& c : copies_) memory_.Free(c.device);
        copies_.clear();
    }

private:
    struct Copy {
        uint8_t *host, *device;
        uint64_t bytes;
        bool lent;
        std::string label;
    };
    GlobalMemory& memory_;
    const std::string who_;
    std::vector<Copy> copies_;
};

std::vector<std::vector<uint8_t*>> Place(Copies& copies, const std::vector<op::Param>& params, const nb::list& arrays,
                                         bool output) {
    std::vector<std::vector<uint8_t*>> places;
    for (size_t i = 0; i < params.size(); ++i) {
        places.emplace_back();
        size_t j = 0;
        for (const nb::handle array : nb::cast<nb::list>(arrays[i])) {
            const bool list = params[i].type == op::ParamType::kDynamic;
            const std::string name = list ? params[i].name + "[" + std::to_string(j++) + "]" : params[i].name;
            places.back().push_back(copies.Add(name, array, output));
        }
    }
    return places;
}

op::Operator::Places PlacesOf(Copies& copies, const op::Operator& loaded, const op::Tiling& tiling,
                              GlobalMemory& memory, const nb::list& inputs, const nb::list& outputs) {
    op::Operator::Places places;
    places.inputs = Place(copies, loaded.definition().inputs, inputs, false);
    places.outputs = Place(copies, loaded.definition().outputs, outputs, true);
    if (const uint64_t bytes = loaded.WorkspaceBytes(tiling); bytes != 0) {
        places.workspace = memory.Allocate(bytes, "workspace");
        memory.SetRole(places.workspace, GlobalMemory::Role::kWorkspace);
    }
    return places;
}

LaunchResult RunOperator(const op::Operator& loaded, const op::Call& call, const op::Tiling& tiling,
                         const nb::list& inputs, const nb::list& outputs, const nb::dict& option_words) {
    LaunchOptions options = LaunchOptionsOf(Route::kOperator, option_words);
    LineSink log(option_words["log"]), print(option_words["print"]);
    options.log = log.function();
    options.print = print.function();
    GlobalMemory memory(GlobalMemory::Options{.fill = options.fill});
    Copies copies(memory);
    const op::Operator::Places places = PlacesOf(copies, loaded, tiling, memory, inputs, outputs);
    LaunchControl control(options, option_words["progress"]);
    LaunchResult result = Reported([&] {
        nb::gil_scoped_release release;
        return loaded.Run(call, tiling, places, memory, options);
    });
    log.Rethrow();
    print.Rethrow();
    control.Rethrow(result);
    if (!result.ok()) return result;
    for (const ArgumentList::Change& change : copies.Changes()) CopyOut(change.host, change.bytes);
    return result;
}

}  // namespace

bool IsOperator(nb::handle launched) { return nb::isinstance<op::Operator>(launched); }

RankLaunch LaunchOfOperator(RankWorld& world, const nb::tuple& work, const LaunchOptions& common) {
    const auto rank = nb::cast<uint32_t>(work[0]);
    const auto loaded = nb::cast<std::shared_ptr<op::Operator>>(work[1]);
    const auto& call = nb::cast<const op::Call&>(work[2]);
    const auto& tiling = nb::cast<const op::Tiling&>(work[3]);
    GlobalMemory& memory = world.memory(rank);
    const auto copies = std::make_shared<Copies>(memory, "rank " + std::to_string(rank) + ": ");
    const auto places = std::make_shared<op::Operator::Places>();
    RankLaunch launch;
    launch.changes = [copies] { return copies->Changes(); };
    launch.free = [copies, places, &memory] {
        copies->Free();
        if (places->workspace) memory.Free(places->workspace);
    };
    op::Operator::Ready ready;
    try {
        *places = PlacesOf(*copies, *loaded, tiling, memory, nb::cast<nb::list>(work[4]), nb::cast<nb::list>(work[5]));
        ready = Reported([&] {
            const nb::gil_scoped_release release;
            return loaded->MakeReady(call, tiling, *places, memory, common);
        });
    } catch (...) {
        launch.free();
        throw;
    }
    for (Report found : tiling.findings) {
        found.rank = rank;
        launch.found.push_back(std::move(found));
    }
    launch.work = {rank, ready.blocks, std::move(ready.options), std::move(ready.kernel)};
    return launch;
}

void BindOp(nb::module_& m) {
    nb::class_<op::Call>(m, "OperatorCall").def_prop_ro("outputs", [](const op::Call& c) { return ListOf(c.outputs); });

    nb::class_<op::Tiling>(m, "OperatorTiling", "What a tiling function chose; the fields may be changed for op.run.")
        .def_rw("blocks", &op::Tiling::blocks)
        .def_rw("key", &op::Tiling::key)
        .def_prop_rw(
            "data", [](const op::Tiling& t) { return nb::bytes(t.data.data(), t.data.size()); },
            [](op::Tiling& t, const nb::bytes& data) { t.data.assign(data.c_str(), data.size()); })
        .def_rw("workspaces", &op::Tiling::workspaces)
        .def_rw("schedule_mode", &op::Tiling::schedule_mode)
        .def_ro("atomic", &op::Tiling::atomic)
        .def_ro("log", &op::Tiling::log)
        .def_ro("findings", &op::Tiling::findings);

    nb::class_<op::Operator>(m, "NativeOperator")
        .def_prop_ro("definition", &DefinitionOf)
        .def(
            "prepare",
            [](const op::Operator& self, const nb::list& inputs,
               const std::vector<std::pair<std::string, op::AttrValue>>& attrs, const nb::object& outputs,
               bool strict) {
                return Reported([&] {
                    return self.Prepare(TensorsOf(inputs), attrs,
                                        outputs.is_none() ? std::vector<std::vector<op::Tensor>>()
                                                          : TensorsOf(nb::cast<nb::list>(outputs)),
                                        strict);
                });
            },
            nb::arg("inputs"), nb::arg("attrs"), nb::arg("outputs").none(), nb::arg("strict"))
        .def("tile",
             [](const op::Operator& self, const op::Call& call) { return Reported([&] { return self.Tile(call); }); })
        .def("run", &RunOperator);

    m.def("snake_name", [](const std::string& name) { return op::SnakeName(name); });
    m.def("load_op", [](const std::string& folder, const std::string& chip, const std::string& name,
                        const Words& defines, const std::vector<std::string>& include_dirs,
                        const std::vector<std::string>& flags, bool strict, const std::string& cache_dir) {
        return Reported([&] {
            nb::gil_scoped_release release;
            return op::Operator::Load({.folder = folder,
                                       .chip = chip,
                                       .op = name,
                                       .defines = defines,
                                       .include_dirs = include_dirs,
                                       .flags = flags,
                                       .cache_dir = cache_dir,
                                       .strict = strict});
        });
    });
}

}  // namespace sfumato::python
