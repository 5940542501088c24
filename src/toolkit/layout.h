// SPDX-License-Identifier: Apache-2.0
// A folder of links that stands where an installed toolkit does: /usr/local/Ascend, ~/Ascend, or the user's own.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sfumato::toolkit {

// Its links and where they lead, relative to it: all names that public build files have, on the files of the toolkit
// folder. `opp`: the folder of operator packages.
std::map<std::string, std::string> Links(const std::string& toolkit, const std::string& opp);

// Makes the folder, or mends it; what else stands in it is not touched, and is what comes back. Throws Error.
std::vector<std::string> MakeLinks(const std::string& root, std::map<std::string, std::string> links);

// Makes the user's folder of operator packages. Throws KernelError.
void MakeOpp(const std::string& opp);

// The part of it that the variables name, as an installed one has it.
constexpr const char* kLatest = "ascend-toolkit/latest";

// Its list of links, by which it is known to be one of these.
constexpr const char* kLinkList = ".sfumato";

}  // namespace sfumato::toolkit
