// SPDX-License-Identifier: Apache-2.0
// Command lines of the host code.
#include "op/host_compile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <thread>

#include "jit/compiler.h"
#include "jit/dependencies.h"
#include "jit/missing_names.h"
#include "jit/process.h"
#include "jit/scratch_folder.h"
#include "jit/source_file.h"
#include "op/load_probe.h"
#include "sfumato/jit.h"

namespace sfumato::op {
namespace fs = std::filesystem;
namespace {

// -O1: tiling functions run at every call. -Wl,-z,now: what is missing shows when the object is loaded.
std::vector<std::string> HostFlags(const Project& project, const LoadOptions& options, const jit::Compiler& compiler) {
    std::vector<std::string> flags = jit::LanguageFlags(compiler);
    flags.insert(flags.end(), {"-O1", "-g1", "-fPIC", "-pipe", "-pthread", "-fvisibility=hidden", "-DSFUMATO_OP_HOST",
                               "-D__assert_fail=SfumatoAssertFail"});
    for (const auto& [name, value] : options.defines) flags.push_back(fmt::format("-D{}={}", name, value));
    for (const auto* dirs : {&options.include_dirs, &project.include_dirs}) {
        for (const std::string& dir : *dirs) flags.insert(flags.end(), {"-I", dir});
    }
    const std::vector<std::string> own = LocateIncludeDirs();
    if (own.empty()) throw Error("cannot find Sfumato's headers: set SFUMATO_INCLUDE to their folder");
    jit::IncludeFirst(own, {"sfumato/process.h"}, &flags);
    for (const std::string& dir : own) flags.insert(flags.end(), {"-isystem", dir});
    flags.insert(flags.end(), options.flags.begin(), options.flags.end());
    return flags;
}

struct Unit {
    std::string source, object;
    jit::ProcessResult result;
    std::vector<std::string> files;
};

Unit CompileUnit(const std::string& source, const std::string& object, const jit::Compiler& compiler,
                 const std::vector<std::string>& flags) {
    std::vector<std::string> command = compiler.command;
    command.insert(command.end(), flags.begin(), flags.end());
    const std::string list = object + ".d";
    command.insert(command.end(), {"-MD", "-MF", list, "-MT", "object", "-x", "c++", "-c", source, "-o", object});
    Unit unit{source, object, jit::RunProcess(command, ""), {}};
    unit.files = jit::ParseDependencies(jit::ReadText(list).value_or(""));
    return unit;
}

// The objects of sources, as many at once as there are cores. first: number of the first object.
std::vector<Unit> CompileUnits(const std::vector<std::string>& sources, size_t first, const jit::ScratchFolder& scratch,
                               const jit::Compiler& compiler, const std::vector<std::string>& flags) {
    std::vector<Unit> units(sources.size());
    std::atomic<size_t> next{0};
    const auto work = [&] {
        for (size_t i; (i = next++) < units.size();)
            units[i] = CompileUnit(sources[i], scratch.File(first + i, ".o"), compiler, flags);
    };
    std::vector<std::future<void>> others;
    const size_t workers = std::min<size_t>(std::max(1u, std::thread::hardware_concurrency()), units.size());
    for (size_t i = 1; i < workers; ++i) others.push_back(std::async(std::launch::async, work));
    work();
    for (auto& other : others) other.get();
    return units;
}

// Sources of the same name beside headers that were read, or in src beside their folder, which are none of the units.
std::vector<std::string> Companions(const std::vector<Unit>& units, const std::vector<std::string>& folders) {
    std::vector<std::string> found;
    const auto add = [&](const fs::path& source) {
        std::error_code ignored;
        if (!fs::is_regular_file(source, ignored)) return;
        const fs::path path = fs::weakly_canonical(source, ignored);
        const bool known = std::ranges::any_of(
            units, [&](const Unit& unit) { return fs::weakly_canonical(unit.source, ignored) == path; });
        if (!known && std::ranges::find(found, path.string()) == found.end()) found.push_back(path);
    };
    for (const Unit& unit : units) {
        for (const std::string& file : unit.files) {
            const fs::path header(file);
            const bool shared =
                std::ranges::any_of(folders, [&](const std::string& dir) { return file.starts_with(dir + "/"); });
            if (!shared || header.extension() == ".cpp") continue;
            for (const char* suffix : {".cpp", ".cc", ".cxx"}) {
                const std::string name = header.stem().string() + suffix;
                add(header.parent_path() / name);
                add(header.parent_path().parent_path() / "src" / name);
            }
        }
    }
    return found;
}

// Compiles and links; which units were left out is in the object.
class HostBuild {
public:
    HostBuild(const Project& project, const LoadOptions& options, const jit::Compiler& compiler,
              const std::vector<std::string>& flags, const std::string& library)
        : project_(project), options_(options), compiler_(compiler), flags_(flags), library_(library) {}

    void Run(const std::string& object, HostObject* host) {
        Compile(project_.host_sources);
        for (;;) {
            const jit::ProcessResult linked = Link(object);
            if (linked.exit_code == 0) break;
            const std::vector<std::string> more = linked.output.find("undefined reference") == std::string::npos
                                                      ? std::vector<std::string>()
                                                      : Companions(units_, project_.include_dirs);
            if (more.empty()) {
                if (!left_out_.empty()) std::rethrow_exception(left_out_[0].why);
                if (!project_.left_out.empty()) std::rethrow_exception(project_.left_out[0].why);
                throw CompileError(fmt::format("{} does not link", what_), linked.output);
            }
            Compile(more);
        }
        std::string messages;
        for (const Unit& unit : units_) messages += unit.result.output;
        if (!messages.empty()) host->warnings.push_back(messages);
        for (const LeftOut& out : left_out_) {
            host->warnings.push_back(fmt::format("{} is left out: it does not compile, and {} is not mentioned in it\n",
                                                 out.source, options_.op));
        }
        host->left_out = std::move(left_out_);
    }

    std::vector<std::string> Files() const {
        std::vector<std::string> files;
        for (const Unit& unit : units_) {
            for (const std::string& file : unit.files) {
                if (std::ranges::find(files, file) == files.end()) files.push_back(file);
            }
        }
        return files;
    }

private:
    void Compile(const std::vector<std::string>& sources) {
        std::vector<Unit> more = CompileUnits(sources, units_.size() + left_out_.size(), scratch_, compiler_, flags_);
        std::string errors;
        for (Unit& unit : more) {
            if (unit.result.exit_code == 0) {
                units_.push_back(std::move(unit));
                continue;
            }
            if (Mentions(unit.source, options_.op)) errors += unit.result.output;
            const CompileError why(fmt::format("{} does not compile", what_), jit::FirstError(unit.result.output));
            left_out_.push_back({unit.source, std::make_exception_ptr(why)});
        }
        if (!errors.empty() || (units_.empty() && !left_out_.empty())) {
            if (errors.empty()) std::rethrow_exception(left_out_[0].why);
            throw CompileError(fmt::format("{} does not compile", what_), jit::FirstError(errors));
        }
    }

    jit::ProcessResult Link(const std::string& object) const {
        std::vector<std::string> command = compiler_.command;
        command.insert(command.end(), {"-shared", "-pthread", "-Wl,-z,now", jit::kMemoryCalls});
        for (const Unit& unit : units_) command.push_back(unit.object);
        if (!library_.empty()) {
            command.insert(command.end(), {library_, "-Wl,--no-undefined", "-Xlinker", "-rpath", "-Xlinker",
                                           fs::path(library_).parent_path().string()});
        }
        command.insert(command.end(), {"-o", object});
        return jit::RunProcess(command, "");
    }

    const Project& project_;
    const LoadOptions& options_;
    const jit::Compiler& compiler_;
    const std::vector<std::string>& flags_;
    const std::string library_;
    const std::string what_ = fmt::format("the host code in {}/op_host", project_.folder);
    const jit::ScratchFolder scratch_;
    std::vector<Unit> units_;
    std::vector<LeftOut> left_out_;
};

}  // namespace

HostObject::~HostObject() {
    std::error_code ignored;
    if (is_private) fs::remove(path, ignored);
}

std::unique_ptr<HostObject> CompileHost(const Project& project, const LoadOptions& options) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const int64_t started = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    const jit::Compiler compiler = jit::FindCompiler();
    const std::vector<std::string> flags = HostFlags(project, options, compiler);
    const jit::RunningLibrary library = jit::LocateLibrary();
    auto host = std::make_unique<HostObject>();
    host->cache = std::make_shared<jit::Cache>(options.cache_dir);
    if (!host->cache->warning().empty()) host->warnings.push_back(host->cache->warning());

    std::error_code ignored;
    std::string text = fmt::format("sfumato op host 3\n{}\n{}\n{}\n", jit::FileIdentity(compiler.command[0]),
                                   jit::FileIdentity(library.path), fs::current_path(ignored).string());
    for (const auto* list : {&compiler.command, &flags, &project.host_sources})
        text += fmt::format("{}\n", fmt::join(*list, "\x1f"));
    // That of an operator whose neighbour was left out, besides that of all.
    const std::string key = jit::HashBytes(text), own_key = jit::HashBytes(text + options.op);
    for (const std::string& of : {key, own_key}) {
        const std::vector<std::string> cached = host->cache->Lookup(of);
        if (cached.size() != 1) continue;
        host->path = cached[0];
        host->from_cache = true;
        return host;
    }
    const std::string object = host->cache->NewPath(".so");
    HostBuild build(project, options, compiler, flags, library.shared ? library.path : std::string());
    build.Run(object, host.get());
    ProbeLoad(object, project.folder + "/op_host");  // so what is in the cache can be loaded
    host->path = host->cache->Store(host->left_out.empty() ? key : own_key, {object}, build.Files(), started).at(0);
    host->is_private = host->path == object;
    return host;
}

}  // namespace sfumato::op
