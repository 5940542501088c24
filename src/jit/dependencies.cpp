// SPDX-License-Identifier: Apache-2.0
#include "jit/dependencies.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <istream>

#include "jit/cache.h"

namespace sfumato::jit {
namespace fs = std::filesystem;
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr std::string_view kUnstamped = "-";

int64_t Nanoseconds(const timespec& t) { return int64_t{t.tv_sec} * kSecond + t.tv_nsec; }

// Time of the last change of content or of attributes, ns since the epoch.
int64_t ChangeTime(const struct stat& s) { return std::max(Nanoseconds(s.st_mtim), Nanoseconds(s.st_ctim)); }

// What tells an untouched file without reading it.
std::string Stamp(const struct stat& s) {
    return fmt::format("{}.{}.{}.{}", s.st_size, Nanoseconds(s.st_mtim), Nanoseconds(s.st_ctim), s.st_ino);
}

}  // namespace

std::vector<std::string> ParseDependencies(std::string_view text) {
    std::vector<std::string> names;
    std::string word;
    bool after_target = false;
    const auto finish = [&] {
        if (!word.empty() && after_target) names.push_back(word);
        if (!word.empty() && word.back() == ':') after_target = true;
        word.clear();
    };
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const char next = i + 1 < text.size() ? text[i + 1] : '\0';
        if (c == '\\' && next == '\n') {
            finish();
            ++i;
        } else if ((c == '\\' && (next == ' ' || next == '#' || next == '\\')) || (c == '$' && next == '$')) {
            word += next;
            ++i;
        } else if (c == '\n' && after_target) {
            finish();
            break;  // phony rules may follow
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            finish();
        } else {
            word += c;
        }
    }
    finish();
    return names;
}

// Fills in the hash from the content, unless the stamp says it is known. False when the file cannot be read.
bool Dependencies::Refresh(File& file) {
    struct stat s {};
    if (stat(file.path.c_str(), &s) != 0) return false;
    if (file.stamp != kUnstamped && file.stamp == Stamp(s)) return true;
    auto hash = HashFile(file.path);
    if (!hash) return false;
    file.hash = std::move(*hash);
    return true;
}

std::optional<Dependencies> Dependencies::Of(const std::vector<std::string>& files, int64_t started) {
    Dependencies found;
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    for (const std::string& f : files) {
        File file{"", std::string(kUnstamped), fs::absolute(f).string()};
        struct stat s {};
        if (stat(file.path.c_str(), &s) != 0 || ChangeTime(s) >= started || file.path.find('\n') != std::string::npos)
            return std::nullopt;
        if (!Refresh(file)) return std::nullopt;
        if (ChangeTime(s) + 2 * kSecond < Nanoseconds(now)) file.stamp = Stamp(s);
        found.files_.push_back(std::move(file));
    }
    if (found.files_.empty()) return std::nullopt;
    return found;
}

std::optional<Dependencies> Dependencies::Read(std::istream& lines) {
    Dependencies found;
    for (File file; lines >> file.hash >> file.stamp && std::getline(lines.ignore(), file.path);) {
        if (!Refresh(file)) return std::nullopt;
        found.files_.push_back(file);
    }
    if (found.files_.empty()) return std::nullopt;
    return found;
}

std::string Dependencies::Lines() const {
    std::string lines;
    for (const File& file : files_) lines += fmt::format("{} {} {}\n", file.hash, file.stamp, file.path);
    return lines;
}

std::vector<std::string> Dependencies::Files() const {
    std::vector<std::string> paths;
    for (const File& file : files_) paths.push_back(file.path);
    return paths;
}

std::string Dependencies::Name(const std::string& key) const {
    std::string all = key;
    for (const File& file : files_) all += '\n' + file.path + '\n' + file.hash;
    return HashBytes(all);
}

}  // namespace sfumato::jit
