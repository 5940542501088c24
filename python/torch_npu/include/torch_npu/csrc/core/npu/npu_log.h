// SPDX-License-Identifier: Apache-2.0
// ASCEND_LOG*: an error is a line of standard error. The others go to log files of the toolkit, of which there are none
// here.
#pragma once

#include <cstdio>

namespace torch_npu::logging {

[[gnu::format(printf, 1, 2)]] inline void Ignore(const char*, ...) {}

}  // namespace torch_npu::logging

#define ASCEND_LOGE(format, ...) \
    static_cast<void>(std::fprintf(stderr, "%s:%d: " format "\n", __FILE__, __LINE__, ##__VA_ARGS__))
#define ASCEND_LOGW(...) ::torch_npu::logging::Ignore(__VA_ARGS__)
#define ASCEND_LOGI(...) ::torch_npu::logging::Ignore(__VA_ARGS__)
#define ASCEND_LOGD(...) ::torch_npu::logging::Ignore(__VA_ARGS__)
#define ASCEND_LOGT(...) ::torch_npu::logging::Ignore(__VA_ARGS__)
