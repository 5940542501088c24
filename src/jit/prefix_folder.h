// SPDX-License-Identifier: Apache-2.0
// Folders with compiled prefixes: finding one, making one now or in the background, and how many are kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jit/cache.h"
#include "jit/precompiled.h"

namespace sfumato::jit {

// What $SFUMATO_PRECOMPILE says: 0, 1, and anything else. kNever: those of the cache are not used, either.
enum class Precompiling : uint8_t { kNever, kNow, kLater };
Precompiling PrecompilingAsked();

// A header to include first, with a compiled form beside it, and the files that it rests on.
struct FoundPrefix {
    std::string header;
    std::vector<std::string> files;
};
// In one of $SFUMATO_PREFIX and the cache, whole and up to date, where nothing that it includes is found nearer.
std::optional<FoundPrefix> FindPrefix(const PrefixFor& made, const std::string& cache);
// Makes it in a folder. False where the compiler refuses, or the folder cannot be written.
bool MakePrefix(const PrefixFor& made, const std::string& folder);
// Has them made by a process in the background, at the lowest priority: one such process for a cache at a time,
// whoever asks, and for no prefix that few kernels share. Whoever looks for a prefix next finds it when it is whole.
// None is made in a temporary cache, on a disk with little room, where the limit leaves none, or within a day of one
// that the compiler refused.
void MakePrefixesLater(const std::vector<PrefixFor>& wanted, const Cache& cache);

// Most bytes of the prefixes in a cache: $SFUMATO_PRECOMPILE_MB megabytes, else 256 (decided: four).
uint64_t PrefixLimit();
// The prefixes of a folder: how many are ready, and the bytes of all.
struct Prefixes {
    size_t count = 0;
    uint64_t bytes = 0;
};
Prefixes PrefixesIn(const std::string& folder);

}  // namespace sfumato::jit
