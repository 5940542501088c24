// SPDX-License-Identifier: Apache-2.0
// Which disk is full, where a compiler failed: its messages, if it could write any, seldom say.
#pragma once

#include <string>
#include <string_view>

namespace sfumato::jit {

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
