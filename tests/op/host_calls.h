// SPDX-License-Identifier: Apache-2.0
// Calls of the host libraries of the tests, and the exact words of their reports.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "op/host_library.h"
#include "support/raised.h"

namespace sfumato::op {

inline std::string PathOf(const char* name) {
    return std::string(SFUMATO_OP_HOST_FOLDER) + "/libop_host_" + name + ".so";
}

inline Tensor TensorOf(std::vector<int64_t> shape, int type, const void* values = nullptr) {
    return {{std::move(shape), type, 2}, values};
}

// The text of the KernelError that the function throws; "none" without one.
template <class Function>
std::string ReportFrom(const Function& function) {
    try {
        function();
    } catch (const KernelError& error) {
        Raised(error.report().rule);
        return error.what();
    }
    return "none";
}

// Without the line that says where.
inline std::string WithoutPlace(std::string text) {
    const size_t start = text.find("\n  where:");
    if (start != std::string::npos) text.erase(start, text.find('\n', start + 1) - start);
    return text;
}

// Debug information names whole paths.
inline std::string WithoutFolders(std::string text) {
    const std::string where = "\n  where:  ";
    const size_t found = text.find(where);
    if (found == std::string::npos) return text;
    const size_t start = found + where.size(), slash = text.rfind('/', text.find('\n', start));
    if (slash != std::string::npos && slash > start) text.erase(start, slash + 1 - start);
    return text;
}

}  // namespace sfumato::op
