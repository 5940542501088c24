// SPDX-License-Identifier: Apache-2.0
// From a source to loaded kernels: cache, compiler, dlopen, table.
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>
#include <sstream>

#include "jit/build_defines.h"
#include "jit/build_kernels.h"
#include "jit/cache.h"
#include "jit/compiler.h"
#include "jit/counts.h"
#include "jit/declared.h"
#include "jit/exports.h"
#include "jit/kernel_finder.h"
#include "jit/kernel_names.h"
#include "jit/precompiled.h"
#include "jit/prefix_folder.h"
#include "jit/source_file.h"
#include "jit/wrapper.h"
#include "runtime/code/code_use.h"
#include "runtime/code/task_types.h"
#include "sanitize/checks.h"
#include "sfumato/jit.h"
#include "sfumato/kernel_entry.h"
#include "sfumato/launch.h"
#include "soc/chip.h"

namespace sfumato {
namespace fs = std::filesystem;

struct CompiledKernels::Impl {
    std::unique_ptr<jit::Cache> cache;  // keeps a temporary one alive
    std::vector<void*> handles;
    std::vector<KernelInfo> kernels;
    std::string source, chip, object_path;
    std::vector<std::string> private_objects;
    bool from_cache = false;
    std::vector<std::string> warnings;
    std::vector<std::string> templates;  // kernel templates of the source, "ns::scale<...>"
    entry::Templates instance{};         // of the loaded table
    std::optional<uint64_t> tiling_key;
    uint64_t system_workspace = 0;
    CompileOptions options;
    std::vector<std::string> compiler;
    std::mutex mutex;
    std::shared_ptr<CompiledKernels> for_raw;  // made when it is asked for

    ~Impl() {
        if (options.coverage) jit::CountNoMore(handles);
        for (void* handle : handles) dlclose(handle);
        std::error_code ignored;
        for (const std::string& object : private_objects) fs::remove(object, ignored);
    }
};

namespace {

std::string ManifestKey(const CompileOptions& options, const std::vector<std::string>& flags,
                        const jit::Compiler& compiler, const std::string& library) {
    std::error_code error;
    // The program behind the name: /usr/bin/c++ is a link, and a new g++ must be a new compiler.
    const fs::path program = fs::canonical(compiler.command[0], error);
    std::string text =
        fmt::format("sfumato {} 4\n{}\n{}\n", entry::kTableVersion, options.source, fs::current_path(error).string());
    text += jit::FileIdentity(program.string()) + '\n' + jit::FileIdentity(library) + '\n' +
            jit::TemplateWords(options) + '\n' +
            fmt::format("{}\n{}\n", jit::Environment("CPATH"), jit::Environment("CPLUS_INCLUDE_PATH"));
    // A compiler that is named is not exchanged for another.
    text += jit::Environment("SFUMATO_CXX").empty() ? "\n" : "named\n";
    for (const auto* list : {&compiler.command, &flags, &options.instantiations, &options.tiling_headers})
        text += fmt::format("{}\n", fmt::join(*list, "\x1f"));
    return jit::HashBytes(text);
}

// Fills names and types of the parameters from the candidate whose count fits; later ones (definitions) win.
void ReadDescription(const char* description, KernelInfo& kernel) {
    std::istringstream lines(description);
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> fields;
        size_t begin = 0;
        for (size_t tab; (tab = line.find('\t', begin)) != std::string::npos; begin = tab + 1) {
            fields.push_back(line.substr(begin, tab - begin));
        }
        fields.push_back(line.substr(begin));
        // Any declaration of the function may have the qualifier.
        const size_t blank = fields[0].find(' ');
        const std::string qualifier = blank == std::string::npos ? "" : fields[0].substr(blank + 1);
        if (!qualifier.empty()) kernel.qualifier = qualifier;
        if (fields.size() != 1 + 2 * kernel.params.size()) continue;
        kernel.line = static_cast<uint32_t>(std::stoul(fields[0]));
        for (size_t i = 0; i < kernel.params.size(); ++i) {
            kernel.params[i].type = fields[1 + 2 * i];
            if (!fields[2 + 2 * i].empty()) kernel.params[i].name = fields[2 + 2 * i];
        }
    }
}

std::string DefaultTypeName(const entry::Param& p) {
    const std::string name = p.type == DataType::kCount ? "void" : CName(p.type);
    if (p.kind == entry::Kind::kPointer) return name + "*";
    return p.kind == entry::Kind::kStruct ? fmt::format("struct of {} bytes", p.size) : name;
}

// The expression is "::ns::kernel", "(kernel<3>)" or a call.
std::string CodeNameOf(const entry::Kernel& kernel) {
    std::string name = kernel.code_name;
    if (name.find(runtime::kKernelPrefix) == std::string::npos) return kernel.name;
    if (name.starts_with("(")) name = name.substr(1, name.size() - 2);
    return name.starts_with("::") ? name.substr(2) : name;
}

std::vector<KernelInfo> ReadTable(const entry::Table& table, const std::string& source) {
    std::vector<KernelInfo> kernels;
    for (uint32_t i = 0; i < table.count; ++i) {
        const entry::Kernel& k = table.kernels[i];
        if (k.thunk == nullptr) continue;
        KernelInfo info;
        info.name = k.name;
        info.code_name = CodeNameOf(k);
        info.file = source;
        info.thunk = k.thunk;
        for (uint32_t j = 0; j < k.param_count; ++j) {
            const entry::Param& p = k.params[j];
            KernelParam param;
            param.kind = static_cast<ParamKind>(p.kind);
            param.is_signed = p.is_signed;
            param.is_bool = p.is_bool;
            if (p.type != DataType::kCount) param.data_type = p.type;
            param.size = p.size;
            param.type = DefaultTypeName(p);
            info.params.push_back(std::move(param));
        }
        ReadDescription(k.description, info);
        kernels.push_back(std::move(info));
    }
    return kernels;
}

// Loads an object and reads its table. False when it cannot be loaded (another process removed it).
bool Load(CompiledKernels::Impl& impl, const std::string& path, std::vector<KernelInfo>* kernels, std::string* error) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        *error = dlerror();
        return false;
    }
    impl.handles.push_back(handle);
    const void* symbol = dlsym(handle, std::string(jit::kTableSymbol).c_str());
    const auto* table = static_cast<const entry::Table*>(symbol);
    if (!table || table->version != entry::kTableVersion) {
        *error = "it has no kernel table of this version";
        return false;
    }
    *kernels = ReadTable(*table, impl.source);
    impl.instance = table->templates;
    return true;
}

bool SameParams(const KernelInfo& a, const KernelInfo& b) {
    return std::ranges::equal(a.params, b.params, [](const KernelParam& p, const KernelParam& q) {
        return p.kind == q.kind && p.size == q.size && p.data_type == q.data_type;
    });
}

// Joins the kernels of the two objects of a source: a kernel may be in one alone.
std::vector<KernelInfo> Join(std::vector<KernelInfo> kernels, const std::vector<KernelInfo>& of_vector) {
    for (const KernelInfo& v : of_vector) {
        auto it = std::ranges::find_if(kernels, [&](const KernelInfo& k) { return k.name == v.name; });
        if (it == kernels.end()) {
            it = kernels.insert(kernels.end(), v);
            it->thunk = nullptr;
        } else if (!SameParams(*it, v)) {
            throw CompileError(fmt::format("{}: {} has other parameters for vector cores than for cube cores: {} and "
                                           "{}; a launch passes the same to both",
                                           v.file, v.name, v.Signature(), it->Signature()),
                               "");
        }
        it->vector_thunk = v.thunk;
    }
    for (KernelInfo& k : kernels) k.by_kind = true;
    return kernels;
}

// What each kernel's code needs (framework.md 4.2) and which variables it reaches, from its object or objects.
void ReadCode(std::vector<KernelInfo>& kernels, bool split_cores, const std::vector<std::string>& files) {
    const auto first = [&](auto thunk) {
        const auto it = std::ranges::find_if(kernels, [&](const KernelInfo& k) { return k.*thunk; });
        return runtime::ModuleCode(it == kernels.end() ? nullptr : reinterpret_cast<const void*>((*it).*thunk));
    };
    const runtime::ModuleCode code = first(&KernelInfo::thunk), vector_code = first(&KernelInfo::vector_thunk);
    const auto entries = [](const runtime::ModuleCode& module, KernelInfo::Thunk thunk) {
        return thunk ? module.EntriesFrom(reinterpret_cast<const void*>(thunk)) : std::set<std::string>();
    };
    for (KernelInfo& k : kernels) {
        auto variables = code.VariablesFrom(reinterpret_cast<const void*>(k.thunk));
        for (auto& v : vector_code.VariablesFrom(reinterpret_cast<const void*>(k.vector_thunk))) {
            if (std::ranges::find(variables, v) == variables.end()) variables.push_back(v);
        }
        k.findings = jit::VariableFindings(variables, files);
        if (!split_cores) continue;
        const auto reached = entries(code, k.thunk), on_vector = entries(vector_code, k.vector_thunk);
        if (!reached || !on_vector) continue;
        k.use = k.by_kind ? runtime::UseOf(*reached, *on_vector) : runtime::UseOf(*reached);
        if (k.by_kind || !code.IsUnoptimised(reinterpret_cast<const void*>(k.thunk))) continue;
        if (auto report = runtime::UnoptimisedReport(*reached)) {
            report->file = k.file;
            report->line = k.line;
            k.use_findings.push_back(std::move(*report));
        }
    }
}

void CheckQualifier(const KernelInfo& kernel) {
    const std::string refused = jit::RefusedQualifier(kernel.name, kernel.qualifier);
    if (!refused.empty()) throw CompileError(fmt::format("{}:{}: {}", kernel.file, kernel.line, refused), "");
}

// Loads the object, or the two of a source that was compiled for each kind of core.
bool Load(CompiledKernels::Impl& impl, const std::vector<std::string>& objects, const soc::Chip& chip,
          const std::vector<std::string>& files, std::string* error) {
    std::vector<KernelInfo> kernels[2];
    for (size_t i = 0; i < objects.size(); ++i) {
        if (Load(impl, objects[i], &kernels[i], error)) continue;
        for (void* handle : impl.handles) dlclose(handle);
        impl.handles.clear();
        return false;
    }
    impl.object_path = objects[0];
    impl.kernels = objects.size() > 1 ? Join(std::move(kernels[0]), kernels[1]) : std::move(kernels[0]);
    for (const KernelInfo& k : impl.kernels) CheckQualifier(k);
    ReadCode(impl.kernels, chip.split_cores, files);
    return true;
}

void RequireAscendC(const soc::Chip& chip) {
    if (chip.ascendc) return;
    std::vector<std::string> names;
    for (const soc::Chip& c : soc::Families()) {
        if (c.ascendc) names.push_back(c.name);
    }
    throw UnsupportedError(fmt::format("{} has no Ascend C: it is programmed in TIK only. Chips with Ascend C: {}",
                                       chip.name, fmt::join(names, ", ")));
}

// The options with what a group of templates adds to the build, which is known only when it has been compiled; none:
// it adds nothing.
std::optional<CompileOptions> WithGroup(const CompileOptions& options, const tiling::TemplateGroup& group) {
    CompileOptions more = options;
    const auto* with_struct = group.Find(tiling::TemplateKind::kStruct);
    const auto* deterministic = group.Find(tiling::TemplateKind::kDeterministic);
    const bool defined =
        std::ranges::any_of(options.defines, [](const auto& d) { return d.first == "DETERMINISTIC_MODE"; });
    if (with_struct != nullptr && options.tiling_struct.empty()) more.tiling_struct = with_struct->name;
    if (deterministic != nullptr && deterministic->ranges[0].low == 1 && !defined)
        more.defines.emplace_back("DETERMINISTIC_MODE", "1");
    if (more.tiling_struct == options.tiling_struct && more.defines.size() == options.defines.size()) return {};
    return more;
}

}  // namespace

std::shared_ptr<CompiledKernels> Compile(const CompileOptions& options) {
    const soc::Chip& chip = soc::FindChip(options.chip);
    RequireAscendC(chip);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const int64_t started = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    const std::string text = jit::ReadSource(options.source);
    const jit::Compiler compiler = jit::FindCompiler();
    const jit::Mentions mentions = jit::FindMentions(options.source, text, options.include_dirs);
    std::vector<std::string> flags = jit::CompileFlags(options, chip, compiler);
    const std::vector<std::string> defines = jit::BuildDefines(options, mentions, LocateIncludeDirs());
    flags.insert(flags.begin(), defines.begin(), defines.end());
    const jit::RunningLibrary running = jit::LocateLibrary();
    const std::string library = running.shared ? running.path : std::string();

    auto impl = std::make_unique<CompiledKernels::Impl>();
    impl->source = options.source;
    impl->options = options;
    impl->chip = options.chip;
    impl->compiler = compiler.command;
    impl->cache = std::make_unique<jit::Cache>(options.coverage ? kNoCache : options.cache_dir);
    if (!impl->cache->warning().empty()) impl->warnings.push_back(impl->cache->warning());

    std::vector<jit::FoundKernel> found = jit::FindKernels(text);
    const std::vector<jit::FoundKernel> declared = found;
    for (const jit::FoundKernel& k : found) {
        std::string name = k.QualifiedName() + "<...>";
        if (k.is_template && std::ranges::find(impl->templates, name) == impl->templates.end())
            impl->templates.push_back(std::move(name));
    }
    if (mentions.system_workspace) impl->system_workspace = kSystemWorkspaceBytes;
    jit::RefuseKeywords(found, options.source);
    const std::string key = ManifestKey(options, flags, compiler, running.path);
    std::string error;
    const std::vector<std::string> cached = impl->cache->Lookup(key);
    if (!cached.empty() && Load(*impl, cached, chip, mentions.files, &error)) {
        impl->from_cache = true;
    } else {
        jit::FindMadeKernels(options, text, flags, compiler, &found);
        const std::vector<std::string> extra = jit::ExtraExports(options, found, text);
        const bool plain = std::ranges::any_of(found, [](const auto& k) { return !k.is_template; });
        if (!plain && extra.empty() && !mentions.templates) jit::RefuseEmpty(options, found);
        jit::Built built = jit::BuildKernels(
            {options, text, chip, compiler, flags, library, *impl->cache, key, started, mentions, found, extra},
            defines);
        impl->private_objects = std::move(built.private_objects);
        impl->warnings.insert(impl->warnings.end(), built.warnings.begin(), built.warnings.end());
        if (!Load(*impl, built.objects, chip, mentions.files, &error)) {
            throw CompileError(fmt::format("the compiled {} cannot be loaded: {}", options.source, error), "");
        }
    }
    if (options.coverage) jit::Count(impl->handles);
    for (KernelInfo& k : impl->kernels) {
        for (Report& report : jit::DeclaredFindings(declared, k.name, options.source))
            k.findings.push_back(std::move(report));
    }
    impl->tiling_key = options.tiling_key;
    const tiling::TemplateGroup* group =
        jit::CheckInstance(options, impl->instance, impl->templates, !impl->kernels.empty());
    if (group != nullptr) {
        impl->tiling_key = impl->instance.key;
        if (const auto more = WithGroup(options, *group)) return Compile(*more);
    }
    if (impl->kernels.empty()) {
        throw Error(
            fmt::format("{}: no kernel is left after preprocessing: every __global__ function stands in a branch of "
                        "#if that {} does not compile",
                        options.source, options.chip));
    }
    return std::make_shared<CompiledKernels>(std::move(impl));
}

bool Precompile(const CompileOptions& options, const std::string& folder) {
    const jit::Compiler compiler = jit::FindCompiler();
    // As of a source that mentions nothing.
    std::vector<std::string> flags = jit::BuildDefines(options, {}, LocateIncludeDirs());
    const std::vector<std::string> more = jit::CompileFlags(options, soc::FindChip(options.chip), compiler);
    flags.insert(flags.end(), more.begin(), more.end());
    const auto made = jit::PrefixFor::Of(options, soc::FindChip(options.chip), jit::CodeFor::kBoth, compiler, flags);
    return made && jit::MakePrefix(*made, folder.empty() ? jit::Cache::DefaultDir() : folder);
}

std::shared_ptr<CompiledKernels> ForChecks(const std::shared_ptr<CompiledKernels>& kernels, const std::string& check) {
    const auto raw = [](const std::string& text) { return sanitize::Checks::Parse(text).Has(sanitize::Check::kRaw); };
    CompiledKernels::Impl& impl = *kernels->impl_;
    if (!raw(check) || raw(impl.options.check)) return kernels;
    std::lock_guard lock(impl.mutex);
    if (!impl.for_raw) {
        CompileOptions options = impl.options;
        options.check = check;
        impl.for_raw = Compile(options);
    }
    return impl.for_raw;
}

CompiledKernels::CompiledKernels(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CompiledKernels::~CompiledKernels() = default;
const std::vector<KernelInfo>& CompiledKernels::kernels() const { return impl_->kernels; }
const std::string& CompiledKernels::chip() const { return impl_->chip; }
bool CompiledKernels::from_cache() const { return impl_->from_cache; }
const std::string& CompiledKernels::object_path() const { return impl_->object_path; }
std::optional<uint64_t> CompiledKernels::tiling_key() const { return impl_->tiling_key; }
uint64_t CompiledKernels::system_workspace() const { return impl_->system_workspace; }
const std::vector<std::string>& CompiledKernels::warnings() const { return impl_->warnings; }
const std::vector<std::string>& CompiledKernels::compiler() const { return impl_->compiler; }

std::vector<std::string> CompiledKernels::WriteCounts() const {
    std::lock_guard lock(impl_->mutex);
    std::vector<std::string> notes;
    if (impl_->for_raw) notes = impl_->for_raw->WriteCounts();
    if (!impl_->options.coverage) return notes;
    jit::CallOf(impl_->handles, jit::kWriteCounts);
    for (const auto& entry : fs::directory_iterator(impl_->cache->dir())) {
        if (entry.path().extension() == ".gcno") notes.push_back(entry.path().string());
    }
    return notes;
}

const KernelInfo& CompiledKernels::Find(const std::string& name) const {
    std::vector<const KernelInfo*> matches;
    std::vector<std::string> names;
    for (const KernelInfo& k : impl_->kernels) {
        names.push_back(k.name);
        if (k.name == name) return k;
        if (name.empty() || (k.name.size() > name.size() + 2 && k.name.ends_with("::" + name))) matches.push_back(&k);
    }
    if (matches.size() == 1) return *matches[0];
    std::string all = fmt::format("{}", fmt::join(names, ", "));
    if (!impl_->templates.empty()) {
        all += fmt::format("; and the templates {}, which are named with their arguments, e.g. 'scale<half, 3>'",
                           fmt::join(impl_->templates, ", "));
    }
    if (name.empty()) throw Error(fmt::format("{} has several kernels, so name one: {}", impl_->source, all));
    throw Error(fmt::format("{} has {} '{}': it has {}", impl_->source,
                            matches.empty() ? "no kernel" : "several kernels called", name, all));
}

std::string KernelInfo::Signature() const {
    std::vector<std::string> words;
    for (const KernelParam& p : params) words.push_back(p.name.empty() ? p.type : p.type + " " + p.name);
    return fmt::format("{}({})", name, fmt::join(words, ", "));
}

}  // namespace sfumato
