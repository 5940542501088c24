// SPDX-License-Identifier: Apache-2.0
// Follows includes depth first. All files are copied or none, so that no file is there in two versions.
#include "jit/source_overlay.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "jit/compiler.h"
#include "jit/source_file.h"
#include "sfumato/jit.h"
#include "sfumato/report.h"

namespace sfumato::jit {
namespace fs = std::filesystem;

std::string WithOriginals(std::string text, const Copies& copies) {
    for (const auto& [copy, original] : copies) {
        for (size_t p = 0; (p = text.find(copy, p)) != std::string::npos; p += original.size())
            text.replace(p, copy.size(), original);
    }
    return text;
}

std::vector<IncludeDir> IncludeDirsOf(const std::vector<std::string>& flags) {
    std::vector<IncludeDir> quoted, plain, system;
    const auto take = [&](const char* option, std::vector<IncludeDir>* dirs, bool quoted_only, bool is_system) {
        const std::string_view name = option;
        for (size_t i = 0; i < flags.size(); ++i) {
            if (!flags[i].starts_with(name)) continue;
            const bool joined = flags[i].size() > name.size();
            if (!joined && i + 1 == flags.size()) continue;
            dirs->push_back({joined ? flags[i].substr(name.size()) : flags[i + 1], quoted_only, is_system});
        }
    };
    const auto listed = [](const char* variable, std::vector<IncludeDir>* dirs, bool is_system) {
        std::istringstream list(Environment(variable));
        for (std::string dir; std::getline(list, dir, ':');)
            dirs->push_back({dir.empty() ? "." : dir, false, is_system});
    };
    take("-iquote", &quoted, true, false);
    take("-I", &plain, false, false);
    listed("CPATH", &plain, false);
    take("-isystem", &system, false, true);
    listed("CPLUS_INCLUDE_PATH", &system, true);
    take("-idirafter", &system, false, true);
    for (const auto* more : {&plain, &system}) quoted.insert(quoted.end(), more->begin(), more->end());
    return quoted;
}

SourceOverlay::SourceOverlay(std::string folder, std::vector<IncludeDir> include_dirs, TakenNames taken,
                             LinesOfFiles wrong)
    : folder_(std::move(folder)),
      include_dirs_(std::move(include_dirs)),
      own_(LocateIncludeDirs()),
      taken_(std::move(taken)),
      wrong_(std::move(wrong)) {
    std::error_code ignored;
    for (std::string& dir : own_) dir = fs::canonical(dir, ignored);
    std::erase(own_, "");
    // The compiler's own, which CPATH may name too.
    own_.insert(own_.end(), {"/usr/include", "/usr/lib"});
}

std::string SourceOverlay::Resolve(const std::string& path, const std::string& name, bool angled) {
    std::error_code ignored;
    const bool absolute = fs::path(name).is_absolute();
    fs::path found = fs::path(path).parent_path() / name;  // of an absolute name, that
    bool system = system_.contains(path);
    if (angled ? !absolute : !fs::is_regular_file(found, ignored)) {
        const auto dir = std::ranges::find_if(include_dirs_, [&](const IncludeDir& d) {
            return !(angled && d.quoted_only) && fs::is_regular_file(fs::path(d.path) / name, ignored);
        });
        if (absolute || dir == include_dirs_.end()) return "";
        found = fs::path(dir->path) / name;
        system = dir->system;
    }
    // By whatever way: CMake names their folder among a target's, the toolkit's are links to them.
    const fs::path real = fs::canonical(found, ignored);
    for (const fs::path own : own_) {
        if (std::mismatch(own.begin(), own.end(), real.begin(), real.end()).first == own.end()) return "";
    }
    std::string file = found.lexically_normal();
    if (system) system_.insert(file);
    return file;
}

bool SourceOverlay::IncludesChange(const std::string& path, const std::string& source, Rewritten* rewritten) {
    bool changes = false;
    const auto scan = [&](const std::string& name, bool angled) {
        const std::string file = Resolve(path, name, angled);
        if (!file.empty() && Scan(file)) changes = true;
        return std::string();
    };
    *rewritten = RewriteText(path, source, scan);
    return changes;
}

bool SourceOverlay::Scan(const std::string& path) {
    if (texts_.contains(path)) return false;
    Rewritten rewritten;
    const bool changes = IncludesChange(path, texts_[path] = ReadText(path).value_or(""), &rewritten);
    return changes || rewritten.changed || !rewritten.errors.empty();
}

Rewritten SourceOverlay::RewriteFile(const std::string& path, const std::string& source) {
    return RewriteText(path, source, [&](const std::string& name, bool angled) {
        const auto copy = copy_of_.find(Resolve(path, name, angled));
        return copy == copy_of_.end() ? std::string() : copy->second;
    });
}

Rewritten SourceOverlay::RewriteText(const std::string& path, const std::string& source, const Includes& includes) {
    const auto wrong = wrong_.empty() ? wrong_.end() : wrong_.find(fs::path(path).lexically_normal());
    Rewritten rewritten = RewriteLaunches(source, includes, taken_, &macros_,
                                          wrong == wrong_.end() ? std::set<uint32_t>() : wrong->second);
    for (Diagnostic& d : rewritten.errors) d.file = path;
    if (!rewritten.left_out.empty()) left_out_[path] = rewritten.left_out;
    return rewritten;
}

Rewritten SourceOverlay::Rewrite(const std::string& path, const std::string& source) {
    Rewritten alone;
    if (!IncludesChange(path, source, &alone)) return alone;
    std::error_code ignored;
    fs::create_directories(folder_, ignored);
    for (const auto& [file, text] : texts_) {
        const std::string name = fmt::format("{}_{}", copies_.size(), fs::path(file).filename().string());
        copy_of_[file] = fs::absolute(fs::path(folder_) / name);
        copies_.emplace_back(copy_of_[file], file);
    }
    Rewritten main = RewriteFile(path, source);
    for (const auto& [file, text] : texts_) {
        const Rewritten rewritten = RewriteFile(file, text);
        main.errors.insert(main.errors.end(), rewritten.errors.begin(), rewritten.errors.end());
        std::ofstream out(copy_of_[file], std::ios::binary);
        if (system_.contains(file)) out << "#pragma GCC system_header\n";
        out << fmt::format("#line 1 \"{}\"\n{}", file, rewritten.text);
        if (!out.flush()) throw Error(fmt::format("cannot write {}", copy_of_[file]));
    }
    return main;
}

}  // namespace sfumato::jit
