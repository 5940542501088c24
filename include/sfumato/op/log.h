// SPDX-License-Identifier: Apache-2.0
// What host code logs, kept for the report of the call; and the macros that log headers bring: a project's own
// definitions of them count.
#pragma once

#pragma GCC system_header

#include <string>

#include "sfumato/op/context.h"

namespace sfumato {
namespace op {

enum class LogLevel : uint8_t { kDebug, kInfo, kWarning, kError };

// One line, as printf writes it. In a call of a host function it is kept, errors and warnings with their places; else
// errors and warnings are printed.
SFUMATO_API void Log(LogLevel level, Where where, const char* name, const char* format, ...);

inline const char* LogName(const char* name) { return name ? name : "null"; }
inline const char* LogName(const std::string& name) { return name.c_str(); }
inline const char* LogName(const ge::AscendString& name) { return name.GetString(); }
inline const char* LogName(const gert::ExtendedKernelContext* context) {
    return context ? context->GetNodeName() : "null";
}
inline const char* LogName(const gert::ExtendedKernelContext& context) { return context.GetNodeName(); }
inline const char* LogName(std::nullptr_t) { return "null"; }

}  // namespace op
}  // namespace sfumato

#define SFUMATO_OP_LOG(level, name, ...)                                                                       \
    ::sfumato::op::Log(::sfumato::op::LogLevel::level, ::sfumato::Where::Here(), ::sfumato::op::LogName(name), \
                       __VA_ARGS__)

#ifndef OP_LOGD
#define OP_LOGD(name, ...) SFUMATO_OP_LOG(kDebug, name, __VA_ARGS__)
#endif
#ifndef OP_LOGI
#define OP_LOGI(name, ...) SFUMATO_OP_LOG(kInfo, name, __VA_ARGS__)
#endif
#ifndef OP_LOGW
#define OP_LOGW(name, ...) SFUMATO_OP_LOG(kWarning, name, __VA_ARGS__)
#endif
#ifndef OP_LOGE
#define OP_LOGE(name, ...) SFUMATO_OP_LOG(kError, name, __VA_ARGS__)
#endif
#ifndef OP_EVENT
#define OP_EVENT(name, ...) SFUMATO_OP_LOG(kInfo, name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_WITHOUT_REPORT
#define OP_LOGE_WITHOUT_REPORT(name, ...) SFUMATO_OP_LOG(kError, name, __VA_ARGS__)
#endif
#ifndef OP_LOG_FULL
#define OP_LOG_FULL(level, name, ...) SFUMATO_OP_LOG(kInfo, name, __VA_ARGS__)
#endif
#ifndef OP_LOGE_IF
#define OP_LOGE_IF(condition, value, name, ...)        \
    do {                                               \
        if (condition) {                               \
            SFUMATO_OP_LOG(kError, name, __VA_ARGS__); \
            return value;                              \
        }                                              \
    } while (0)
#endif
#ifndef OP_LOGW_IF
#define OP_LOGW_IF(condition, name, ...)                            \
    do {                                                            \
        if (condition) SFUMATO_OP_LOG(kWarning, name, __VA_ARGS__); \
    } while (0)
#endif

// (condition, what to do, how to leave)
#define SFUMATO_OP_CHECK(condition, log, leave) \
    do {                                        \
        if (condition) {                        \
            log;                                \
            leave;                              \
        }                                       \
    } while (0)
#ifndef OP_CHECK_IF
#define OP_CHECK_IF(condition, log, leave) SFUMATO_OP_CHECK(condition, log, leave)
#endif
#ifndef OP_CHECK
#define OP_CHECK(condition, log, leave) SFUMATO_OP_CHECK(condition, log, leave)
#endif
#ifndef OP_TILING_CHECK
#define OP_TILING_CHECK(condition, log, leave) SFUMATO_OP_CHECK(condition, log, leave)
#endif
#ifndef OPS_CHECK
#define OPS_CHECK(condition, log, leave) SFUMATO_OP_CHECK(condition, log, leave)
#endif
#ifndef OPS_ERR_IF
#define OPS_ERR_IF(condition, log, leave) SFUMATO_OP_CHECK(condition, log, leave)
#endif
#define SFUMATO_OP_CHECK_NULL(context, pointer, leave)                  \
    do {                                                                \
        if ((pointer) == nullptr) {                                     \
            SFUMATO_OP_LOG(kError, context, "%s is nullptr", #pointer); \
            leave;                                                      \
        }                                                               \
    } while (0)
#ifndef OP_CHECK_NULL_WITH_CONTEXT
#define OP_CHECK_NULL_WITH_CONTEXT(context, pointer) SFUMATO_OP_CHECK_NULL(context, pointer, return ::ge::GRAPH_FAILED)
#endif
#ifndef OP_CHECK_NULL_WITH_CONTEXT_RET
#define OP_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, value) SFUMATO_OP_CHECK_NULL(context, pointer, return value)
#endif
#ifndef OPS_CHECK_NULL_WITH_CONTEXT
#define OPS_CHECK_NULL_WITH_CONTEXT(context, pointer) SFUMATO_OP_CHECK_NULL(context, pointer, return ::ge::GRAPH_FAILED)
#endif
#ifndef OPS_CHECK_NULL_WITH_CONTEXT_RET
#define OPS_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, value) SFUMATO_OP_CHECK_NULL(context, pointer, return value)
#endif

#ifndef OPS_LOG_D
#define OPS_LOG_D(name, ...) SFUMATO_OP_LOG(kDebug, name, __VA_ARGS__)
#endif
#ifndef OPS_LOG_I
#define OPS_LOG_I(name, ...) SFUMATO_OP_LOG(kInfo, name, __VA_ARGS__)
#endif
#ifndef OPS_LOG_W
#define OPS_LOG_W(name, ...) SFUMATO_OP_LOG(kWarning, name, __VA_ARGS__)
#endif
#ifndef OPS_LOG_E
#define OPS_LOG_E(name, ...) SFUMATO_OP_LOG(kError, name, __VA_ARGS__)
#endif
#ifndef OPS_LOG_E_IF_NULL
#define OPS_LOG_E_IF_NULL(name, pointer, ...) SFUMATO_OP_CHECK_NULL(name, pointer, __VA_ARGS__)
#endif
#ifndef OPS_LOG_E_IF
#define OPS_LOG_E_IF(condition, name, leave, ...)      \
    do {                                               \
        if (condition) {                               \
            SFUMATO_OP_LOG(kError, name, __VA_ARGS__); \
            leave;                                     \
        }                                              \
    } while (0)
#endif
#ifndef VECTOR_INNER_ERR_REPORT_TILIING
#define VECTOR_INNER_ERR_REPORT_TILIING(name, ...) SFUMATO_OP_LOG(kError, name, __VA_ARGS__)
#endif
#ifndef VECTOR_INFER_SHAPE_INNER_ERR_REPORT
#define VECTOR_INFER_SHAPE_INNER_ERR_REPORT(name, text) SFUMATO_OP_LOG(kError, name, "%s", ::std::string(text).c_str())
#endif
#ifndef OPS_REPORT_VECTOR_INNER_ERR
#define OPS_REPORT_VECTOR_INNER_ERR(name, ...) SFUMATO_OP_LOG(kError, name, __VA_ARGS__)
#endif
#ifndef OPS_REPORT_CUBE_INNER_ERR
#define OPS_REPORT_CUBE_INNER_ERR(name, ...) SFUMATO_OP_LOG(kError, name, __VA_ARGS__)
#endif
#ifndef CUBE_INNER_ERR_REPORT
#define CUBE_INNER_ERR_REPORT(name, ...) SFUMATO_OP_LOG(kError, name, __VA_ARGS__)
#endif
#ifndef REPORT_INNER_ERR_MSG
#define REPORT_INNER_ERR_MSG(code, ...) SFUMATO_OP_LOG(kError, code, __VA_ARGS__)
#endif
#ifndef REPORT_CALL_ERROR
#define REPORT_CALL_ERROR(code, ...) SFUMATO_OP_LOG(kError, code, __VA_ARGS__)
#endif
