// SPDX-License-Identifier: Apache-2.0
// Fails a test with the text of what differed, printed as it stands.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace sfumato::conformance {

// Sweeps that take minutes take one in so many of their inputs: 1, but under an emulator (CMakeLists.txt). Odd, so that
// a stride of it meets every residue.
#ifdef SFUMATO_EMULATED
constexpr uint64_t kSample = 1009;
#else
constexpr uint64_t kSample = 1;
#endif

inline void ExpectNoDifference(const std::string& text) {
    if (!text.empty()) ADD_FAILURE() << text;
}

}  // namespace sfumato::conformance
