// SPDX-License-Identifier: Apache-2.0
// A temporary folder, removed with what is in it.
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

}  // namespace sfumato::jit
