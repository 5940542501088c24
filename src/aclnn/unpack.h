// SPDX-License-Identifier: Apache-2.0
// The sources that a package of operators holds, as files.
#pragma once

#include <string>

#include "sfumato/host/aclnn.h"

namespace sfumato::aclnn {

// The folder with the files of the package, below that of the cache; the same for the same files. Throws Error.
std::string Unpack(const Package& package);

}  // namespace sfumato::aclnn
