// SPDX-License-Identifier: Apache-2.0
// The aclnn functions of an operator as C and C++ text (clients.md 5).
#pragma once

#include <string>

#include "sfumato/op.h"

namespace sfumato::toolkit {

struct AclnnText {
    std::string header, source;  // of aclnn_<op>.h and aclnn_<op>.cpp
};

// `project`, `flags`, `auto_sync`: see aclnn::Package.
AclnnText WriteAclnn(const op::Definition& definition, const std::string& project, const std::string& flags,
                     bool auto_sync);

}  // namespace sfumato::toolkit
