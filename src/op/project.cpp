// SPDX-License-Identifier: Apache-2.0
// Looks through folders, and through the words of sources.
#include "op/project.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <set>

#include "jit/build_defines.h"
#include "jit/cache.h"
#include "jit/source_file.h"
#include "jit/tokenizer.h"
#include "op/cmake_files.h"
#include "report/finding.h"

namespace sfumato::op {
namespace fs = std::filesystem;
namespace {

constexpr int kDeepest = 6;       // folders below the one given
constexpr int kMostAbove = 4;     // folders above a project that may share includes
constexpr size_t kMostShown = 8;  // names in a message

[[noreturn]] void Refuse(Rule rule, const std::string& operand, const std::string& message, const std::string& found,
                         const std::string& legal, const std::string& hint, const std::string& file = "",
                         uint32_t line = 0) {
    throw KernelError(ToReport({rule, operand, message, found, legal, hint}, "", {file.c_str(), line}));
}

bool IsFolder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}
bool IsFile(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

bool IsSource(const fs::path& path) {
    const std::string suffix = path.extension();
    return suffix == ".cpp" || suffix == ".cc" || suffix == ".cxx";
}
bool IsHeader(const fs::path& path) {
    const std::string suffix = path.extension();
    return suffix == ".h" || suffix == ".hpp";
}

// Folders that hold no code of the operator: functions for aclnn written by hand, plug-ins, tests; and what is for
// chips that work on registers alone, where `registers` says that the chip does not.
bool IsForeign(const std::string& name, bool registers) {
    static const std::set<std::string> kNames = {"op_api", "op_graph", "framework", "tests",           "test",
                                                 "ut",     "build",    "build_out", "framework_plugin"};
    return name.starts_with(".") || kNames.contains(name) || (name == "arch35" && !registers);
}

void Walk(const fs::path& folder, int depth, const std::function<bool(const fs::path&, int)>& enters,
          const std::function<void(const fs::path&)>& file) {
    std::error_code error;
    std::vector<fs::path> entries;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        entries.push_back(it->path());
    std::ranges::sort(entries);
    for (const fs::path& entry : entries) {
        if (IsFile(entry)) {
            file(entry);
        } else if (IsFolder(entry) && !fs::is_symlink(entry, error) && enters(entry, depth)) {
            Walk(entry, depth + 1, enters, file);
        }
    }
}

std::vector<fs::path> FilesOf(const fs::path& folder, bool registers, bool (*wanted)(const fs::path&)) {
    std::vector<fs::path> files;
    const auto enters = [&](const fs::path& f, int depth) {
        return depth < kDeepest && !IsForeign(f.filename(), registers);
    };
    Walk(folder, 0, enters, [&](const fs::path& f) {
        if (wanted(f)) files.push_back(f);
    });
    return files;
}

bool IsProject(const fs::path& folder) { return IsFolder(folder / "op_host") && IsFolder(folder / "op_kernel"); }

std::vector<fs::path> ProjectsBelow(const fs::path& folder) {
    if (IsProject(folder)) return {folder};
    std::vector<fs::path> found;
    const auto enters = [&](const fs::path& f, int depth) {
        const std::string name = f.filename();
        if (depth >= kDeepest || name.starts_with(".") || name == "build" || name == "build_out") return false;
        if (!IsProject(f)) return true;
        found.push_back(f);
        return false;
    };
    Walk(folder, 0, enters, [](const fs::path&) {});
    return found;
}

// The words of a file without comments and strings; those behind `call` and its "(".
std::vector<std::string> ArgumentsOf(const std::vector<jit::Token>& tokens, std::string_view call) {
    std::vector<std::string> names;
    for (size_t i = 0; i + 2 < tokens.size(); ++i) {
        if (tokens[i].Is(call) && tokens[i + 1].Is("(")) names.emplace_back(tokens[i + 2].text);
    }
    return names;
}

std::vector<std::string> OperatorsOf(const fs::path& folder) {
    std::vector<std::string> names;
    for (const fs::path& source : FilesOf(folder / "op_host", true, IsSource)) {
        const std::string text = jit::ReadText(source).value_or("");
        for (std::string& name : ArgumentsOf(jit::Tokenize(text), "OP_ADD")) names.push_back(std::move(name));
    }
    return names;
}

fs::path ChooseProject(const std::string& folder, const std::string& op) {
    if (!IsFolder(folder)) {
        Refuse(Rule::kOpProject, "", "there is no such folder", folder,
               "the folder of an operator project, with op_host and op_kernel", "");
    }
    const std::vector<fs::path> projects = ProjectsBelow(folder);
    if (projects.empty()) {
        Refuse(Rule::kOpProject, "", "the folder holds no operator project", folder,
               "a folder with op_host and op_kernel in it, or one above such folders", "");
    }
    if (projects.size() == 1) return projects[0];
    std::vector<std::string> names;
    for (const fs::path& project : projects) {
        for (const std::string& name : OperatorsOf(project)) {
            if (name == op) return project;
            if (std::ranges::find(names, name) == names.end()) names.push_back(name);
        }
    }
    const size_t count = names.size();
    names.resize(std::min(count, kMostShown));
    const std::string all = fmt::format("{}{}", fmt::join(names, ", "), count > kMostShown ? " ..." : "");
    if (op.empty()) {
        Refuse(Rule::kOpProject, "", "the folder holds several operators, and none is named",
               fmt::format("{} operators in {} folders of {}", count, projects.size(), folder), all,
               "name one with op=, or give its folder");
    }
    Refuse(Rule::kOpProject, "", "no OP_ADD below the folder names the operator", op, all, "");
}

// Sfumato's own headers come after the project's, and are none of it.
void AddFolder(std::vector<std::string>& dirs, const fs::path& folder) {
    if (IsFile(folder / "sfumato/kernel_entry.h")) return;
    if (IsFolder(folder) && std::ranges::find(dirs, folder.string()) == dirs.end()) dirs.push_back(folder.string());
}

std::vector<std::string> IncludeDirs(const fs::path& project, bool registers) {
    std::vector<std::string> dirs;
    for (const char* part : {"op_host", "op_kernel"}) {
        AddFolder(dirs, project / part);
        for (const fs::path& header : FilesOf(project / part, registers, IsHeader))
            AddFolder(dirs, header.parent_path());
    }
    for (const std::string& folder : HostIncludeDirs(project / "op_host/CMakeLists.txt")) AddFolder(dirs, folder);
    fs::path above = project;
    for (int i = 0; i <= kMostAbove; ++i) {
        AddFolder(dirs, above);
        for (const char* shared : {"common", "common/inc", "common/include", "common/op_host", "common/op_kernel",
                                   "inc", "include", "tiling_base", "utils", "utils/inc"}) {
            AddFolder(dirs, above / shared);
        }
        const bool root =
            IsFile(above / "build.sh") || IsFile(above / "CMakePresets.json") || fs::exists(above / ".git");
        if (root || !above.has_parent_path() || above == above.parent_path()) break;
        above = above.parent_path();
    }
    return dirs;
}

// Whether the header that the line includes lies in the folder of the file, or below it.
bool IsBeside(const fs::path& file, const std::string& line) {
    const size_t begin = line.find_first_of("\"<") + 1, end = line.find_first_of("\">", begin);
    const fs::path header = fs::path(line.substr(begin, end - begin)).filename();
    std::error_code none;
    const fs::recursive_directory_iterator all(file.parent_path(), none);
    return std::any_of(fs::begin(all), fs::end(all),
                       [&](const fs::directory_entry& e) { return e.path().filename() == header; });
}

// Includes of what is not there, and never will be.
void RefuseInclude(const fs::path& file, const std::vector<jit::Token>& tokens) {
    for (const jit::Token& token : tokens) {
        if (token.kind != jit::TokenKind::kDirective) continue;
        const std::string_view text = token.text;
        if (text.find("include") == text.npos) continue;
        const auto names = [&](std::string_view what) {
            return text.find("\"" + std::string(what)) != text.npos || text.find("<" + std::string(what)) != text.npos;
        };
        const std::string line = "#" + std::string(text.substr(text.find("include")));
        if (names("opdev/")) {
            Refuse(Rule::kOpdevUnsupported, "", "the source uses the interface for aclnn functions written by hand",
                   line, "an operator with OP_ADD, a tiling function and a kernel",
                   "call the operator itself: its aclnn functions are generated", file, token.line);
        }
        if (names("mc2") && !IsBeside(file, line)) {
            Refuse(Rule::kCommUnsupported, "", "the source uses a header of the toolkit's own communication operators",
                   line, "tiling/hccl/hccl_tiling.h, or a header of the project", "", file, token.line);
        }
    }
}

std::string WithoutSuffix(const fs::path& path) { return path.stem(); }

}  // namespace

std::vector<std::string> ProjectFolders(const std::string& folder) {
    std::vector<std::string> folders;
    for (const fs::path& project : ProjectsBelow(folder)) folders.push_back(project);
    return folders;
}

Project FindProject(const std::string& folder, const std::string& op, bool registers) {
    Project project;
    project.registers = registers;
    const fs::path chosen = ChooseProject(folder, op);
    project.folder = chosen;
    for (const fs::path& source : FilesOf(chosen / "op_host", project.registers, IsSource)) {
        if (source.filename().string().starts_with("aclnn_")) continue;
        const std::string text = jit::ReadText(source).value_or("");
        const std::vector<jit::Token> tokens = jit::Tokenize(text);
        const bool graph = text.find("graph/operator_reg.h") != text.npos;
        if (graph && ArgumentsOf(tokens, "OP_ADD").empty()) continue;  // the prototype for the graph engine
        try {
            RefuseInclude(source, tokens);
            project.host_sources.push_back(source);
        } catch (const KernelError&) {
            if (Mentions(source, op)) throw;
            project.left_out.push_back({source, std::current_exception()});
        }
    }
    if (project.host_sources.empty() && !project.left_out.empty()) std::rethrow_exception(project.left_out[0].why);
    if (project.host_sources.empty()) {
        Refuse(Rule::kOpProject, "", "op_host holds no C++ source", (chosen / "op_host").string(),
               "the .cpp with OP_ADD and the tiling function", "");
    }
    project.include_dirs = IncludeDirs(chosen, project.registers);
    return project;
}

bool Mentions(const std::string& file, const std::string& op) {
    if (op.empty()) return true;
    const std::vector<jit::Token> tokens = jit::Tokenize(jit::ReadText(file).value_or(""));
    return std::ranges::any_of(tokens, [&](const jit::Token& t) { return t.text == op || t.text == '"' + op + '"'; });
}

std::string FindKernelSource(const Project& project, const Definition& definition) {
    const std::string name = !definition.file.empty() ? definition.file : SnakeName(definition.name);
    const fs::path kernels = fs::path(project.folder) / "op_kernel";
    std::vector<std::string> there;
    std::vector<fs::path> sources = FilesOf(kernels, project.registers, IsSource);
    // The second source of an operator, for chips that work on registers.
    if (const auto apt = std::ranges::find(sources, name + "_apt", WithoutSuffix);
        project.registers && apt != sources.end())
        return *apt;
    for (const fs::path& source : sources) {
        if (WithoutSuffix(source) == name) return source;
        there.push_back(source.filename());
    }
    // A kernel may stand in a file of another name, if it is the only one there.
    for (const fs::path& source : sources) {
        const std::string text = jit::ReadText(source).value_or("");
        const std::vector<jit::Token> tokens = jit::Tokenize(text);
        const bool names = std::ranges::any_of(tokens, [&](const jit::Token& t) { return t.Is(name); });
        if (there.size() == 1 && names) return source;
    }
    Refuse(Rule::kOpKernel, "", fmt::format("op_kernel has no source of the operator {}", definition.name),
           there.empty() ? "no source" : fmt::format("{}", fmt::join(there, ", ")), name + ".cpp",
           "the name is the operator's in snake case, or that of opFile.value", definition.source, definition.line);
}

namespace {

bool DefinesStructs(const std::string& file) {
    const std::vector<jit::Token> tokens = jit::Tokenize(jit::ReadText(file).value_or(""));
    return std::ranges::any_of(
        tokens, [](const jit::Token& t) { return t.Is("struct") || t.Is("class") || t.Is("BEGIN_TILING_DATA_DEF"); });
}

// Whether the kernel does without a header of op_host: it includes one of the same name that has the structs, or the
// header is a left-over of msopgen, which no source of the host includes.
bool IsOthers(const Project& project, const fs::path& header, const std::vector<std::string>& read) {
    std::error_code ignored;
    const fs::path own = fs::weakly_canonical(header, ignored);
    const auto is_own = [&](const std::string& file) { return fs::weakly_canonical(file, ignored) == own; };
    if (std::ranges::any_of(read, is_own)) return false;
    const bool of_kernel = std::ranges::any_of(read, [&](const std::string& file) {
        return fs::path(file).filename() == header.filename() && DefinesStructs(file);
    });
    return of_kernel || std::ranges::none_of(project.host_sources, [&](const std::string& source) {
               const std::string text = jit::ReadText(source).value_or("");
               return std::ranges::any_of(jit::FindMentions(source, text, project.include_dirs).files, is_own);
           });
}

}  // namespace

std::vector<std::string> TilingHeaders(const Project& project, const std::string& op,
                                       const std::vector<std::string>& read, const std::string& folder) {
    struct Candidate {
        fs::path path;
        std::string text;
        bool registers = false;
    };
    std::vector<Candidate> candidates;
    const auto wanted = [](const fs::path& p) { return IsHeader(p) || IsSource(p); };
    constexpr std::string_view kHostFolder = "op_host";
    for (const std::string_view part : {kHostFolder, std::string_view("op_kernel")}) {
        for (const fs::path& file : FilesOf(fs::path(project.folder) / part, project.registers, wanted)) {
            Candidate c{file, jit::ReadText(file).value_or("")};
            const std::vector<jit::Token> tokens = jit::Tokenize(c.text);
            if (ArgumentsOf(tokens, "BEGIN_TILING_DATA_DEF").empty()) continue;
            const std::vector<std::string> ops = ArgumentsOf(tokens, "REGISTER_TILING_DATA_CLASS");
            c.registers = std::ranges::find(ops, op) != ops.end();
            if (part == kHostFolder && IsHeader(file) && IsOthers(project, file, read)) continue;
            candidates.push_back(std::move(c));
        }
    }
    const bool any = std::ranges::any_of(candidates, [](const Candidate& c) { return c.registers; });
    std::vector<std::string> headers;
    for (const Candidate& c : candidates) {
        if (any && !c.registers) continue;
        std::error_code ignored;
        const fs::path own = fs::weakly_canonical(c.path, ignored);
        const bool included = std::ranges::any_of(
            read, [&](const std::string& file) { return fs::weakly_canonical(file, ignored) == own; });
        if (included) continue;
        if (IsHeader(c.path)) {
            headers.push_back(c.path);
            continue;
        }
        // Only the definitions: from each BEGIN_ to the last line of its registration.
        std::string text = "#pragma once\n#include \"register/tilingdata_base.h\"\n#include \"tiling/tiling_api.h\"\n";
        for (size_t begin = 0; (begin = c.text.find("BEGIN_TILING_DATA_DEF", begin)) != c.text.npos;) {
            size_t end = c.text.find("END_TILING_DATA_DEF", begin);
            end = std::min(end, c.text.size());
            size_t line_end = c.text.find('\n', end);
            text += c.text.substr(begin, std::min(line_end, c.text.size()) - begin) + "\n";
            begin = end;
        }
        for (size_t at = 0; (at = c.text.find("REGISTER_TILING_DATA_CLASS", at)) != c.text.npos;) {
            const size_t line_end = std::min(c.text.find('\n', at), c.text.size());
            text += c.text.substr(at, line_end - at) + "\n";
            at = line_end;
        }
        const fs::path header = fs::path(folder) / fmt::format("tiling-{}.h", jit::HashBytes(text));
        if (!IsFile(header)) {
            fs::create_directories(folder, ignored);
            const fs::path temporary = header.string() + ".tmp";
            std::ofstream(temporary, std::ios::binary) << text;
            fs::rename(temporary, header, ignored);
        }
        headers.push_back(header);
    }
    return headers;
}

}  // namespace sfumato::op
