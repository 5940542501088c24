// SPDX-License-Identifier: Apache-2.0
// `sfumato build-op`: compiles everything an operator project has, generates its aclnn functions, and packs it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

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
#include "toolkit/aclnn_source.h"
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

// A product for each unit that can run here: that of SFUMATO_CHIP where it is one, else the first.
std::string ProductOf(const std::string& unit) {
    const char* set = std::getenv("SFUMATO_CHIP");
    std::vector<std::string> products;
    if (set && *set) products.emplace_back(set);
    for (const soc::Chip& family : soc::Families()) {
        for (const soc::Product& p : family.products) products.push_back(p.name);
    }
    for (const std::string& product : products) {
        const soc::Chip& chip = soc::FindChip(product);
        if (chip.ascendc && op::ConfigWord(product) == unit) return chip.product;
    }
    return "";
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
          only_text_(o.autogen) {
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
        sources_ = fmt::format("op_impl/ai_core/tbe/{}_impl/project", settings_.vendor);
        if (!only_text_) RemoveOld();
        CompileProject();
        if (only_text_) return std::move(result_);
        CompileAclnn();
        CopySources();
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
            std::set<std::string> units;
            for (const soc::Chip& c : soc::Families()) {
                for (const soc::Product& p : c.products) {
                    if (c.ascendc) units.insert(op::ConfigWord(p.name));
                }
            }
            throw Error(fmt::format("ASCEND_COMPUTE_UNIT is {}; legal: {}", fmt::join(settings_.units, ";"),
                                    fmt::join(units, ", ")));
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
            const ChosenOptions chosen = Choose(options_, name, op::ConfigWord(chips_[0]));
            for (const std::string& word : chosen.ignored)
                Note(fmt::format("note: {}: the option {} means nothing here", name, word));
            for (const std::string& chip : chips_) {
                if (!only_text_) CompileKernels(name, chip, Choose(options_, name, op::ConfigWord(chip)));
            }
            const op::Definition definition = library.DefinitionFor(name, chips_[0], false);
            const AclnnText text =
                WriteAclnn(definition, "../../" + sources_, chosen.flags + OutsideFolders(), chosen.auto_sync);
            const std::string file = "aclnn_" + op::SnakeName(name);
            jit::WriteText(autogen_ / (file + ".h"), text.header);
            jit::WriteText(autogen_ / (file + ".cpp"), text.source);
            if (!only_text_) jit::WriteText(package_ / "op_api/include" / (file + ".h"), text.header);
            generated_.push_back((autogen_ / (file + ".cpp")).string());
            operators_.push_back(name);
        }
    }

    // What the project includes from beside it is not packed, and found where it is.
    std::string OutsideFolders() const {
        std::string flags;
        const std::string own = fs::absolute(project_.folder).lexically_normal().string();
        for (const std::string& dir : project_.include_dirs) {
            const std::string path = fs::absolute(dir).lexically_normal().string();
            if (!path.starts_with(own)) flags += " -I" + path;
        }
        return flags;
    }

    void CompileKernels(const std::string& name, const std::string& chip, const ChosenOptions& chosen) {
        op::LoadOptions load;
        load.folder = project_.folder;
        load.chip = chip;
        load.op = name;
        load.strict = false;
        for (size_t begin = 0; begin < chosen.flags.size();) {
            const size_t end = std::min(chosen.flags.find(' ', begin), chosen.flags.size());
            load.flags.push_back(chosen.flags.substr(begin, end - begin));
            begin = end + 1;
        }
        const auto loaded = op::Operator::Load(load);
        // Which keys there are only the tiling knows.
        if (loaded->origin().key_decides) return;
        for (size_t column = 0; column < loaded->definition().columns; ++column) {
            op::Call call;
            call.chip = loaded->chip();
            call.column = column;
            loaded->CompileKernel(call, {});
        }
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
        command.insert(command.end(), generated_.begin(), generated_.end());
        command.insert(command.end(),
                       {library.path, "-Xlinker", "-rpath", "-Xlinker", fs::path(library.path).parent_path().string(),
                        "-Wl,-soname,libcust_opapi.so", "-o", output.string()});
        Execute(command, "the aclnn functions do not compile");
    }

    void CopySources() {
        const fs::path to = package_ / sources_;
        fs::create_directories(to);
        for (const auto& entry : fs::directory_iterator(project_.folder)) {
            const std::string name = entry.path().filename();
            std::error_code ignored;
            const bool built = name == "build" || name == "build_out" || fs::equivalent(entry.path(), out_, ignored) ||
                               fs::exists(entry.path() / "CMakeCache.txt", ignored);
            if (name.starts_with(".") || built) continue;
            fs::copy(entry.path(), to / name, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
        }
    }

    void Pack() {
        const fs::path archive = out_ / "package.tar.gz";
        Execute({"tar", "-czf", archive.string(), "-C", package_.string(), "."}, "the package cannot be packed");
        std::string script = kFiles[0].text;
        const size_t lines = static_cast<size_t>(std::ranges::count(script, '\n')) + 1;
        script = Replaced(Replaced(script, "@vendor@", settings_.vendor), "@lines@", fmt::format("{}", lines));
        script = Replaced(script, "@operators@", fmt::format("{}", fmt::join(operators_, ", ")));
        const fs::path run = out_ / fmt::format("custom_opp_{}_{}.run", Id(), Machine());
        jit::WriteText(run, script + jit::ReadText(archive).value_or(""));
        fs::permissions(run, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                        fs::perm_options::add);
        fs::remove(archive);
        Note(fmt::format("built {} for {}: {}", fmt::join(operators_, ", "), fmt::join(chips_, ", "), run.string()));
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
    std::string sources_;  // in the package
    std::vector<std::string> chips_, operators_, generated_;
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
