// SPDX-License-Identifier: Apache-2.0
// What a package says about its operators besides their aclnn functions (clients.md 2.4).
#pragma once

#include <string>
#include <vector>

#include "sfumato/op.h"

namespace sfumato::toolkit {

// A section of aic-<unit>-ops-info.ini: parameters with the types and formats of every combination, kernel and file.
std::string InfoText(const op::Definition& definition);
// op_proto.h, and the source that belongs to it.
std::string PrototypeHeader(const std::vector<op::Definition>& definitions);
std::string PrototypeSource();

}  // namespace sfumato::toolkit
