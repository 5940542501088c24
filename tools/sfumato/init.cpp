// SPDX-License-Identifier: Apache-2.0
// `sfumato init`: writes the folder of a new kernel from templates, beside its place, compiles the kernel, and puts the
// folder in place.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "npy.h"
#include "options.h"
#include "output.h"
#include "sfumato/environment.h"
#include "sfumato/jit.h"
#include "system/files.h"
#include "template.h"

namespace sfumato::command {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr Template kInitTemplates[] = {
#include "init.inc"
};
constexpr const char* kPlain[][2] = {
    {"test.py", "test_@name@.py"},         {"host.cpp", "host.cpp"},   {"CMakeLists.txt", "CMakeLists.txt"},
    {"gitignore", ".gitignore"},           {"README.md", "README.md"}, {"tasks.json", ".vscode/tasks.json"},
    {"launch.json", ".vscode/launch.json"}};
// Of --ci: its word, the template, and where it goes in a repository.
constexpr const char* kCi[][3] = {{"github", "github.yml", ".github/workflows/sfumato.yml"},
                                  {"github", "problem-matcher.json", ".github/sfumato-matcher.json"},
                                  {"gitlab", "gitlab-ci.yml", ".gitlab-ci.yml"}};
constexpr uint32_t kCount = 10000;  // elements of x.npy and y.npy

void CheckName(const std::string& name) {
    static const std::set<std::string> files = {"host", "kernels", "main", "test"};  // of the folder
    const bool letters = !name.empty() && name.size() <= 64 && std::isalpha(static_cast<unsigned char>(name[0])) &&
                         std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!letters || name.find("__") != std::string::npos || IsCppWord(name) || files.contains(name)) {
        throw Error(
            fmt::format("'{}' cannot be the name of a kernel; legal: letters, digits and single _, at most 64, "
                        "beginning with a letter; no keyword of C++, and not host, kernels, main or test",
                        name));
    }
}

std::string Without(std::string text, const std::string& part) {
    for (size_t at; (at = text.find(part)) != std::string::npos;) text.erase(at, part.size());
    return text;
}

// The kernel's arguments in a command line.
std::vector<std::string> Arguments(const InitOptions& o) {
    return {o.name + ".cpp",
            "--chip",
            o.chip,
            "--blocks",
            "8",
            "--",
            "x.npy",
            "y.npy",
            fmt::format("out:float32[{}]=z.npy", kCount),
            fmt::format("uint32:{}", kCount)};
}

Values ValuesOf(const InitOptions& o) {
    std::vector<std::string> words, quoted;
    for (const std::string& word : Arguments(o)) {
        words.push_back(word.find('[') == std::string::npos ? word : "'" + word + "'");
        quoted.push_back(Json(word).dump());
    }
    return {{"name", o.name},
            {"chip", o.chip},
            {"version", Version()},
            {"arguments", fmt::format("{}", fmt::join(quoted, ", "))},
            {"words", fmt::format("{}", fmt::join(words, " "))},
            {"command", Self().string()},
            {"printers", DebuggerScript("sfumato_gdb.py")},
            {"matcher", TemplateOf(kInitTemplates, "init/vscode_matcher.json.in")}};
}

// Writes the recipe for CI below a folder. Throws Error for a file that is there.
std::vector<std::string> WriteCi(const fs::path& folder, const std::string& ci) {
    std::vector<std::string> written;
    for (const auto& [kind, from, to] : kCi) {
        std::error_code ignored;
        if (kind == ci && fs::exists(fs::symlink_status(folder / to, ignored)))
            throw Error(fmt::format("{} is already there; init replaces nothing, and nothing was written", to));
    }
    for (const auto& [kind, from, to] : kCi) {
        if (kind != ci) continue;
        WriteFilled(folder / to, kInitTemplates, fmt::format("init/{}.in", from), {{"version", Version()}});
        written.emplace_back(to);
    }
    return written;
}

void WriteRamp(const fs::path& path, float step) {
    std::vector<float> values(kCount);
    for (uint32_t i = 0; i < kCount; ++i) values[i] = step * static_cast<float>(i);
    WriteNpy(path.string(), DataType::kFloat, {kCount}, values.data());
}

// As clangd reads it: each file with the command that compiles it.
std::string CompileCommands(const fs::path& folder, const CompileOptions& options) {
    Json list = Json::array();
    for (const std::string& file : {options.source, std::string("host.cpp")}) {
        CompileOptions one = options;
        one.source = file;
        if (file == "host.cpp") one.defines = {{"SFUMATO_CHIP", Json(options.chip).dump()}};
        list.push_back({{"directory", folder.string()}, {"file", file}, {"arguments", CompileCommand(one)}});
    }
    return list.dump(2) + "\n";
}

// What is written so far, removed unless it was put in place.
class Staging {
public:
    explicit Staging(const fs::path& place) : place_(place) {
        std::string pattern = (place.parent_path() / fmt::format(".{}.XXXXXX", place.filename().string())).string();
        if (!mkdtemp(pattern.data())) Fail("cannot write beside");
        folder_ = pattern;
        fs::permissions(folder_,
                        fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read | fs::perms::others_exec,
                        fs::perm_options::add);
    }
    ~Staging() {
        std::error_code ignored;
        if (!folder_.empty()) fs::remove_all(folder_, ignored);
    }
    Staging& operator=(Staging&&) = delete;

    const fs::path& folder() const { return folder_; }
    void Commit() {
        if (!system::RenameToNew(folder_, place_)) Fail("cannot make");
        folder_.clear();
    }

private:
    [[noreturn]] void Fail(const char* what) const {
        throw Error(fmt::format("{} {}: {}; nothing was written", what, place_.string(), std::strerror(errno)));
    }
    fs::path place_, folder_;
};

}  // namespace

void AddInitOptions(CLI::App& init, InitOptions& o) {
    const auto name = [&o](const std::string& word) { o.name = word, o.named = true; };
    init.add_option_function<std::string>("name", name, "name of the kernel, of its source and of the new folder")
        ->type_name("NAME");
    init.add_option("--chip", o.chip, "chip that the tests and the tasks of VS Code run on")
        ->type_name("CHIP")
        ->capture_default_str();
    init.add_option("--ci", o.ci, "also write a recipe for CI; without NAME only that, into this folder")
        ->type_name("HOST")
        ->check(CLI::IsMember({"github", "gitlab"}));
}

int Init(const InitOptions& o) {
    if (!o.named && o.ci.empty()) throw Error("the name is missing: `sfumato init NAME`; --ci HOST needs none");
    if (!o.named) {
        const std::vector<std::string> written = WriteCi(fs::current_path(), o.ci);
        PrintOut(fmt::format("wrote {}\n", fmt::join(written, ", ")));
        return kOk;
    }
    CheckName(o.name);
    if (!ChipOf(o.chip).ascendc)
        throw Error(fmt::format("{} has no Ascend C: `sfumato chips` lists the chips", o.chip));
    const fs::path place = fs::current_path() / o.name;
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(place, ignored))) {
        throw Error(fmt::format("{} is already there; init writes a new folder and replaces nothing", o.name));
    }
    Staging staging(place);
    const fs::path& folder = staging.folder();
    const Values values = ValuesOf(o);
    CompileOptions compile;
    compile.source = (folder / (o.name + ".cpp")).string();
    compile.chip = o.chip;
    WriteFilled(compile.source, kInitTemplates, "init/kernel.cpp.in", values);
    try {
        Compile(compile);
    } catch (const CompileError& e) {
        throw Error(fmt::format("a kernel called {} does not compile; nothing was written\n{}", o.name,
                                Without(e.what(), folder.string() + "/")));
    }
    for (const auto& [from, to] : kPlain)
        WriteFilled(folder / Filled(to, values), kInitTemplates, fmt::format("init/{}.in", from), values);
    if (!o.ci.empty()) WriteCi(folder, o.ci);
    WriteRamp(folder / "x.npy", 0.5f);
    WriteRamp(folder / "y.npy", 1.0f);
    compile.source = o.name + ".cpp";
    WriteFile((folder / "compile_commands.json").string(), CompileCommands(place, compile));
    staging.Commit();
    PrintOut(
        fmt::format("wrote {0}: {0}.cpp, tests, CMake and VS Code files{2}. Next:\n  cd {0}\n  sfumato run {1}\n"
                    "  python3 -m pytest\n",
                    o.name, values.at("words"), o.ci.empty() ? "" : ", a recipe for CI"));
    return kOk;
}

}  // namespace sfumato::command
