// SPDX-License-Identifier: Apache-2.0
// The log of host code: lines on stderr from the level on that ASCEND_GLOBAL_LOG_LEVEL names, 0 (debug) to 4 (nothing);
// errors without it. No page says what a line looks like.
#pragma once

#pragma GCC system_header

#include <cstdio>
#include <cstdlib>

namespace sfumato {
namespace host {

inline bool IsLogged(int level) {
    const char* least = std::getenv("ASCEND_GLOBAL_LOG_LEVEL");
    return level >= (least && *least >= '0' && *least <= '4' ? *least - '0' : 3);
}

}  // namespace host
}  // namespace sfumato

#define SFUMATO_CPU_LOG(level, word, format, ...)                                                                      \
    (::sfumato::host::IsLogged(level)                                                                                  \
         ? static_cast<void>(std::fprintf(stderr, "[" word "] %s:%d " format "\n", __FILE__, __LINE__, ##__VA_ARGS__)) \
         : static_cast<void>(0))
#define ASC_CPU_LOG_DEBUG(format, ...) SFUMATO_CPU_LOG(0, "DEBUG", format, ##__VA_ARGS__)
#define ASC_CPU_LOG_INFO(format, ...) SFUMATO_CPU_LOG(1, "INFO", format, ##__VA_ARGS__)
#define ASC_CPU_LOG_WARNING(format, ...) SFUMATO_CPU_LOG(2, "WARNING", format, ##__VA_ARGS__)
#define ASC_CPU_LOG_ERROR(format, ...) SFUMATO_CPU_LOG(3, "ERROR", format, ##__VA_ARGS__)
