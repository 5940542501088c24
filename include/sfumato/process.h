// SPDX-License-Identifier: Apache-2.0
// What ends a process ends a core of the chip with a report: exit, _exit, _Exit, quick_exit and abort as kernel sources
// see them. Comes before everything else of the source (compiler flag -include), and declares the functions first; the
// C library's own declarations then get names nobody calls. Host code of the same file ends its process, as always.
#pragma once

#include "sfumato/process_end.h"
#include "sfumato/throw_site.h"

// The template is for a pointer to the function, which no default argument fits: its fault has no line. A call prefers
// the function.
#define SFUMATO_PROCESS_END(name, end)                                                                                 \
    [[noreturn]] inline void name(int status, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) { \
        ::sfumato::process::Finish(::sfumato::process::End::end, status, file, line);                                  \
    }                                                                                                                  \
    template <class = void>                                                                                            \
    [[noreturn]] void name(int status) {                                                                               \
        ::sfumato::process::Finish(::sfumato::process::End::end, status, "", 0);                                       \
    }
SFUMATO_PROCESS_END(exit, kExit)
SFUMATO_PROCESS_END(_exit, kUnderscoreExit)
SFUMATO_PROCESS_END(_Exit, kBigExit)
SFUMATO_PROCESS_END(quick_exit, kQuickExit)
#undef SFUMATO_PROCESS_END

[[noreturn]] inline void abort(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    ::sfumato::process::Finish(::sfumato::process::End::kAbort, 0, file, line);
}
template <class = void>
[[noreturn]] void abort() {
    ::sfumato::process::Finish(::sfumato::process::End::kAbort, 0, "", 0);
}

#define exit sfumato_libc_exit
#define _Exit sfumato_libc_Exit
#define quick_exit sfumato_libc_quick_exit
#define abort sfumato_libc_abort
#include <cstdlib>
#undef exit
#undef _Exit
#undef quick_exit
#undef abort

namespace std {
using ::_Exit;
using ::abort;
using ::exit;
using ::quick_exit;
}  // namespace std
