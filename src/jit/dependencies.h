// SPDX-License-Identifier: Apache-2.0
// Files that something compiled rests on, with what tells whether they are as they were.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::jit {

// The names in a dependency list a compiler wrote with -MD, the target left out.
std::vector<std::string> ParseDependencies(std::string_view text);

class Dependencies {
public:
    // Of files a compiler read that was started then (ns since the epoch). Nothing where one has changed since, or
    // there is none: what was compiled belongs to unknown content.
    static std::optional<Dependencies> Of(const std::vector<std::string>& files, int64_t started);
    // Lines as Lines() made them, brought up to date. Nothing where a file is gone, or there is none.
    static std::optional<Dependencies> Read(std::istream& lines);

    // A line "hash stamp path" each.
    std::string Lines() const;
    std::vector<std::string> Files() const;
    // A hash of the key and of every file's path and content.
    std::string Name(const std::string& key) const;

private:
    struct File {
        std::string hash, stamp, path;
    };
    static bool Refresh(File& file);
    std::vector<File> files_;
};

}  // namespace sfumato::jit
