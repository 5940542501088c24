// SPDX-License-Identifier: Apache-2.0
// A process in which code of a user runs, and how it came to its end: the code may do to it what it likes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sfumato/data_type.h"

namespace sfumato {

// What a process leaves for the one that waits, whatever ends it. A process that nobody waits for has its own.
struct ChildNotes {
    uint8_t returned;  // whatever exit code comes now is what the body returns
    uint8_t complete;  // it has written its outputs
};
SFUMATO_API volatile ChildNotes& Notes();

struct ChildEnd {
    enum class How : unsigned char {
        kReturned,   // `number` is what the body returned
        kExited,     // with this code, before the body returned
        kSignalled,  // ended by this signal
        kStopped,    // by this signal; it was killed
        kReplaced,   // became another program; it was killed
        kSilent      // for too long; it was killed
    };
    How how = How::kReturned;
    int number = 0, process = 0;
    bool complete = false;
    std::string told;
};

// Calls the body in a process of its own, whose exit code is what it returns. `tell`: a descriptor for what it has to
// say. silence: milliseconds it may say nothing; 0: for ever. Throws Error where there can be no process.
SFUMATO_API ChildEnd RunInProcess(const std::function<int(int tell)>& body, int silence = 0);

}  // namespace sfumato
