// SPDX-License-Identifier: Apache-2.0
// From a source to loaded kernels: cache, compiler, dlopen, table.
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "jit/build_defines.h"
#include "jit/cache.h"
#include "jit/compiler.h"
#include "jit/exports.h"
#include "jit/kernel_finder.h"
#include "jit/missing_names.h"
#include "jit/process.h"
#include "jit/wrapper.h"
#include "sfumato/jit.h"
#include "sfumato/kernel_entry.h"
#include "sfumato/launch.h"
#include "soc/chip.h"

namespace sfumato {
namespace fs = std::filesystem;

struct CompiledKernels::Impl {
    std::unique_ptr<jit::Cache> cache;  // keeps a temporary one alive
    void* handle = nullptr;
    std::vector<KernelInfo> kernels;
    std::string source, chip, object_path, private_object;
    bool from_cache = false;
    std::vector<std::string> warnings;
    std::vector<std::string> templates;  // kernel templates of the source, "ns::scale<...>"
    entry::Templates instance{};         // of the loaded table
    std::optional<uint64_t> tiling_key;
    uint64_t system_workspace = 0;

    ~Impl() {
        if (handle) dlclose(handle);
        std::error_code ignored;
        if (!private_object.empty()) fs::remove(private_object, ignored);
    }
};

namespace {

std::string ReadSource(const std::string& path) {
    std::error_code error;
    if (path.empty()) throw Error("no source file given");
    if (path.find_first_of("\"\n\\") != std::string::npos) {
        throw Error(
            fmt::format("the path of the source, '{}', contains a quote, a backslash or a line break, which an "
                        "#include cannot name: rename it",
                        path));
    }
    if (fs::is_directory(path, error)) throw Error(fmt::format("{} is a directory, not a kernel source", path));
    if (fs::exists(path, error) && !fs::is_regular_file(path, error)) {
        throw Error(
            fmt::format("{} is a FIFO or a device, not a kernel source: it is read more than once, so save it as a "
                        "file",
                        path));
    }
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    if (!in) throw Error(fmt::format("cannot read the kernel source {}: {}", path, std::strerror(errno)));
    return text.str();
}

// A file's identity without reading it.
std::string Identity(const std::string& path) {
    struct stat s {};
    if (path.empty() || stat(path.c_str(), &s) != 0) return path;
    return fmt::format("{} {} {}.{}", path, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
}

std::string ManifestKey(const CompileOptions& options, const std::vector<std::string>& flags,
                        const jit::Compiler& compiler, const std::string& library) {
    std::error_code error;
    // The program behind the name: /usr/bin/c++ is a link, and a new g++ must be a new compiler.
    const fs::path program = fs::canonical(compiler.command[0], error);
    std::string text =
        fmt::format("sfumato {} 3\n{}\n{}\n", entry::kTableVersion, options.source, fs::current_path(error).string());
    text += Identity(program.string()) + '\n' + Identity(library) + '\n' + jit::TemplateWords(options) + '\n';
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

std::vector<KernelInfo> ReadTable(const entry::Table& table, const std::string& source) {
    std::vector<KernelInfo> kernels;
    for (uint32_t i = 0; i < table.count; ++i) {
        const entry::Kernel& k = table.kernels[i];
        if (k.thunk == nullptr) continue;
        KernelInfo info;
        info.name = k.name;
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

// Loads and reads the table. False when the object cannot be loaded (another process removed it).
bool Load(CompiledKernels::Impl& impl, const std::string& path, std::string* error) {
    impl.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!impl.handle) {
        *error = dlerror();
        return false;
    }
    impl.object_path = path;
    const void* symbol = dlsym(impl.handle, std::string(jit::kTableSymbol).c_str());
    const auto* table = static_cast<const entry::Table*>(symbol);
    if (!table || table->version != entry::kTableVersion) {
        *error = "it has no kernel table of this version";
        dlclose(std::exchange(impl.handle, nullptr));
        return false;
    }
    impl.kernels = ReadTable(*table, impl.source);
    impl.instance = table->templates;
    return true;
}

// Runs the compiler on the wrapper; the object's path.
std::string RunCompiler(const CompileOptions& options, const jit::Compiler& compiler,
                        const std::vector<std::string>& flags, const std::string& wrapper, const std::string& library,
                        const std::string& key, int64_t started, const jit::Mentions& mentions,
                        CompiledKernels::Impl& impl) {
    const std::string object = impl.cache->NewPath(".so"), list = impl.cache->NewPath(".d");
    std::vector<std::string> command = compiler.command;
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), {"-MD", "-MF", list, "-MT", "object", "-o", object, "-x", "c++", "-"});
    if (!library.empty()) {
        // "-x none" ends "-x c++": what follows is for the linker.
        command.insert(command.end(), {"-x", "none", library, "-Wl,--no-undefined", "-Xlinker", "-rpath", "-Xlinker",
                                       fs::path(library).parent_path().string()});
    }
    const jit::ProcessResult result = jit::RunProcess(command, wrapper);
    std::error_code ignored;
    std::ifstream in(list);
    std::stringstream dependencies;
    dependencies << in.rdbuf();
    fs::remove(list, ignored);
    const std::string messages = jit::FilterMessages(result.output, options.source);
    if (result.exit_code != 0) {
        fs::remove(object, ignored);
        const std::string missing = jit::MissingTypes(options, mentions, messages);
        throw CompileError(
            fmt::format("{} does not compile for {} ({} ended with {}){}{}", options.source, options.chip,
                        compiler.command[0], result.exit_code, missing.empty() ? "" : ": ", missing),
            missing.empty() ? jit::ExplainMissingNames(messages).value_or(messages) : messages);
    }
    if (!messages.empty()) impl.warnings.push_back(messages);
    const std::string stored = impl.cache->Store(key, object, jit::ParseDependencies(dependencies.str()), started);
    if (stored == object) impl.private_object = object;
    return stored;
}

}  // namespace

std::shared_ptr<CompiledKernels> Compile(const CompileOptions& options) {
    const soc::Chip chip = soc::FindChip(options.chip);
    if (!chip.ascendc) {
        std::vector<std::string> names;
        for (const soc::Chip& c : soc::Families()) {
            if (c.ascendc) names.push_back(c.name);
        }
        throw UnsupportedError(fmt::format("{} has no Ascend C: it is programmed in TIK only. Chips with Ascend C: {}",
                                           chip.name, fmt::join(names, ", ")));
    }
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const int64_t started = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    const std::string text = ReadSource(options.source);
    const jit::Compiler compiler = jit::FindCompiler();
    const jit::Mentions mentions = jit::FindMentions(options.source, text, options.include_dirs);
    std::vector<std::string> flags = jit::CompileFlags(options, chip, compiler);
    const std::vector<std::string> defines = jit::BuildDefines(options, mentions, LocateIncludeDirs());
    flags.insert(flags.begin(), defines.begin(), defines.end());
    const jit::RunningLibrary running = jit::LocateLibrary();
    const std::string library = running.shared ? running.path : std::string();

    auto impl = std::make_unique<CompiledKernels::Impl>();
    impl->source = options.source;
    impl->chip = options.chip;
    impl->cache = std::make_unique<jit::Cache>(options.cache_dir);
    if (!impl->cache->warning().empty()) impl->warnings.push_back(impl->cache->warning());

    std::vector<jit::FoundKernel> found = jit::FindKernels(text);
    for (const jit::FoundKernel& k : found) {
        std::string name = k.QualifiedName() + "<...>";
        if (k.is_template && std::find(impl->templates.begin(), impl->templates.end(), name) == impl->templates.end())
            impl->templates.push_back(std::move(name));
    }
    if (mentions.system_workspace) impl->system_workspace = kSystemWorkspaceBytes;
    const std::string key = ManifestKey(options, flags, compiler, running.path);
    std::string error;
    const std::string cached = impl->cache->Lookup(key);
    if (!cached.empty() && Load(*impl, cached, &error)) {
        impl->from_cache = true;
    } else {
        jit::FindMadeKernels(options, text, flags, compiler, &found);
        const std::vector<std::string> extra = jit::ExtraExports(options, found, text);
        const bool plain = std::any_of(found.begin(), found.end(), [](const auto& k) { return !k.is_template; });
        if (!plain && extra.empty() && !mentions.templates) jit::RefuseEmpty(options, found);
        const std::string wrapper = jit::WriteWrapper(
            options.source, found, extra, {jit::TemplateWords(options), options.tiling_key}, options.tiling_headers);
        const std::string object =
            RunCompiler(options, compiler, flags, wrapper, library, key, started, mentions, *impl);
        if (!Load(*impl, object, &error)) {
            throw CompileError(fmt::format("the compiled {} cannot be loaded: {}", options.source, error), "");
        }
    }
    impl->tiling_key = options.tiling_key;
    const tiling::TemplateGroup* group =
        jit::CheckInstance(options, impl->instance, impl->templates, !impl->kernels.empty());
    if (group != nullptr) {
        impl->tiling_key = impl->instance.key;
        // What a group adds to the build is known only now.
        CompileOptions more = options;
        const auto* with_struct = group->Find(tiling::TemplateKind::kStruct);
        const auto* deterministic = group->Find(tiling::TemplateKind::kDeterministic);
        const bool defined = std::any_of(options.defines.begin(), options.defines.end(),
                                         [](const auto& d) { return d.first == "DETERMINISTIC_MODE"; });
        if (with_struct != nullptr && options.tiling_struct.empty()) more.tiling_struct = with_struct->name;
        if (deterministic != nullptr && deterministic->ranges[0].low == 1 && !defined)
            more.defines.emplace_back("DETERMINISTIC_MODE", "1");
        if (more.tiling_struct != options.tiling_struct || more.defines.size() != options.defines.size())
            return Compile(more);
    }
    if (impl->kernels.empty()) {
        throw Error(
            fmt::format("{}: no kernel is left after preprocessing: every __global__ function stands in a branch of "
                        "#if that {} does not compile",
                        options.source, options.chip));
    }
    return std::make_shared<CompiledKernels>(std::move(impl));
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
