// SPDX-License-Identifier: Apache-2.0
// Whether a file is compiled as kernels are: C++20 with concepts, as g++ 10 and clang 13 have it, and g++ 9 with
// -std=c++2a -fconcepts. Their __cplusplus is less than that of the finished standard.
#pragma once

#if __cplusplus > 201703L && defined(__cpp_concepts)
#define SFUMATO_KERNEL_LANGUAGE 1
#else
#define SFUMATO_KERNEL_LANGUAGE 0
#endif
