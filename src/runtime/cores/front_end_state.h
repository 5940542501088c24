// SPDX-License-Identifier: Apache-2.0
// What a front end keeps of a core.
#pragma once

#include "isa/record.h"

namespace sfumato::runtime {

// State a front end keeps per core and block; destroyed with it.
class FrontEndState {
public:
    virtual ~FrontEndState() = default;
    // Reports what the program left undone.
    virtual void KernelEnd() = 0;
    // A record is about to be checked; behind Core::TellFrontEnd alone.
    virtual void Issuing(const isa::Record&) {}
};

}  // namespace sfumato::runtime
