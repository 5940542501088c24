// SPDX-License-Identifier: Apache-2.0
// Makes and removes the folder.
#include "jit/scratch_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sfumato/report.h"

namespace sfumato::jit {

ScratchFolder::ScratchFolder() {
    const char* dir = std::getenv("TMPDIR");
    path_ = fmt::format("{}/sfumato-build-XXXXXX", dir && *dir ? dir : "/tmp");
    if (!mkdtemp(path_.data())) {
        throw Error(fmt::format("cannot make a temporary folder {}: {} (set TMPDIR)", path_, std::strerror(errno)));
    }
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string ScratchFolder::File(size_t number, const char* suffix) const {
    return fmt::format("{}/{}{}", path_, number, suffix);
}

}  // namespace sfumato::jit
