// SPDX-License-Identifier: Apache-2.0
// `sfumato build-op`: compiles everything an operator project has, generates its aclnn functions, and packs it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "jit/compiler.h"
#include "jit/process.h"
#include "jit/source_file.h"
#include "op/host_compile.h"
#include "op/host_library.h"
#include "op/project.h"
#include "sfumato/environment.h"
#include "sfumato/jit.h"
#include "sfumato/op.h"
#include "sfumato/toolkit.h"
#include "soc/chip.h"
#include "toolkit/generate.h"
#include "toolkit/settings.h"

namespace sfumato::toolkit {
namespace fs = std::filesystem;
namespace {

constexpr struct {
    const char *name, *text;
} kFiles[] = {
#include "install.inc"
};

std::string Replaced(std::string text, const std::string& mark, const std::string& value) {
    for (size_t at = 0; (at = text.find(mark, at)) != text.npos; at += value.size())
        text.replace(at, mark.size(), value);
    return text;
}

void Execute(const std::vector<std::string>& command, const std::string& what) {
    const jit::ProcessResult result = jit::RunProcess(command, "");
    if (result.exit_code != 0) throw CompileError(what, result.output);
}

std::string Id() {
    std::string id = "linux";
    std::ifstream release("/etc/os-release");
    for (std::string line; std::getline(release, line);) {
        if (line.starts_with("ID=")) id = Replaced(line.substr(3), "\"", "");
    }
    return id;
}

class OpBuilder {
public:
    explicit OpBuilder(const BuildOpOptions& o)
        : project_(op::FindProject(o.folder, "")),
          settings_(ReadSettings(project_.folder, o.defines)),
          options_(ReadKernelOptions(project_.folder)),
          out_(o.out.empty() ? fs::path(project_.folder) / "build_out" : fs::path(o.out)),
          autogen_(o.autogen ? out_ : out_ / "autogen"),
          only_text_(o.autogen),
          generator_(autogen_) {
        for (const std::string& option : o.kernel_options) {
            const size_t colon = std::min(option.find(':'), option.size());
            const std::string op = option.substr(0, colon);
            if (colon < option.size()) options_.push_back({op == "ALL" ? "" : op, {}, {option.substr(colon + 1)}});
        }
        if (settings_.vendor.find_first_of("/. \t") != std::string::npos)
            throw Error(fmt::format("vendor_name is '{}'; legal: letters, digits and _", settings_.vendor));
    }

    BuildResult Run() {
        ChooseChips();
        package_ = out_ / "package";
        if (!only_text_) RemoveOld();
        CompileProject();
        if (only_text_) return std::move(result_);
        CompileAclnn();
        CopyTexts();
        jit::WriteText(package_ / "version.info", fmt::format("custom_opp_compiler_version=sfumato-{}\n", Version()));
        Pack();
        return std::move(result_);
    }

private:
    void Note(const std::string& text) { result_.messages += text + "\n"; }

    // The folder may be CMake's, too.
    void RemoveOld() {
        std::error_code ignored;
        fs::remove_all(package_, ignored);
        fs::remove_all(autogen_, ignored);
        fs::create_directories(out_, ignored);
        for (const auto& entry : fs::directory_iterator(out_)) {
            const std::string name = entry.path().filename();
            if (name.starts_with("custom_opp_") && name.ends_with(".run")) fs::remove(entry.path(), ignored);
        }
    }

    void ChooseChips() {
        if (settings_.units.empty()) {
            const char* set = std::getenv("SFUMATO_CHIP");
            settings_.units = {op::ConfigWord(set && *set ? set : "Ascend910B1")};
        }
        for (const std::string& unit : settings_.units) {
            const std::string product = ProductOf(unit);
            if (product.empty()) {
                Note(fmt::format("note: ASCEND_COMPUTE_UNIT has {}, which there is no chip for", unit));
            } else {
                chips_.push_back(product);
            }
        }
        if (chips_.empty()) {
            throw Error(
                fmt::format("ASCEND_COMPUTE_UNIT is {}; legal: {}", fmt::join(settings_.units, ";"), KnownUnits()));
        }
    }

    // Every operator on every chip: what a call would compile is compiled now.
    void CompileProject() {
        const op::LoadOptions host_options;
        const auto object = op::CompileHost(project_, host_options);
        for (const std::string& warning : object->warnings) Note(warning);
        op::HostLibrary library(object->path);
        const std::vector<std::string> names = library.names();
        if (names.empty()) throw Error(fmt::format("{}: no OP_ADD registers an operator", project_.folder));
        for (const std::string& name : names) {
            std::vector<std::string> chips;
            for (const std::string& chip : chips_) {
                if (library.HasUnit(name, chip)) chips.push_back(chip);
            }
            for (const std::string& chip : chips_) {
                if (chips.empty() || library.HasUnit(name, chip)) continue;
                Note(fmt::format("note: {} has no AddConfig for {}", name, op::ConfigWord(chip)));
            }
            if (chips.empty()) chips = chips_;  // each refuses
            for (const std::string& chip : chips) {
                const ChosenOptions chosen = Choose(options_, name, op::ConfigWord(chip));
                if (!only_text_) CompileKernels(project_.folder, name, chip, chosen);
            }
        }
        generator_.Add(project_, library, names, options_, chips_);
        generator_.Finish();
        result_.messages += generator_.notes();
    }

    void CompileAclnn() {
        const jit::RunningLibrary library = jit::LocateLibrary();
        if (!library.shared) throw Error("linking needs libsfumato as a shared library, which is not running here");
        const fs::path output = package_ / "op_api/lib/libcust_opapi.so";
        fs::create_directories(output.parent_path());
        std::vector<std::string> command = jit::FindCompiler().command;
        command.insert(command.end(),
                       {"-std=c++20", "-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-I", autogen_.string()});
        for (const std::string& dir : LocateIncludeDirs()) command.insert(command.end(), {"-isystem", dir});
        for (const fs::path& source : generator_.Files(".cpp")) command.push_back(source.string());
        command.insert(command.end(),
                       {library.path, "-Xlinker", "-rpath", "-Xlinker", fs::path(library.path).parent_path().string(),
                        "-Wl,-soname,libcust_opapi.so", "-o", output.string()});
        Execute(command, "the aclnn functions do not compile");
    }

    // What else a package of the vendor's has. The library runs without.
    void CopyTexts() {
        const auto put = [&](const fs::path& file, const fs::path& to) {
            jit::WriteText(package_ / to / file.filename(), jit::ReadText(file).value_or(""));
        };
        for (const fs::path& header : generator_.Files(".h")) put(header, "op_api/include");
        put(autogen_ / "op_proto.h", "op_proto/inc");
        const fs::path tbe = "op_impl/ai_core/tbe";
        for (const auto& entry : fs::directory_iterator(fs::path(project_.folder) / "op_kernel")) {
            if (entry.is_regular_file() && entry.path().filename() != "CMakeLists.txt")
                put(entry.path(), tbe / (settings_.vendor + "_impl") / "dynamic");
        }
    }

    void Pack() {
        const fs::path archive = out_ / "package.tar.gz";
        Execute({"tar", "-czf", archive.string(), "-C", package_.string(), "."}, "the package cannot be packed");
        std::string script = kFiles[0].text;
        const size_t lines = static_cast<size_t>(std::ranges::count(script, '\n')) + 1;
        script = Replaced(Replaced(script, "@vendor@", settings_.vendor), "@lines@", fmt::format("{}", lines));
        script = Replaced(script, "@operators@", fmt::format("{}", fmt::join(generator_.operators(), ", ")));
        const fs::path run = out_ / fmt::format("custom_opp_{}_{}.run", Id(), Machine());
        jit::WriteText(run, script + jit::ReadText(archive).value_or(""));
        fs::permissions(run, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                        fs::perm_options::add);
        fs::remove(archive);
        Note(fmt::format("built {} for {}: {}", fmt::join(generator_.operators(), ", "), fmt::join(chips_, ", "),
                         run.string()));
    }

    static std::string Machine() {
#if defined(__x86_64__)
        return "x86_64";
#else
        return "aarch64";
#endif
    }

    op::Project project_;
    ProjectSettings settings_;
    std::vector<KernelOptions> options_;
    fs::path out_, autogen_, package_;
    bool only_text_;
    Generator generator_;
    std::vector<std::string> chips_;
    BuildResult result_;
};

// A copy of what is said, where the build's environment asks for one.
void KeepLog(const BuildResult& result) {
    const char* folder = std::getenv("ASCENDC_BUILD_LOG_DIR");
    if (folder && *folder) jit::WriteText(fs::path(folder) / "build-op.log", result.messages);
}

}  // namespace

BuildResult BuildOp(const BuildOpOptions& options) {
    BuildResult result;
    try {
        result = OpBuilder(options).Run();
    } catch (const std::exception& error) {
        result = {1, fmt::format("{}\n", error.what())};
    }
    KeepLog(result);
    return result;
}

}  // namespace sfumato::toolkit
