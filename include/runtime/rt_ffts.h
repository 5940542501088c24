// SPDX-License-Identifier: Apache-2.0
// The address that boards need for flags between cores. Here a kernel takes it and does nothing with it.
#pragma once

#include <cstdint>

using rtError_t = int32_t;
#ifndef RT_ERROR_NONE
#define RT_ERROR_NONE 0
#endif

inline rtError_t rtGetC2cCtrlAddr(uint64_t* addr, uint32_t* len) {
    if (addr) *addr = 0;
    if (len) *len = 0;
    return RT_ERROR_NONE;
}
