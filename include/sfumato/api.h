// SPDX-License-Identifier: Apache-2.0
// What the library exports, what nobody may call, and constants of functions that C++11 takes for plain inline ones:
// headers that host code includes compile from C++11 on, with either ABI of std::string (docs/spec/clients.md 6.2).
#pragma once

#if defined(__GNUC__) && !defined(SFUMATO_API)
#define SFUMATO_API __attribute__((visibility("default")))
#endif

// Functions of more than a return statement are constant from C++14 on.
#if __cplusplus >= 201402L
#define SFUMATO_CONSTEXPR constexpr
#else
#define SFUMATO_CONSTEXPR inline
#endif

// Before a declaration: a call is an error of the compiler with this text. clang has `error` from version 14 on.
#if defined(__clang__)
#define SFUMATO_NO_CALL(text) __attribute__((unavailable(text)))
#else
#define SFUMATO_NO_CALL(text) __attribute__((error(text)))
#endif
