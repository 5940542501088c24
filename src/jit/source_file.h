// SPDX-License-Identifier: Apache-2.0
// The text of a file, and of a kernel source.
#pragma once

#include <optional>
#include <string>

namespace sfumato::jit {

// All of a file but a byte order mark of UTF-8, which may stand in no other place: texts go behind other lines. None
// when it cannot be read, errno tells why.
std::optional<std::string> ReadText(const std::string& path);
// Writes it, and the folders above it. Throws Error.
void WriteText(const std::string& path, const std::string& text);
// What tells a file without reading it: its path, size and time of change; the path alone when there is none.
std::string FileIdentity(const std::string& path);
// Throws Error for a text of 16-bit characters.
void RefuseWideText(const std::string& path, const std::string& text);
// Whether the compiler of a board puts kernel_operator.h before a source: a .cce file with kernels that includes it
// not.
bool ImpliesHeader(const std::string& path, const std::string& text);
// As ReadText. Throws Error for what is no readable regular file, and for a name that #include cannot carry.
std::string ReadSource(const std::string& path);

}  // namespace sfumato::jit
