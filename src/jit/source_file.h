// SPDX-License-Identifier: Apache-2.0
// The text of a kernel source.
#pragma once

#include <string>

namespace sfumato::jit {

// Throws Error for what is no readable regular file, and for a name that #include cannot carry.
std::string ReadSource(const std::string& path);

}  // namespace sfumato::jit
