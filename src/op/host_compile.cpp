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
std::vector<std::string> HostFlags(const Project& project, const LoadOptions& options) {
    std::vector<std::string> flags = {"-std=c++20", "-O1", "-g1", "-fPIC", "-pipe", "-pthread", "-fvisibility=hidden"};
    flags.insert(flags.end(), {"-DSFUMATO_OP_HOST", "-D__assert_fail=SfumatoAssertFail"});
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
    std::string object;
    jit::ProcessResult result;
    std::vector<std::string> files;
};

Unit CompileUnit(const std::string& source, const std::string& object, const jit::Compiler& compiler,
                 const std::vector<std::string>& flags) {
    std::vector<std::string> command = compiler.command;
    command.insert(command.end(), flags.begin(), flags.end());
    const std::string list = object + ".d";
    command.insert(command.end(), {"-MD", "-MF", list, "-MT", "object", "-x", "c++", "-c", source, "-o", object});
    Unit unit{object, jit::RunProcess(command, ""), {}};
    unit.files = jit::ParseDependencies(jit::ReadText(list).value_or(""));
    return unit;
}

// The objects of all sources, as many at once as there are cores.
std::vector<Unit> CompileUnits(const Project& project, const jit::ScratchFolder& scratch, const jit::Compiler& compiler,
                               const std::vector<std::string>& flags) {
    std::vector<Unit> units(project.host_sources.size());
    std::atomic<size_t> next{0};
    const auto work = [&] {
        for (size_t i; (i = next++) < units.size();)
            units[i] = CompileUnit(project.host_sources[i], scratch.File(i, ".o"), compiler, flags);
    };
    std::vector<std::future<void>> others;
    const size_t workers = std::min<size_t>(std::max(1u, std::thread::hardware_concurrency()), units.size());
    for (size_t i = 1; i < workers; ++i) others.push_back(std::async(std::launch::async, work));
    work();
    for (auto& other : others) other.get();
    return units;
}

}  // namespace

HostObject::~HostObject() {
    std::error_code ignored;
    if (is_private) fs::remove(path, ignored);
}

std::unique_ptr<HostObject> CompileHost(const Project& project, const LoadOptions& options) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const int64_t started = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    const jit::Compiler compiler = jit::FindCompiler();
    const std::vector<std::string> flags = HostFlags(project, options);
    const jit::RunningLibrary library = jit::LocateLibrary();
    auto host = std::make_unique<HostObject>();
    host->cache = std::make_shared<jit::Cache>(options.cache_dir);
    if (!host->cache->warning().empty()) host->warnings.push_back(host->cache->warning());

    std::error_code ignored;
    std::string text = fmt::format("sfumato op host 3\n{}\n{}\n{}\n", jit::FileIdentity(compiler.command[0]),
                                   jit::FileIdentity(library.path), fs::current_path(ignored).string());
    for (const auto* list : {&compiler.command, &flags, &project.host_sources})
        text += fmt::format("{}\n", fmt::join(*list, "\x1f"));
    const std::string key = jit::HashBytes(text);
    if (const std::vector<std::string> cached = host->cache->Lookup(key); cached.size() == 1) {
        host->path = cached[0];
        host->from_cache = true;
        return host;
    }

    const jit::ScratchFolder scratch;
    const std::vector<Unit> units = CompileUnits(project, scratch, compiler, flags);
    std::string messages;
    std::vector<std::string> command = compiler.command, files;
    command.insert(command.end(), {"-shared", "-pthread", "-Wl,-z,now", jit::kMemoryCalls});
    bool failed = false;
    for (const Unit& unit : units) {
        failed |= unit.result.exit_code != 0;
        messages += unit.result.output;
        command.push_back(unit.object);
        for (const std::string& file : unit.files) {
            if (std::ranges::find(files, file) == files.end()) files.push_back(file);
        }
    }
    const std::string what = fmt::format("the host code in {}/op_host", project.folder);
    if (failed) throw CompileError(fmt::format("{} does not compile", what), jit::FirstError(messages));
    const std::string object = host->cache->NewPath(".so");
    if (library.shared) {
        command.insert(command.end(), {library.path, "-Wl,--no-undefined", "-Xlinker", "-rpath", "-Xlinker",
                                       fs::path(library.path).parent_path().string()});
    }
    command.insert(command.end(), {"-o", object});
    const jit::ProcessResult linked = jit::RunProcess(command, "");
    if (linked.exit_code != 0) throw CompileError(fmt::format("{} does not link", what), linked.output);
    if (!messages.empty()) host->warnings.push_back(messages);
    ProbeLoad(object, project.folder + "/op_host");  // so what is in the cache can be loaded
    host->path = host->cache->Store(key, {object}, files, started).at(0);
    host->is_private = host->path == object;
    return host;
}

}  // namespace sfumato::op
