// SPDX-License-Identifier: Apache-2.0
// Descriptors and names of files.
#pragma once

#include <filesystem>

namespace sfumato::system {

// Both: two ends that no program which this process becomes or starts inherits. false with errno.
// What is written to the second is read from the first.
bool Pipe(int ends[2]);
bool SocketPair(int ends[2]);

// Whether the names in the folder are open descriptors, such as the one behind /dev/stdout, or else of no file on a
// disk.
bool HoldsDescriptors(const std::filesystem::path& folder);

// As rename(2), but nothing may stand at the new name. false with errno, EEXIST among others: nothing has changed.
bool RenameToNew(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace sfumato::system
