// SPDX-License-Identifier: Apache-2.0
// Exit codes of the command and of host programs, once for C++ and Python.
#pragma once

// X(name, its name in Python, code)
#define SFUMATO_EXIT_CODES(X)                                                                  \
    X(kOk, "OK", 0)                                                                            \
    X(kDifferent, "DIFFERENT", 1) /* of `sfumato diff` */                                      \
    X(kUsage, "USAGE", 2)         /* the command line, a file or the environment is wrong */   \
    X(kCompile, "COMPILE", 3)     /* a source does not compile, or a script cannot be built */ \
    X(kFault, "FAULT", 4)         /* a report refuses it */                                    \
    X(kQuit, "QUIT", 5)           /* the debugger was left before the kernel's end */          \
    X(kNotRight, "NOT_RIGHT", 5)  /* a case of a sweep */                                      \
    X(kUnwritten, "UNWRITTEN", 6) /* all well, but something could not be written */           \
    X(kInterrupted, "INTERRUPTED", 130)

namespace sfumato {

#define SFUMATO_EXIT_CODE(name, text, code) name = code,
enum ExitCode : int { SFUMATO_EXIT_CODES(SFUMATO_EXIT_CODE) };
#undef SFUMATO_EXIT_CODE

}  // namespace sfumato
