// SPDX-License-Identifier: Apache-2.0
// What must not compile stands in REFUSED, and what does beside it in LEGAL: WRONG chooses.
#pragma once

#ifdef WRONG
#define REFUSED(...) __VA_ARGS__
#define LEGAL(...)
#else
#define REFUSED(...)
#define LEGAL(...) __VA_ARGS__
#endif
