// SPDX-License-Identifier: Apache-2.0
// The aclnn functions of an operator as C and C++ text (clients.md 5).
#pragma once

#include <string>

#include "sfumato/op.h"

namespace sfumato::toolkit {

struct AclnnText {
    std::string header, source;  // of aclnn_<op>.h and aclnn_<op>.cpp
};

// What the functions of an operator know of its project (aclnn::Package).
struct PackedProject {
    std::string folder, rows, tag;  // absolute; of aclnn::SourceFile; a name that no other files have
    size_t count = 0;
};
// Sources and headers of the project's folder, as rows of aclnn::SourceFile.
PackedProject Pack(const std::string& folder);

// `chip`, `flags`, `auto_sync`: see aclnn::Package.
AclnnText WriteAclnn(const op::Definition& definition, const std::string& chip, const PackedProject& project,
                     const std::string& flags, bool auto_sync);

}  // namespace sfumato::toolkit
