// SPDX-License-Identifier: Apache-2.0
// Comes before the compiler's header of this name. Build files of repositories that were written for an older PyTorch
// say -D_GLIBCXX_USE_CXX11_ABI=0; since 2.7 PyTorch has the other ABI of std::string everywhere, and an extension with
// the older one compiles but cannot be loaded. Only where PyTorch's headers are found: other code keeps what it asked.
#pragma GCC system_header
#ifndef SFUMATO_ABI_OF_TORCH
#define SFUMATO_ABI_OF_TORCH
#if defined(_GLIBCXX_USE_CXX11_ABI) && !defined(TORCH_STABLE_ONLY) && !defined(TORCH_TARGET_VERSION)
#if __has_include(<torch/version.h>)
#include <torch/version.h>
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 7)
#undef _GLIBCXX_USE_CXX11_ABI
#define _GLIBCXX_USE_CXX11_ABI 1
#endif
#endif
#endif
#endif
#include_next <bits/c++config.h>
