// SPDX-License-Identifier: Apache-2.0
// A loaded operator: host code, kernels by what they were compiled for, and runs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>

#include "host/type_bits.h"
#include "jit/build_defines.h"
#include "jit/source_file.h"
#include "op/host_compile.h"
#include "op/host_library.h"
#include "op/launch_blocks.h"
#include "op/mc2.h"
#include "op/prepare.h"
#include "op/project.h"
#include "report/rules.h"
#include "sfumato/half.h"
#include "sfumato/jit.h"
#include "sfumato/letters.h"
#include "sfumato/tiling/type_words.h"
#include "soc/chip.h"

namespace sfumato::op {
namespace {

// A launch has one workspace: as large as all that the tiling function asked for (clients.md 5).
uint64_t AskedBytes(const Tiling& tiling) {
    return std::accumulate(tiling.workspaces.begin(), tiling.workspaces.end(), uint64_t{0});
}

}  // namespace

struct Operator::Impl {
    LoadOptions options;
    std::string chip;
    Project project;
    std::unique_ptr<HostObject> object;  // outlives what is loaded from it
    std::unique_ptr<HostLibrary> library;
    Definition definition;
    Origin origin;
    jit::Mentions mentions;  // of the kernel's source
    CompileOptions kernel;   // of every compilation
    bool by_key = false;     // the key decides what is compiled

    std::mutex mutex;
    std::map<std::string, std::shared_ptr<CompiledKernels>> kernels;  // by the words that decide

    void ReadKernel();
    std::shared_ptr<CompiledKernels> KernelsFor(const Call& call, const Tiling& tiling);
    const KernelInfo& KernelOf(const CompiledKernels& kernels, const Call& call) const;
    std::string KernelName() const {
        return !definition.kernel.empty() ? definition.kernel : SnakeName(definition.name);
    }
};

void Operator::Impl::ReadKernel() {
    kernel.source = origin.kernel_source;
    kernel.chip = chip;
    kernel.defines = options.defines;
    kernel.include_dirs = options.include_dirs;
    kernel.include_dirs.insert(kernel.include_dirs.end(), project.include_dirs.begin(), project.include_dirs.end());
    kernel.flags = options.flags;
    kernel.cache_dir = options.cache_dir;
    const std::string text = jit::ReadSource(kernel.source);
    mentions = jit::FindMentions(kernel.source, text, kernel.include_dirs);
    kernel.tiling_headers = TilingHeaders(project, definition.name, mentions.files, object->cache->dir() + "/tiling");
    by_key = mentions.templates || mentions.by_key;
    for (const HostLibrary::TilingClass& c : library->TilingClasses(definition.name)) {
        if (!c.key.empty()) {
            by_key = true;
        } else if (!kernel.tiling_headers.empty()) {
            kernel.tiling_operator = definition.name;
        }
    }
    if (by_key) kernel.tiling_operator.clear();
    origin.key_decides = by_key;
}

std::shared_ptr<CompiledKernels> Operator::Impl::KernelsFor(const Call& call, const Tiling& tiling) {
    CompileOptions compile = kernel;
    std::string words;
    const auto add = [&](const Param& p) {
        if (!mentions.types.contains(Upper(p.name))) return;
        if (std::ranges::any_of(compile.dtypes, [&](const auto& d) { return d.first == p.name; })) return;
        const int type = p.types.at(call.column), format = p.formats.at(call.column);
        const char* word = tiling::NameOfType(static_cast<uint64_t>(type));
        if (!word) {
            RefuseCall(definition, {Rule::kOpCombination, p.name, "kernels have no such element type here",
                                    TypeName(type), "a type of a kernel: half, float, int32_t ...", ""});
        }
        compile.dtypes.emplace_back(p.name, word);
        compile.formats.emplace_back(p.name, FormatName(format));
        words += fmt::format("{} {} {};", p.name, type, format);
    };
    for (const Param& p : definition.inputs) add(p);
    for (const Param& p : definition.outputs) add(p);
    if (by_key) {
        compile.tiling_key = tiling.key;
        words += fmt::format("key {}", tiling.key);
    }
    std::lock_guard lock(mutex);
    std::shared_ptr<CompiledKernels>& found = kernels[words];
    if (found) return found;
    try {
        found = Compile(compile);
    } catch (const CompileError& error) {
        // The same source may compile for other types.
        const std::string text = error.what();
        std::vector<std::string> types;
        for (const auto& [name, word] : compile.dtypes) types.push_back(name + " " + word);
        if (types.empty()) throw;
        throw CompileError(fmt::format("{} with {}", text.substr(0, text.find('\n')), fmt::join(types, ", ")),
                           error.messages());
    }
    return found;
}

const KernelInfo& Operator::Impl::KernelOf(const CompiledKernels& compiled, const Call& call) const {
    const std::string name = KernelName();
    const KernelInfo* found = nullptr;
    std::vector<std::string> names;
    for (const KernelInfo& k : compiled.kernels()) {
        names.push_back(k.name);
        const std::string base = k.name.substr(0, k.name.find('<'));
        if (base == name || base.ends_with("::" + name)) found = &k;
    }
    Finding finding{Rule::kOpKernel, "", "", "", "", ""};
    const size_t count = definition.inputs.size() + definition.outputs.size() + 2;
    const auto is_pointer = [](const KernelParam& p) { return p.kind == ParamKind::kPointer; };
    if (!found) {
        finding.message = fmt::format("{} has no kernel of the operator's name", origin.kernel_source);
        finding.found = fmt::format("{}", fmt::join(names, ", "));
        finding.legal = name;
        finding.hint = "the name is the operator's in snake case, or that of opInterface.value";
    } else if (found->params.size() != count || !std::ranges::all_of(found->params, is_pointer)) {
        std::vector<std::string> want;
        for (const Param& p : definition.inputs) want.push_back(p.name);
        for (const Param& p : definition.outputs) want.push_back(p.name);
        finding.message = "the kernel's parameters are not those of the operator";
        finding.found = found->Signature();
        finding.legal = fmt::format("{} pointers: {}, workspace, tiling", count, fmt::join(want, ", "));
    } else {
        return *found;
    }
    Report report =
        ToReport(std::move(finding), definition.name, {origin.kernel_source.c_str(), found ? found->line : 0});
    throw KernelError(Stamped(std::move(report), soc::FindChip(call.chip).name));
}

std::shared_ptr<Operator> Operator::Load(const LoadOptions& options) {
    auto impl = std::make_unique<Impl>();
    impl->options = options;
    impl->chip = soc::FindChip(options.chip).product;
    impl->project = FindProject(options.folder, options.op, soc::FindChip(impl->chip).vector_registers);
    impl->object = CompileHost(impl->project, options);
    impl->library = std::make_unique<HostLibrary>(impl->object->path);
    const std::vector<std::string> names = impl->library->names();
    const std::string host = impl->project.folder + "/op_host";
    const auto refuse = [&](const std::string& message, const std::string& found, const std::string& legal,
                            const std::string& hint = "") {
        throw KernelError(ToReport({Rule::kOpProject, "", message, found, legal, hint}, "", {host.c_str(), 0}));
    };
    const std::string all = fmt::format("{}", fmt::join(names, ", "));
    if (names.empty() && !impl->project.left_out.empty()) std::rethrow_exception(impl->project.left_out[0].why);
    if (names.empty()) refuse("the host code registers no operator", "no OP_ADD", "OP_ADD(Name);");
    if (options.op.empty() && names.size() > 1)
        refuse("the host code registers several operators, and none is named", all, "one of them", "name it with op=");
    const std::string name = options.op.empty() ? names[0] : options.op;
    if (std::ranges::find(names, name) == names.end()) {
        // It may be in one of these: their faults are what keeps it from being there.
        for (const auto* left_out : {&impl->object->left_out, &impl->project.left_out}) {
            if (!left_out->empty()) std::rethrow_exception(left_out->front().why);
        }
        refuse("the host code does not register the operator", name, all);
    }
    impl->definition = impl->library->DefinitionFor(name, impl->chip, options.strict);
    impl->origin.host_from_cache = impl->object->from_cache;
    impl->origin.sources = impl->project.host_sources;
    impl->origin.warnings = impl->object->warnings;
    impl->origin.kernel_source = FindKernelSource(impl->project, impl->definition);
    impl->ReadKernel();
    return std::make_shared<Operator>(std::move(impl));
}

Operator::Operator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Operator::~Operator() = default;
const Definition& Operator::definition() const { return impl_->definition; }
const Origin& Operator::origin() const { return impl_->origin; }
const std::string& Operator::chip() const { return impl_->chip; }

namespace {

// The number of the input that an output is, by its name; that of inputs: none.
size_t InputLike(const Definition& d, const Param& output) {
    const auto same = std::ranges::find_if(d.inputs, [&](const Param& p) { return p.name == output.name; });
    return static_cast<size_t>(same - d.inputs.begin());
}

// Outputs that are inputs, too, are as these. False when there is another.
bool TakeFromInputs(const Definition& d, Call& call) {
    call.outputs.assign(d.outputs.size(), {});
    for (size_t i = 0; i < d.outputs.size(); ++i) {
        const size_t same = InputLike(d, d.outputs[i]);
        if (same == d.inputs.size()) return false;
        call.outputs[i] = call.inputs[same];
    }
    return true;
}

}  // namespace

Call Operator::Prepare(std::vector<std::vector<Tensor>> inputs, NamedAttrs attrs,
                       std::vector<std::vector<Tensor>> outputs, bool strict) const {
    const Definition& d = impl_->definition;
    Call call;
    call.chip = impl_->chip;
    call.strict = strict;
    call.inputs = std::move(inputs);
    CheckTensors(d, "input", d.inputs, call.inputs);
    call.attrs = ChooseAttrs(d, attrs);
    const bool given = !outputs.empty();
    Call whole = call;
    if (given) {
        whole.outputs = std::move(outputs);
        CheckTensors(d, "output", d.outputs, whole.outputs);
    }
    whole.column = call.column = ChooseColumn(d, given ? whole : call);
    if (given) {
        call.inputs = whole.inputs;
        // All are inferred again, except the dynamic ones: nothing else tells how many there are.
        call.outputs.assign(d.outputs.size(), {});
        for (size_t i = 0; i < d.outputs.size(); ++i) {
            if (d.outputs[i].type == ParamType::kDynamic) call.outputs[i] = whole.outputs[i];
        }
    }
    const bool inferred = impl_->library->Infer(d, call);
    if (given) {
        const std::vector<Report> warnings = inferred ? CheckOutputs(d, whole, call) : std::vector<Report>();
        whole.log = std::move(call.log);
        whole.findings = std::move(call.findings);
        for (const Report& warning : warnings)
            whole.findings.push_back(Stamped(warning, soc::FindChip(whole.chip).name));
        return whole;
    }
    if (!inferred && !TakeFromInputs(d, call)) {
        RefuseCall(d, {Rule::kOpOutputShape, d.outputs.empty() ? "" : d.outputs[0].name,
                       "nothing tells the shapes of the outputs", "no InferShape, and no Follow",
                       "an inference function, or outputs that the caller gives",
                       "pass out= with arrays, or with (shape, dtype)"});
    }
    for (size_t i = 0; i < d.outputs.size(); ++i) {
        const Param& p = d.outputs[i];
        if (p.type != ParamType::kDynamic || !call.outputs[i].empty()) continue;
        const auto same = InputLike(d, p);
        if (same == d.inputs.size()) {
            RefuseCall(d, {Rule::kOpOutputShape, p.name, "nothing tells how many tensors the output has",
                           "a dynamic output, and no out", "outputs that the caller gives",
                           "pass out= with a list of arrays, or of (shape, dtype)"});
        }
        call.outputs[i] = call.inputs[same];
    }
    call.column = ChooseColumn(d, call);  // types that were inferred count as well
    return call;
}

Tiling Operator::Tile(const Call& call) const {
    Tiling tiling = impl_->library->Tile(impl_->definition, call);
    for (Report& warning : AlgorithmsOfTiling(tiling.data, call.chip, impl_->definition.name))
        tiling.findings.push_back(std::move(warning));
    return tiling;
}

uint64_t Operator::WorkspaceBytes(const Tiling& tiling) const {
    const uint64_t asked = AskedBytes(tiling);
    return asked >= kSystemWorkspaceBytes ? asked - kSystemWorkspaceBytes : asked;
}

namespace {

void FillTyped(uint8_t* to, uint64_t count, int type, double value) {
    host::VisitType(type, [&]<class T>(T) {
        const T typed = host::ElementOf<T>(value);
        for (uint64_t i = 0; i < count; ++i) std::memcpy(to + i * sizeof typed, &typed, sizeof typed);
    });
}

uint64_t CountOf(const Spec& spec) {
    uint64_t count = 1;
    for (const int64_t d : spec.shape) count *= static_cast<uint64_t>(d);
    return count;
}

}  // namespace

// What to do about what the host told the kernel: here a tiling function tells it.
void Operator::SayOfTiling(std::vector<Report>* findings) {
    for (Report& finding : *findings) {
        if (finding.rule == Rule::kTilingKeyUnused)
            finding.hint = "SetTilingKey in the tiling function, and TILING_KEY_IS in the kernel, name the same keys";
        if (finding.rule == Rule::kTilingSize)
            finding.hint = "the tiling function writes the struct that the kernel reads, and sets its size";
    }
}

void Operator::CompileKernel(const Call& call, const Tiling& tiling) const {
    impl_->KernelOf(*impl_->KernelsFor(call, tiling), call);
}

std::vector<std::string> Operator::GroupsOf(const Call& call) const {
    const Definition& d = impl_->definition;
    std::vector<std::string> names;
    for (const std::string& group : d.groups) {
        const auto attr = std::ranges::find(d.attrs, group, &Attr::name);
        names.push_back(std::get<std::string>(call.attrs.at(static_cast<size_t>(attr - d.attrs.begin()))));
    }
    return names;
}

Operator::Ready Operator::MakeReady(const Call& call, const Tiling& tiling, const Places& places, GlobalMemory& memory,
                                    LaunchOptions launch) const {
    const Definition& d = impl_->definition;
    if (tiling.blocks < 1 || tiling.blocks > 65535) {
        RefuseCall(d, {Rule::kOpBlocks, "blocks", "a launch cannot have this number of blocks",
                       fmt::format("{}", tiling.blocks), "1 to 65535", ""});
    }
    if (const uint64_t asked = AskedBytes(tiling); impl_->mentions.system_workspace && asked < kSystemWorkspaceBytes) {
        RefuseCall(d, {Rule::kOpWorkspace, "workspace",
                       "the kernel uses the library's workspace, which the tiling did not ask for",
                       fmt::format("{} bytes", asked),
                       fmt::format("at least {} bytes: GetLibApiWorkSpaceSize()", kSystemWorkspaceBytes),
                       "set GetWorkspaceSizes(1)[0] to it, plus what the kernel needs itself"});
    }
    std::shared_ptr<CompiledKernels> kernels = impl_->KernelsFor(call, tiling);
    kernels = ForChecks(kernels, launch.check);
    const KernelInfo& kernel = impl_->KernelOf(*kernels, call);
    launch.chip = impl_->chip;
    launch.kernel = kernel.name;
    launch.tiling_key = tiling.key;
    launch.groups = GroupsOf(call);
    launch.system_workspace = kernels->system_workspace();

    const auto blocks = std::make_shared<LaunchBlocks>(memory);
    LaunchBlocks& own = *blocks;
    std::vector<Argument> arguments;
    const auto add = [&](const Param& p, const std::vector<Tensor>& tensors, const std::vector<uint8_t*>& at) {
        if (p.type != ParamType::kDynamic) {
            arguments.push_back(Argument::Pointer(at.empty() ? nullptr : at[0]));
            return;
        }
        std::vector<ListedTensor> listed;
        for (size_t i = 0; i < tensors.size(); ++i) {
            const std::vector<int64_t>& shape = tensors[i].spec.shape;
            listed.push_back({at[i], {shape.begin(), shape.end()}});
        }
        arguments.push_back(Argument::Pointer(own.Take(memory.AllocateList(listed, p.name))));
    };
    for (size_t i = 0; i < d.inputs.size(); ++i) add(d.inputs[i], call.inputs[i], places.inputs[i]);
    for (size_t i = 0; i < d.outputs.size(); ++i) {
        const Param& p = d.outputs[i];
        for (size_t j = 0; p.initial && j < call.outputs[i].size(); ++j) {
            const Spec& spec = call.outputs[i][j].spec;
            FillTyped(places.outputs[i][j], CountOf(spec), spec.type, *p.initial);
        }
        add(p, call.outputs[i], places.outputs[i]);
    }
    // Without a workspace an address all the same: what the kernel does with it is reported with its name.
    uint8_t* workspace = places.workspace
                             ? places.workspace
                             : own.Take(memory.Allocate(0, "workspace (the tiling function asked for none)"));
    arguments.push_back(Argument::Pointer(workspace));
    uint8_t* data = own.Take(memory.Allocate(tiling.data.size(), "tiling", tiling.data.data()));
    memory.SetRole(data, GlobalMemory::Role::kInput);
    arguments.push_back(Argument::Pointer(data));
    return {std::move(launch), tiling.blocks, [blocks, bound = BindArguments(kernels, kernel, arguments)] { bound(); }};
}

LaunchResult Operator::Run(const Call& call, const Tiling& tiling, const Places& places, GlobalMemory& memory,
                           LaunchOptions launch) const {
    const Ready ready = MakeReady(call, tiling, places, memory, std::move(launch));
    LaunchResult result = Launch(ready.options, ready.blocks, memory, ready.kernel);
    SayOfTiling(&result.findings);
    result.findings.insert(result.findings.begin(), tiling.findings.begin(), tiling.findings.end());
    return result;
}

}  // namespace sfumato::op
