// SPDX-License-Identifier: Apache-2.0
// Which rules a test program has seen raised with the report it expects. tests/report compares them with the table.
#pragma once

#include <errno.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "sfumato/report.h"

namespace sfumato {

// Call it where a report is what the test expects. Kept in a file of the program's name in the folder SFUMATO_RAISED.
inline void Raised(const std::string& rule) {
    struct File {
        std::set<std::string> rules;
        ~File() {
            const char* folder = std::getenv("SFUMATO_RAISED");
            if (!folder) return;
            std::ofstream out(std::string(folder) + "/" + program_invocation_short_name + ".txt");
            for (const std::string& id : rules) out << id << "\n";
        }
    };
    static File file;
    file.rules.insert(rule);
}
inline void Raised(Rule rule) { Raised(std::string(Name(rule))); }

}  // namespace sfumato
