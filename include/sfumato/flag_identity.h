// SPDX-License-Identifier: Apache-2.0
// Which SetFlag and WaitFlag mean the same flag.
#pragma once

#include <cstdint>

namespace sfumato {

// What is one flag of SetFlag and WaitFlag (docs/checks/sync.md).
enum class FlagIdentity : uint8_t {
    kEvent,  // an event, that is both pipes, and an id: what the pages say
    kSetter  // the setting pipe and an id, whatever pipe waits: what one public report says of A2 and A3
};

}  // namespace sfumato
