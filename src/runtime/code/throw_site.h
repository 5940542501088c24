// SPDX-License-Identifier: Apache-2.0
// Where the code of users threw (sfumato/throw_site.h).
#pragma once

namespace sfumato::runtime {

struct Thrown {
    const void* object = nullptr;
    const void* at = nullptr;  // the instruction behind the call
};

// The latest of this thread outside of launches: a launch keeps those of its cores.
const Thrown& LastThrown();

}  // namespace sfumato::runtime
