// SPDX-License-Identifier: Apache-2.0
// The host's floating-point state while instructions execute: nearest even, no flush to zero, nothing trapped.
#pragma once

#include <cfenv>

namespace sfumato::runtime {

// A host program or a library built with fast-math may have set rounding or flush-to-zero for its thread, and new
// threads inherit it. The default environment clears both on x86-64 and Arm.
class DefaultFloatEnvironment {
public:
    DefaultFloatEnvironment() {
        std::fegetenv(&saved_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~DefaultFloatEnvironment() { std::fesetenv(&saved_); }
    DefaultFloatEnvironment& operator=(DefaultFloatEnvironment&&) = delete;

private:
    std::fenv_t saved_;
};

}  // namespace sfumato::runtime
