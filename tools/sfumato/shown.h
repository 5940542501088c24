// SPDX-License-Identifier: Apache-2.0
// The toolkit folder at /usr/local/Ascend, for one process and what it starts.
#pragma once

#include <string>

namespace sfumato::command {

constexpr const char* kPlace = "/usr/local/Ascend";

// Shows the folder there in a mount namespace of this process's own, so that the machine stays as it is; for others
// than root in a user namespace where everybody keeps their number. Empty, or why it cannot be: then nothing has
// happened.
std::string Show(const std::string& folder);

}  // namespace sfumato::command
