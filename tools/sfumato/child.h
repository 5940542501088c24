// SPDX-License-Identifier: Apache-2.0
// The process in which a kernel runs, and how it came to its end: code of a kernel may do to it what it likes.
#pragma once

#include <functional>

namespace sfumato::command {

struct ChildEnd {
    enum class How : unsigned char {
        kReturned,   // `number` is what the body returned
        kExited,     // with this code, before the body returned
        kSignalled,  // ended by this signal
        kStopped,    // by this signal; it was killed
        kReplaced    // became another program; it was killed
    };
    How how;
    int number;
    bool interrupted;  // this process was, too, by Ctrl-C
    int process;
};

// Calls the body in a process of its own, whose exit code is what it returns. Afterwards nothing runs that it started.
// Throws Error where there can be no process.
ChildEnd RunInProcess(const std::function<int()>& body);
// In that process: whatever exit code comes now is what the body returns. For handlers that have told why they end it.
void NoteReturn();

}  // namespace sfumato::command
