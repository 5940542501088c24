// SPDX-License-Identifier: Apache-2.0
// Where in the user's source a call stands.
#pragma once

#include <cstdint>

#include "sfumato/api.h"

namespace sfumato {

// Captured by default arguments of the front end's functions.
struct Where {
    const char* file;
    uint32_t line;
    constexpr Where() : file(""), line(0) {}
    constexpr Where(const char* its_file, uint32_t its_line) : file(its_file), line(its_line) {}
    static constexpr Where Here(const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE()) {
        return {file, line};
    }
};

// The last parameter of the vendor's calls. Nothing but a Where makes one, so that a call's `{}` is never taken for it.
struct CallSite : Where {
    constexpr CallSite(const Where& where) : Where(where) {}
    static constexpr CallSite Here(const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE()) {
        return Where(file, line);
    }
};

}  // namespace sfumato
