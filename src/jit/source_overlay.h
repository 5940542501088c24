// SPDX-License-Identifier: Apache-2.0
// Rewrites a source together with the files it includes: when one of them changes the source includes copies of all.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "jit/launch_rewriter.h"

namespace sfumato::jit {

// Copies with the files they stand for.
using Copies = std::vector<std::pair<std::string, std::string>>;
// The text, with the files in place of their copies.
std::string WithOriginals(std::string text, const Copies& copies);

// A folder where a compiler looks for headers.
struct IncludeDir {
    std::string path;
    bool quoted_only = false;  // -iquote
    bool system = false;       // nothing in it is warned of
};
// Those of a command line and of the environment, in the order in which the compiler looks; not its own.
std::vector<IncludeDir> IncludeDirsOf(const std::vector<std::string>& flags);

class SourceOverlay {
public:
    // Copies go to `folder`, made when the first is. `taken`: as RewriteLaunches has it.
    SourceOverlay(std::string folder, std::vector<IncludeDir> include_dirs, TakenNames taken = {});

    // The text of the source, its errors and those of its includes, each with its file.
    Rewritten Rewrite(const std::string& path, const std::string& source);

    const Copies& copies() const { return copies_; }
    // Every file that was read besides the source, with its text.
    const std::map<std::string, std::string>& texts() const { return texts_; }

private:
    // Reads the file and what it includes; true when one of them changes.
    bool Scan(const std::string& path);
    // Whether some include of a file changes; and the file, where its includes stay.
    bool IncludesChange(const std::string& path, const std::string& source, Rewritten* rewritten);
    Rewritten RewriteFile(const std::string& path, const std::string& source);
    // The file an #include of `path` means; "" when there is none, and for Sfumato's own headers: they launch nothing,
    // and what a kernel is named after keeps its name in them.
    std::string Resolve(const std::string& path, const std::string& name, bool angled);

    std::string folder_;
    std::vector<IncludeDir> include_dirs_;
    std::vector<std::string> own_;  // folders of Sfumato's headers
    TakenNames taken_;
    MacroWords macros_;
    std::set<std::string> system_;  // files in folders of the system's kind
    std::map<std::string, std::string> texts_;
    std::map<std::string, std::string> copy_of_;
    Copies copies_;
};

}  // namespace sfumato::jit
