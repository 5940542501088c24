// SPDX-License-Identifier: Apache-2.0
// Makes and removes folders, and looks at their disks.
#include "jit/scratch_folder.h"

#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "jit/cache.h"
#include "sfumato/report.h"

namespace sfumato::jit {
namespace fs = std::filesystem;
namespace {

constexpr uint64_t kFew = 256 << 10;  // bytes: less than any object takes

bool IsFull(const std::string& folder) {
    struct statvfs s {};
    if (folder.empty() || statvfs(folder.c_str(), &s) != 0) return false;
    return uint64_t{s.f_bavail} * s.f_frsize < kFew || (s.f_files != 0 && s.f_favail == 0);
}

}  // namespace

ScratchFolder::ScratchFolder() {
    path_ = fmt::format("{}/{}{}-XXXXXX", TemporaryFolder(), kScratchPrefix, getpid());
    if (!mkdtemp(path_.data())) {
        throw Error(fmt::format("cannot make a temporary folder {}: {} (set TMPDIR)", path_, std::strerror(errno)));
    }
}

void RemoveLeft(const std::string& folder, std::string_view prefix, int killed) {
    constexpr auto kOld = std::chrono::hours(24);  // a process of another machine or container may share the folder
    const auto now = fs::file_time_type::clock::now();
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (!name.starts_with(prefix)) continue;
        const int owner = std::atoi(name.c_str() + prefix.size());
        std::error_code gone;
        const auto written = it->last_write_time(gone);
        const bool old = owner > 0 && !gone && now - written > kOld && kill(owner, 0) != 0 && errno == ESRCH;
        if ((owner > 0 && owner == killed) || old) fs::remove_all(it->path(), gone);
    }
}

void RemoveTemporaries(int killed, const std::string& cache) {
    RemoveLeft(TemporaryFolder(), kScratchPrefix, killed);
    RemoveLeft(TemporaryFolder(), kCachePrefix, killed);
    RemoveLeft(cache.empty() ? Cache::DefaultDir() : cache, kNewPrefix, killed);
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string ScratchFolder::File(size_t number, const char* suffix) const {
    return fmt::format("{}/{}{}", path_, number, suffix);
}

std::string TemporaryFolder() {
    const char* dir = std::getenv("TMPDIR");
    return dir && *dir ? dir : "/tmp";
}

std::string FullDisk(std::string_view messages, const Target& target) {
    bool said = messages.empty();  // they go to a temporary file
    for (const char* words : {"No space left on device", "Disk quota exceeded"})
        said = said || messages.find(words) != std::string_view::npos;
    if (!said) return {};
    const std::string temporary = TemporaryFolder();
    if (messages.find(temporary + "/") != std::string_view::npos || IsFull(temporary))
        return fmt::format("the disk of {} is full: free space there, or set TMPDIR to another folder", temporary);
    if (IsFull(target.folder))
        return fmt::format("the disk of {} {} is full: free space there, or {}", target.what, target.folder,
                           target.way);
    if (messages.empty()) return {};
    return fmt::format("a disk is full, of {} or of {} {}: free space there, or set TMPDIR, or {}", temporary,
                       target.what, target.folder, target.way);
}

}  // namespace sfumato::jit
