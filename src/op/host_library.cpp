// SPDX-License-Identifier: Apache-2.0
// Loading of host code, and its functions on a call (clients.md 6.3, 6.7).
#include "op/host_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <mutex>

#include "op/definition.h"
#include "op/fractals.h"
#include "op/host_call.h"
#include "op/run_host.h"
#include "soc/chip.h"

namespace sfumato::op {

struct HostLibrary::Impl {
    // An operator with its definition, or why there is none.
    struct Entry {
        const Registry::Definition* registered;
        std::shared_ptr<ops::OpDef> def;
        HostFunctions functions;
        std::exception_ptr error;
    };
    struct Info {
        std::shared_ptr<void> info;
    };

    std::shared_ptr<Registry> registry;
    std::map<std::string, Entry> entries;
    std::mutex mutex;                                           // of infos
    std::map<std::pair<std::string, std::string>, Info> infos;  // by operator and chip

    const Entry& Of(const std::string& name) const;
    std::shared_ptr<void> InfoFor(const Entry& entry, HostCall& host, Said& said, const std::string& chip);
};

namespace {

// Registrations by the handle of their library: the same file loaded again registers nothing. Libraries stay loaded.
std::shared_ptr<Registry> RegistryOf(const std::string& path, int mode) {
    static std::mutex mutex;
    static auto* loaded = new std::map<void*, std::shared_ptr<Registry>>;
    std::lock_guard lock(mutex);
    auto registry = std::make_shared<Registry>();
    void* handle = nullptr;
    {
        const LoadInto scope(*registry);
        handle = dlopen(path.c_str(), mode | RTLD_LOCAL);
    }
    if (handle == nullptr) {
        const char* why = dlerror();
        throw Error(fmt::format("cannot load the host code {}: {}", path, why ? why : "unknown"));
    }
    return loaded->try_emplace(handle, registry).first->second;
}

Said SaidFor(const Call& call) {
    Said said;
    said.chip = soc::FindChip(call.chip).name;
    said.strict = call.strict;
    return said;
}

// Values for inputs that host code reads; the others have none.
Call WithValues(const Definition& definition, const Call& call, const std::vector<size_t>& reads, const char* what,
                Where where) {
    Call result = call;
    const bool sees_all = soc::FindChip(call.chip).host_sees_inputs;
    for (size_t i = 0; i < result.inputs.size() && i < definition.inputs.size(); ++i) {
        const bool read = std::ranges::find(reads, i) != reads.end();
        for (size_t k = 0; k < result.inputs[i].size(); ++k) {
            op::Tensor& tensor = result.inputs[i][k];
            if (!read && !sees_all && !definition.inputs[i].value_depend) tensor.values = nullptr;
            if (!read || tensor.values) continue;
            Report report = ToReport({Rule::kOpInput, definition.inputs[i].name,
                                      fmt::format("{} reads the values of the input, and they are not known", what),
                                      "a shape and a type", "an array", ""},
                                     definition.name, where);
            throw KernelError(Stamped(std::move(report), soc::FindChip(call.chip).name));
        }
    }
    return result;
}

}  // namespace

const HostLibrary::Impl::Entry& HostLibrary::Impl::Of(const std::string& name) const {
    const auto found = entries.find(name);
    if (found != entries.end()) return found->second;
    std::string names;
    for (const auto& definition : registry->definitions) names += (names.empty() ? "" : ", ") + definition.name;
    throw Error(fmt::format("the host code has no OP_ADD({}); it has {}", name, names.empty() ? "none" : names));
}

HostLibrary::HostLibrary(const std::string& path) : impl_(std::make_unique<Impl>()) {
    impl_->registry = RegistryOf(path, RTLD_NOW);
    for (const Registry::Definition& definition : impl_->registry->definitions) {
        Impl::Entry& entry = impl_->entries[definition.name];
        entry.registered = &definition;
        const auto functions = impl_->registry->functions.find(definition.name);
        if (functions != impl_->registry->functions.end()) entry.functions = functions->second;
        Said said;
        try {
            RunHost(Rule::kOpDefinition, definition.name, "the constructor of the definition", said, definition.where,
                    [&] { return entry.def = definition.make(definition.name.c_str()), ge::GRAPH_SUCCESS; });
            DefinitionReader::AddFunctions(*entry.def, definition.info, entry.functions);
        } catch (const KernelError&) {
            entry.error = std::current_exception();
        }
    }
}

HostLibrary::~HostLibrary() = default;

std::vector<std::string> HostLibrary::names() const {
    std::vector<std::string> names;
    for (const Registry::Definition& definition : impl_->registry->definitions) {
        if (std::ranges::find(names, definition.name) == names.end()) names.push_back(definition.name);
    }
    return names;
}

Definition HostLibrary::DefinitionFor(const std::string& name, const std::string& chip, bool strict) const {
    const Impl::Entry& entry = impl_->Of(name);
    if (entry.error) std::rethrow_exception(entry.error);
    Said said;
    said.chip = soc::FindChip(chip).name;
    const SayTo scope(said);
    const auto& all = impl_->registry->definitions;
    const auto first = std::ranges::find_if(all, [&](const auto& one) { return one.name == name; });
    if (&*first != entry.registered)
        Fault({Rule::kOpDefinition, "", "the operator is defined twice", "OP_ADD twice",
               fmt::format("one, as in {}:{}", first->where.file, first->where.line), ""},
              name, entry.registered->where);
    return DefinitionReader::Read(*entry.def, *entry.registered, chip, strict);
}

std::vector<std::string> HostLibrary::Units(const std::string& name) const {
    const Impl::Entry& entry = impl_->Of(name);
    return entry.def ? DefinitionReader::Units(*entry.def) : std::vector<std::string>();
}

bool HostLibrary::HasUnit(const std::string& name, const std::string& chip) const {
    const Impl::Entry& entry = impl_->Of(name);
    return entry.def && DefinitionReader::HasUnit(*entry.def, chip);
}

std::vector<Registered> RegisteredIn(const std::string& path) {
    std::vector<Registered> all;
    for (const Registry::Definition& one : RegistryOf(path, RTLD_LAZY)->definitions) {
        const bool known = std::ranges::any_of(all, [&](const Registered& r) { return r.op == one.name; });
        if (!known) all.push_back({one.name, one.where.file});
    }
    return all;
}

std::vector<HostLibrary::TilingClass> HostLibrary::TilingClasses(const std::string& name) const {
    std::vector<TilingClass> classes;
    for (const Registry::TilingClass& one : impl_->registry->classes) {
        if (one.op == one.name + "Op") continue;  // nested
        const bool suffix = one.op.size() > name.size() + 1 && one.op[name.size()] == '_' &&
                            one.op.find_first_not_of("0123456789", name.size() + 1) == std::string::npos;
        if (one.op.compare(0, name.size(), name) != 0 || (one.op != name && !suffix)) continue;
        classes.push_back({one.op.substr(name.size()), one.name, one.bytes});
    }
    return classes;
}

namespace {

// The inputs that outputs follow, by name; nullptr: absent.
const op::Tensor* LeaderOf(const Definition& definition, const Call& call, const Param& output) {
    for (size_t i = 0; i < definition.inputs.size() && i < call.inputs.size(); ++i) {
        if (definition.inputs[i].name == output.follow && !call.inputs[i].empty()) return &call.inputs[i][0];
    }
    return nullptr;
}

// The shape in memory of an output with these dimensions. In FRACTAL_NZ the fractals are those of inputs of its type.
void LayOut(const Call& call, std::vector<int64_t> origin, Spec& output) {
    output.origin.clear();
    output.shape = std::move(origin);
    if (output.format != kFractalNz || output.shape.size() < 2) return;
    int64_t columns = FractalColumns(output.type);
    for (const std::vector<op::Tensor>& tensors : call.inputs) {
        for (const op::Tensor& t : tensors) {
            if (t.spec.format == kFractalNz && t.spec.type == output.type && t.spec.shape.size() >= 4)
                columns = t.spec.shape.back();
        }
    }
    output.origin = output.shape;
    output.shape = NzShape(output.origin, columns);
}

// With every output that an inference function may ask for: those that are not given, optional ones too, have the
// column's type, or that of the input they follow, and no dimensions.
Call WithOutputs(const Definition& definition, const Call& call) {
    Call result = call;
    for (size_t i = 0; i < definition.outputs.size(); ++i) {
        const Param& param = definition.outputs[i];
        if (!result.outputs[i].empty() || param.type == ParamType::kDynamic) continue;
        op::Tensor output{{{}, param.types.at(call.column), param.formats.at(call.column)}, nullptr};
        const op::Tensor* leader = LeaderOf(definition, call, param);
        if (leader && param.follow_type) output.spec.type = leader->spec.type;
        if (leader && param.follow_shape) LayOut(call, OriginOf(leader->spec), output.spec);
        result.outputs[i] = {output};
    }
    return result;
}

// What InferShape left in a tensor.
std::vector<int64_t> InferredShape(const Definition& definition, const Param& output, const gert::Shape& shape,
                                   Where where) {
    std::vector<int64_t> dims;
    std::string text;
    for (size_t d = 0; d < shape.GetDimNum(); ++d) {
        dims.push_back(shape.GetDim(d));
        text += fmt::format("{}{}", d ? ", " : "", dims.back());
    }
    if (std::ranges::any_of(dims, [](int64_t dim) { return dim < 0; }))
        Fault({Rule::kOpInfer, output.name, "InferShape gives a negative dimension", "(" + text + ")",
               "dimensions of 0 or more: every shape is known here", ""},
              definition.name, where);
    return dims;
}

}  // namespace

bool HostLibrary::Infer(const Definition& definition, Call& call) const {
    const HostFunctions& functions = impl_->Of(definition.name).functions;
    call.outputs.resize(definition.outputs.size());
    std::vector<size_t> wanted;
    for (size_t i = 0; i < definition.outputs.size(); ++i) {
        const Param& param = definition.outputs[i];
        if (!call.outputs[i].empty() || param.type != ParamType::kRequired) continue;
        wanted.push_back(i);
        const bool follows = param.follow_shape && LeaderOf(definition, call, param);
        if (!functions.infer_shape && !follows) return false;
    }
    if (wanted.empty()) return true;

    Said said = SaidFor(call);
    const Where where = functions.infer_where;
    const Call whole =
        WithValues(definition, WithOutputs(definition, call), functions.shape_reads, "InferShape", where);
    HostCall host(definition, whole);
    if (functions.infer_shape) {
        gert::InferShapeContext context(&host);
        RunHost(Rule::kOpInfer, definition.name, "InferShape", said, where,
                [&] { return functions.infer_shape(&context); });
    }
    if (functions.infer_type) {
        gert::InferDataTypeContext context(&host);
        RunHost(Rule::kOpInfer, definition.name, "InferDataType", said, where,
                [&] { return functions.infer_type(&context); });
    }
    const SayTo scope(said);
    std::vector<op::Tensor> inferred;
    for (const size_t i : wanted) {
        const gert::Tensor& tensor = host.outputs.tensors[host.outputs.anchors[i].GetInstanceStart()];
        op::Tensor output = whole.outputs[i][0];
        output.spec.type = tensor.GetDataType();
        if (!ge::TypeUtils::IsDataTypeValid(tensor.GetDataType()))
            Fault({Rule::kOpInfer, definition.outputs[i].name, "InferDataType gives a type that is none",
                   fmt::format("{}", output.spec.type), "a ge::DataType", ""},
                  definition.name, where);
        LayOut(call, InferredShape(definition, definition.outputs[i], tensor.GetOriginShape(), where), output.spec);
        if (output.spec.format == kFractalNz && output.spec.origin.empty())
            Fault({Rule::kOpInfer, definition.outputs[i].name, "only matrices lie in FRACTAL_NZ", Describe(output.spec),
                   "two dimensions or more: InferShape gives those of the origin", ""},
                  definition.name, where);
        inferred.push_back(std::move(output));
    }
    for (size_t k = 0; k < wanted.size(); ++k) call.outputs[wanted[k]] = {inferred[k]};
    call.log = std::move(said.log);
    call.findings = std::move(said.findings);
    return true;
}

std::shared_ptr<void> HostLibrary::Impl::InfoFor(const Entry& entry, HostCall& host, Said& said,
                                                 const std::string& chip) {
    const HostFunctions& functions = entry.functions;
    if (!functions.parse) return nullptr;
    std::lock_guard lock(mutex);
    const auto key = std::make_pair(entry.registered->name, chip);
    if (const auto known = infos.find(key); known != infos.end()) return known->second.info;
    const std::shared_ptr<void> info = functions.make_info();
    host.info = info.get();
    host.info_type = functions.info_type;
    gert::TilingParseContext context(&host);
    RunHost(Rule::kOpTiling, host.definition.name, "TilingParse", said, functions.tiling_where,
            [&] { return functions.parse(&context); });
    infos[key] = {info};
    return info;
}

Tiling HostLibrary::Tile(const Definition& definition, const Call& call) const {
    const Impl::Entry& entry = impl_->Of(definition.name);
    const HostFunctions& functions = entry.functions;
    const Where defined{definition.source.c_str(), definition.line};
    Said said = SaidFor(call);
    if (functions.tiling == nullptr) {
        const SayTo scope(said);
        Fault({Rule::kOpTiling, "", "the operator has no tiling function", "none",
               "AICore().SetTiling(function), or IMPL_OP_OPTILING(Op).Tiling(function)", ""},
              definition.name, defined);
    }
    const Where where = functions.tiling_where;
    const Call with_values = WithValues(definition, call, functions.tiling_reads, "the tiling function", where);
    HostCall host(definition, with_values);
    const std::vector<TilingClass> classes = TilingClasses(definition.name);
    for (const TilingClass& one : classes) host.data.sfumato_reserve(one.bytes);
    const std::shared_ptr<void> info = impl_->InfoFor(entry, host, said, call.chip);
    host.info = info.get();
    host.info_type = functions.info_type;
    gert::TilingContext context(&host);
    RunHost(Rule::kOpTiling, definition.name, "the tiling function", said, where,
            [&] { return functions.tiling(&context); });

    const SayTo scope(said);
    const auto fault = [&](Rule rule, std::string message, std::string found, std::string legal, std::string hint) {
        Fault({rule, "", std::move(message), std::move(found), std::move(legal), std::move(hint)}, definition.name,
              where);
    };
    if (host.blocks == 0)
        fault(Rule::kOpBlocks, "the tiling function did not set the number of blocks", "no SetBlockDim", "1 to 65535",
              "");
    if (host.data.sfumato_overrun())
        fault(Rule::kOpTilingData, "the tiling function writes behind the buffer of the tiling data",
              "more bytes than that", fmt::format("{} bytes (GetCapacity)", host.data.GetCapacity()),
              "GetTilingData<Struct>() makes the buffer as large as the struct");
    if (host.data.GetDataSize() == 0 && host.data.sfumato_touched())
        fault(Rule::kOpTilingData, "the tiling data were written, and their size was not set", "0 bytes",
              "GetRawTilingData()->SetDataSize(size)", "");
    if (host.data.GetDataSize() == 0 && !classes.empty())
        fault(Rule::kOpTilingData,
              fmt::format("the tiling data were never written: {} is registered", classes.front().name), "0 bytes",
              fmt::format("{} bytes", classes.front().bytes), "");
    Tiling tiling;
    for (size_t i = 0; i < host.workspace_count; ++i) {
        if (host.workspaces[i] == HostCall::kUnsetWorkspace)
            Fault({Rule::kOpWorkspace, "", fmt::format("workspace {} of {} has no size", i, host.workspace_count),
                   "not set", "a number of bytes", ""},
                  "GetWorkspaceSizes", host.workspace_where);
        tiling.workspaces.push_back(host.workspaces[i]);
    }
    for (size_t i = host.workspace_count; i < host.workspaces.size(); ++i) {
        if (host.workspaces[i] != HostCall::kUnsetWorkspace)
            Fault({Rule::kOpWorkspace, "", "more workspaces get a size than were asked for",
                   fmt::format("a size of workspace {}", i), fmt::format("{} asked for", host.workspace_count), ""},
                  "GetWorkspaceSizes", host.workspace_where);
    }
    tiling.blocks = host.blocks;
    tiling.key = host.key;
    tiling.data.assign(static_cast<const char*>(host.data.GetData()), host.data.GetDataSize());
    tiling.schedule_mode = host.schedule_mode;
    tiling.atomic = host.atomic;
    tiling.log = call.log + said.log;
    tiling.findings = call.findings;
    tiling.findings.insert(tiling.findings.end(), said.findings.begin(), said.findings.end());
    return tiling;
}

}  // namespace sfumato::op
