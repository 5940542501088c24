// SPDX-License-Identifier: Apache-2.0
// The log of the toolkit's modules (toolchain/slog.h, base/dlog_pub.h): what host code writes goes where that of log.h
// goes.
#pragma once

#pragma GCC system_header

#include "sfumato/op/log.h"

// The modules that the page of ASCEND_MODULE_LOG_LEVEL names. Nothing depends on their numbers.
enum {
    GE,
    ASCENDCL,
    DRV,
    RUNTIME,
    AICPU,
    PROFILING,
    FE,
    DVPP,
    TDT,
    HCCP,
    HCCL,
    TBE,
    FMK,
    TUNE,
    CCECPU,
    TEFUSION,
    IDEDH,
    OP,
    FFTS,
    TSD,
};

#ifndef DLOG_ERROR
#define DLOG_DEBUG 0
#define DLOG_INFO 1
#define DLOG_WARN 2
#define DLOG_ERROR 3
#define dlog_error(module, ...) SFUMATO_OP_LOG(kError, "", __VA_ARGS__)
#define dlog_warn(module, ...) SFUMATO_OP_LOG(kWarning, "", __VA_ARGS__)
#define dlog_info(module, ...) SFUMATO_OP_LOG(kInfo, "", __VA_ARGS__)
#define dlog_debug(module, ...) SFUMATO_OP_LOG(kDebug, "", __VA_ARGS__)
#define DlogSub(module, submodule, level, ...) \
    ::sfumato::op::Log(static_cast<::sfumato::op::LogLevel>(level), ::sfumato::Where::Here(), submodule, __VA_ARGS__)
#define CheckLogLevel(module, level) 1
#define dlog_setlevel(module, level, events) 0
#endif
