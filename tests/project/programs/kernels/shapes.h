// SPDX-License-Identifier: Apache-2.0
// Found beside the kernel's source.
#pragma once
constexpr uint32_t kMostElements = 1024;
