// SPDX-License-Identifier: Apache-2.0
// Fails a test with the text of what differed, printed as it stands.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace sfumato::conformance {

inline void ExpectNoDifference(const std::string& text) {
    if (!text.empty()) ADD_FAILURE() << text;
}

}  // namespace sfumato::conformance
