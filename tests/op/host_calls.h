// SPDX-License-Identifier: Apache-2.0
// Calls of the host libraries of the tests, and the exact words of their reports.
#pragma once

#include <regex>
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

// Debug information names whole paths.
inline std::string WithoutFolders(const std::string& text) {
    static const std::regex folders("/[^ :\n]*/");
    return std::regex_replace(text, folders, "");
}

inline std::string WithoutPlace(const std::string& text) {
    static const std::regex place("\n  where: [^\n]*");
    return std::regex_replace(text, place, "");
}

}  // namespace sfumato::op
