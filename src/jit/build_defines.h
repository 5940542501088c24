// SPDX-License-Identifier: Apache-2.0
// What an operator project's build defines for a kernel source: types and formats of its arguments, tiling, keys.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sfumato/jit.h"

namespace sfumato::jit {

// What a source and the files it includes mention, as far as they are found beside it and in the include folders.
struct Mentions {
    struct Type {
        bool number = false;   // ORIG_DTYPE_X
        bool format = false;   // FORMAT_X in #if
        bool guarded = false;  // asked for by #ifdef or defined()
        bool own = false;      // the source defines it, or names a template parameter so
    };
    std::map<std::string, Type> types;  // by X of DTYPE_X, ORIG_DTYPE_X, FORMAT_X
    bool system_workspace = false;      // GetSysWorkSpacePtr, REGIST_MATMUL_OBJ
    bool numbers = false;               // DT_FLOAT16 and others
    bool own_numbers = false;           // the source has them itself: it declares one, or names the host's namespace ge
    std::vector<std::string> files;     // these, the source first, with paths as __FILE__ has them
    std::vector<std::string> tables;    // constant arrays that are declared with __gm__
    bool templates = false;             // ASCENDC_TPL_ARGS_DECL
    bool by_key = false;                // the tiling key decides what is compiled: REGISTER_TILING_FOR_TILINGKEY
};
Mentions FindMentions(const std::string& source, std::string_view text, const std::vector<std::string>& include_dirs);

// Flags for the compiler. Throws Error for what is no type or format. `includes`: of Sfumato's headers.
std::vector<std::string> BuildDefines(const CompileOptions& options, const Mentions& mentions,
                                      const std::vector<std::string>& includes);

// "": the compiler's messages are about something else than types that nobody gave.
std::string MissingTypes(const CompileOptions& options, const Mentions& mentions, std::string_view messages);

}  // namespace sfumato::jit
