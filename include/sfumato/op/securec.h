// SPDX-License-Identifier: Apache-2.0
// The checked copies of libc that host code calls: they refuse what does not fit, and clear the destination then.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>

using errno_t = int;
#ifndef EOK
#define EOK 0
#endif
#define EINVAL_AND_RESET 150
#define ERANGE_AND_RESET 162
#define EOVERLAP_AND_RESET 182

namespace sfumato {
namespace op {

constexpr int kInvalid = 22, kRange = 34;  // EINVAL, ERANGE

// Whether `count` bytes fit; else what a checked copy returns.
inline errno_t CheckCopy(void* to, size_t capacity, const void* from, size_t count) {
    if (to == nullptr || capacity == 0) return to == nullptr ? kInvalid : kRange;
    if (from == nullptr || count > capacity) {
        std::memset(to, 0, capacity);
        return from == nullptr ? EINVAL_AND_RESET : ERANGE_AND_RESET;
    }
    return EOK;
}

}  // namespace op
}  // namespace sfumato

inline errno_t memset_s(void* to, size_t capacity, int byte, size_t count) {
    if (to == nullptr) return sfumato::op::kInvalid;
    std::memset(to, byte, count < capacity ? count : capacity);
    return count <= capacity ? EOK : ERANGE_AND_RESET;
}
inline errno_t memmove_s(void* to, size_t capacity, const void* from, size_t count) {
    const errno_t status = sfumato::op::CheckCopy(to, capacity, from, count);
    if (status == EOK) std::memmove(to, from, count);
    return status;
}
inline errno_t memcpy_s(void* to, size_t capacity, const void* from, size_t count) {
    const errno_t status = sfumato::op::CheckCopy(to, capacity, from, count);
    if (status != EOK) return status;
    const auto *low = static_cast<const char*>(to), *other = static_cast<const char*>(from);
    if (low != other && (low < other ? low + count > other : other + count > low)) {
        std::memset(to, 0, capacity);
        return EOVERLAP_AND_RESET;
    }
    std::memmove(to, from, count);
    return EOK;
}
// At most `count` characters, and a zero behind them.
inline errno_t strncpy_s(char* to, size_t capacity, const char* from, size_t count) {
    const size_t length = from ? ::strnlen(from, count) : 0;
    const errno_t status = sfumato::op::CheckCopy(to, capacity, from, length + 1);
    if (status != EOK) return status;
    std::memmove(to, from, length);
    to[length] = 0;
    return EOK;
}
inline errno_t strcpy_s(char* to, size_t capacity, const char* from) {
    return strncpy_s(to, capacity, from, static_cast<size_t>(-1));
}
// Characters written; -1, and an empty text, when they do not fit.
inline int vsprintf_s(char* to, size_t capacity, const char* format, va_list arguments) {
    if (to == nullptr || capacity == 0) return -1;
    const int length = std::vsnprintf(to, capacity, format, arguments);
    if (length >= 0 && static_cast<size_t>(length) < capacity) return length;
    to[0] = 0;
    return -1;
}
inline int sprintf_s(char* to, size_t capacity, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsprintf_s(to, capacity, format, arguments);
    va_end(arguments);
    return length;
}
// At most `count` characters; -1 when the text was cut.
inline int snprintf_s(char* to, size_t capacity, size_t count, const char* format, ...) {
    if (to == nullptr || capacity == 0) return -1;
    const size_t room = count < capacity ? count + 1 : capacity;
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(to, room, format, arguments);
    va_end(arguments);
    return length >= 0 && static_cast<size_t>(length) < room ? length : -1;
}
