// SPDX-License-Identifier: Apache-2.0
#include "jit/full_disk.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <cstdint>
#include <cstdlib>

namespace sfumato::jit {
namespace {

constexpr uint64_t kFew = 256 << 10;  // bytes: less than any object takes

bool IsFull(const std::string& folder) {
    struct statvfs s {};
    if (folder.empty() || statvfs(folder.c_str(), &s) != 0) return false;
    return uint64_t{s.f_bavail} * s.f_frsize < kFew || (s.f_files != 0 && s.f_favail == 0);
}

}  // namespace

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
