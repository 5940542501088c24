// SPDX-License-Identifier: Apache-2.0
// A folder appears by rename, so that programs that start together see whole ones.
#include "aclnn/unpack.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "jit/cache.h"
#include "jit/scratch_folder.h"
#include "jit/source_file.h"

namespace sfumato::aclnn {
namespace fs = std::filesystem;

std::string Unpack(const Package& package) {
    std::string all;
    for (uint32_t i = 0; i < package.count; ++i)
        all +=
            fmt::format("{}\n{}\n{}", package.files[i].path, std::strlen(package.files[i].text), package.files[i].text);
    const std::string cache = jit::Cache::DefaultDir();
    const std::string base =
        jit::Cache::IsWritable(cache) ? cache : fmt::format("{}/sfumato-{}", jit::TemporaryFolder(), getuid());
    const fs::path folder = fs::absolute(fs::path(base) / "packages" / jit::HashBytes(all));
    const auto is_there = [&](const SourceFile& file) {
        std::error_code ignored;
        return fs::file_size(folder / file.path, ignored) == std::strlen(file.text);
    };
    if (std::all_of(package.files, package.files + package.count, is_there)) return folder.string();
    const std::string temporary = fmt::format("{}-{}", folder.string(), getpid());
    for (uint32_t i = 0; i < package.count; ++i)
        jit::WriteText(fs::path(temporary) / package.files[i].path, package.files[i].text);
    std::error_code error;
    fs::rename(temporary, folder, error);
    if (error) {
        // Another program was faster, or somebody took files away.
        fs::copy(temporary, folder, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
        fs::remove_all(temporary, error);
    }
    return folder.string();
}

}  // namespace sfumato::aclnn
