// SPDX-License-Identifier: Apache-2.0
// Temporary folders, and the disks that are full: a compiler that failed on one seldom says which.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sfumato/data_type.h"

namespace sfumato::jit {

// What temporary names begin with; the number of their process follows.
constexpr std::string_view kScratchPrefix = "sfumato-build-", kCachePrefix = "sfumato-cache-", kNewPrefix = "new-";

// Removes from a folder what the process left that was killed, and what others left a day ago.
void RemoveLeft(const std::string& folder, std::string_view prefix, int killed = 0);
// From the temporary folder and the cache ("": the default's).
SFUMATO_API void RemoveTemporaries(int killed, const std::string& cache);

// A temporary folder, removed with what is in it.
class ScratchFolder {
public:
    ScratchFolder();  // in $TMPDIR, else /tmp. Throws Error.
    ~ScratchFolder();
    ScratchFolder& operator=(ScratchFolder&&) = delete;

    const std::string& path() const { return path_; }
    std::string File(size_t number, const char* suffix) const;

private:
    std::string path_;
};

// Where temporary files go.
std::string TemporaryFolder();

// Where what is compiled goes, and how a user has it go elsewhere.
struct Target {
    std::string folder;
    const char *what = "the cache", *way = "set SFUMATO_CACHE to another folder";
};

// "the disk of /tmp is full: ...", of the temporary folder or of the target's; empty where neither is the reason for
// what a compiler that failed said.
std::string FullDisk(std::string_view messages, const Target& target);

}  // namespace sfumato::jit
