// SPDX-License-Identifier: Apache-2.0
// A folder of links that stands where an installed toolkit does: /usr/local/Ascend, ~/Ascend, or the user's own.
#pragma once

#include <map>
#include <string>

namespace sfumato::toolkit {

// Its links and where they lead, relative to it: all names that public build files have, on the files of the toolkit
// folder. `opp`: the folder of operator packages.
std::map<std::string, std::string> Links(const std::string& toolkit, const std::string& opp);

// Makes the folder, or mends it: nothing else that stands in it is touched. Throws Error.
void MakeLinks(const std::string& root, const std::map<std::string, std::string>& links);

// The part of it that the variables name, as an installed one has it.
constexpr const char* kLatest = "ascend-toolkit/latest";

// Its list of links, by which it is known to be one of these.
constexpr const char* kLinkList = ".sfumato";

}  // namespace sfumato::toolkit
