// SPDX-License-Identifier: Apache-2.0
// Puts text beside the code of an object file.
#pragma once

#include <string>
#include <string_view>

namespace sfumato::jit {

// Adds a section of this name that no segment has, to a 64-bit little-endian ELF file that is linked or not. The file
// is exchanged, never changed: it may be another name of one in a compiler's cache. Throws Error where it is no such
// file, or cannot be written.
void AddSection(const std::string& path, std::string_view name, std::string_view content);

}  // namespace sfumato::jit
