// SPDX-License-Identifier: Apache-2.0
// Follows includes depth first. All files are copied or none, so that no file is there in two versions.
#include "jit/source_overlay.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

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

SourceOverlay::SourceOverlay(std::string folder, std::vector<std::string> include_dirs, TakenNames taken)
    : folder_(std::move(folder)),
      include_dirs_(std::move(include_dirs)),
      own_(LocateIncludeDirs()),
      taken_(std::move(taken)) {}

std::string SourceOverlay::Resolve(const std::string& path, const std::string& name) const {
    std::error_code ignored;
    fs::path found = fs::path(path).parent_path() / name;  // of an absolute name, that
    for (size_t i = 0; !fs::is_regular_file(found, ignored); ++i) {
        if (i == include_dirs_.size() || fs::path(name).is_absolute()) return "";
        found = fs::path(include_dirs_[i]) / name;
    }
    // By whatever way: CMake names their folder among a target's, the toolkit's are links to them.
    const fs::path real = fs::canonical(found, ignored);
    for (const std::string& dir : own_) {
        const fs::path own = fs::canonical(dir, ignored);
        if (!own.empty() && std::mismatch(own.begin(), own.end(), real.begin(), real.end()).first == own.end())
            return "";
    }
    return found.lexically_normal();
}

bool SourceOverlay::Scan(const std::string& path) {
    if (texts_.contains(path)) return false;
    const std::string& text = texts_[path] = ReadText(path).value_or("");
    bool changes = false;
    const Rewritten rewritten = RewriteLaunches(
        text,
        [&](const std::string& name) {
            const std::string file = Resolve(path, name);
            if (!file.empty() && Scan(file)) changes = true;
            return std::string();
        },
        taken_);
    return changes || rewritten.changed || !rewritten.errors.empty();
}

Rewritten SourceOverlay::RewriteFile(const std::string& path, const std::string& source) const {
    Rewritten rewritten = RewriteLaunches(
        source,
        [&](const std::string& name) {
            const auto copy = copy_of_.find(Resolve(path, name));
            return copy == copy_of_.end() ? std::string() : copy->second;
        },
        taken_);
    for (Diagnostic& d : rewritten.errors) d.file = path;
    return rewritten;
}

Rewritten SourceOverlay::Rewrite(const std::string& path, const std::string& source) {
    bool changes = false;
    RewriteLaunches(source, [&](const std::string& name) {
        const std::string file = Resolve(path, name);
        if (!file.empty() && Scan(file)) changes = true;
        return std::string();
    });
    if (!changes) return RewriteFile(path, source);
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
        out << fmt::format("#line 1 \"{}\"\n{}", file, rewritten.text);
        if (!out.flush()) throw Error(fmt::format("cannot write {}", copy_of_[file]));
    }
    return main;
}

}  // namespace sfumato::jit
