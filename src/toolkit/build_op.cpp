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
        : folders_(op::ProjectFolders(o.folder)),
          root_(folders_.size() == 1 ? folders_[0] : o.folder),
          settings_(ReadSettings(SettingsFolder(o.folder), o.defines)),
          out_(o.out.empty() ? root_ / "build_out" : fs::path(o.out)),
          autogen_(o.autogen ? out_ : out_ / "autogen"),
          only_text_(o.autogen),
          generator_(autogen_) {
        for (const std::string& option : o.kernel_options) {
            const size_t colon = std::min(option.find(':'), option.size());
            const std::string op = option.substr(0, colon);
            if (colon < option.size()) more_options_.push_back({op == "ALL" ? "" : op, {}, {option.substr(colon + 1)}});
        }
        if (settings_.vendor.find_first_of("/. \t") != std::string::npos)
            throw Error(fmt::format("vendor_name is '{}'; legal: letters, digits and _", settings_.vendor));
    }

    BuildResult Run() {
        if (folders_.empty()) op::FindProject(root_, "");  // says so
        ChooseChips();
        package_ = out_ / "package";
        if (!only_text_) RemoveOld();
        for (const std::string& folder : folders_) AddProject(folder);
        if (generator_.operators().empty())
            throw Error(fmt::format("{}{}: there is no operator to build", result_.messages, root_.string()));
        generator_.Finish();
        result_.messages += generator_.notes();
        if (only_text_) return std::move(result_);
        CompileAclnn();
        CopyTexts();
        jit::WriteText(package_ / "version.info", fmt::format("custom_opp_compiler_version=sfumato-{}\n", Version()));
        Pack();
        return std::move(result_);
    }

private:
    // CMakePresets.json stands beside op_host, or in the folder above several projects.
    std::string SettingsFolder(const std::string& given) const {
        std::error_code ignored;
        return fs::exists(fs::path(given) / "CMakePresets.json", ignored) ? given : root_.string();
    }

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
        const char* set = std::getenv("SFUMATO_CHIP");
        if (settings_.units.empty() && set && *set) settings_.units = {op::ConfigWord(set)};
        if (settings_.units.empty()) return;  // those of AddConfig
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

    // Of several projects those that are refused as a whole keep the others from nothing.
    void AddProject(const std::string& folder) {
        try {
            const bool registers = std::ranges::any_of(
                chips_, [](const std::string& chip) { return soc::FindChip(chip).vector_registers; });
            CompileProject(op::FindProject(folder, "", registers));
        } catch (const KernelError& error) {
            if (folders_.size() == 1) throw;
            Note(fmt::format("note: {} is left out\n{}", folder, error.report().Text()));
        }
    }

    // Every operator on every chip: what a call would compile is compiled now.
    void CompileProject(const op::Project& project) {
        std::vector<KernelOptions> options = ReadKernelOptions(project.folder);
        options.insert(options.end(), more_options_.begin(), more_options_.end());
        const op::LoadOptions host_options;
        const auto object = op::CompileHost(project, host_options);
        for (const std::string& warning : object->warnings) Note(warning);
        op::HostLibrary library(object->path);
        const std::vector<std::string> names = library.names();
        if (names.empty()) throw Error(fmt::format("{}: no OP_ADD registers an operator", project.folder));
        for (const std::string& name : names) {
            for (const std::string& chip : ChipsOf(library, name)) {
                const ChosenOptions chosen = Choose(options, name, op::ConfigWord(chip));
                if (!only_text_) CompileKernels(project.folder, name, chip, chosen);
            }
        }
        generator_.Add(project, library, names, options, chips_);
    }

    // Those of ASCEND_COMPUTE_UNIT that the operator has; with none of them all, each of which refuses. Where nothing
    // is said those of AddConfig.
    std::vector<std::string> ChipsOf(const op::HostLibrary& library, const std::string& name) {
        std::vector<std::string> chips;
        for (const std::string& chip : chips_) {
            if (library.HasUnit(name, chip)) chips.push_back(chip);
        }
        for (const std::string& chip : chips_) {
            if (chips.empty() || library.HasUnit(name, chip)) continue;
            Note(fmt::format("note: {} has no AddConfig for {}", name, op::ConfigWord(chip)));
        }
        for (const std::string& unit : chips_.empty() ? library.Units(name) : std::vector<std::string>()) {
            if (const std::string product = ProductOf(unit); !product.empty()) chips.push_back(product);
        }
        if (chips.empty()) chips = chips_;
        for (const std::string& chip : chips) {
            if (std::ranges::find(built_for_, chip) == built_for_.end()) built_for_.push_back(chip);
        }
        return chips;
    }

    void CompileAclnn() {
        const jit::RunningLibrary library = jit::LocateLibrary();
        if (!library.shared) throw Error("linking needs libsfumato as a shared library, which is not running here");
        const fs::path output = package_ / "op_api/lib/libcust_opapi.so";
        fs::create_directories(output.parent_path());
        const jit::Compiler compiler = jit::FindCompiler();
        std::vector<std::string> command = compiler.command;
        const std::vector<std::string> language = jit::LanguageFlags(compiler);
        command.insert(command.end(), language.begin(), language.end());
        command.insert(command.end(), {"-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-I", autogen_.string()});
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
        for (const std::string& folder : folders_) {
            for (const auto& entry : fs::directory_iterator(fs::path(folder) / "op_kernel")) {
                if (entry.is_regular_file() && entry.path().filename() != "CMakeLists.txt")
                    put(entry.path(), tbe / (settings_.vendor + "_impl") / "dynamic");
            }
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
        Note(fmt::format("built {} for {}: {}", fmt::join(generator_.operators(), ", "), fmt::join(built_for_, ", "),
                         run.string()));
    }

    static std::string Machine() {
#if defined(__x86_64__)
        return "x86_64";
#else
        return "aarch64";
#endif
    }

    std::vector<std::string> folders_;  // with op_host and op_kernel
    fs::path root_;
    ProjectSettings settings_;
    std::vector<KernelOptions> more_options_;
    fs::path out_, autogen_, package_;
    bool only_text_;
    Generator generator_;
    std::vector<std::string> chips_, built_for_;  // products
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
