// SPDX-License-Identifier: Apache-2.0
// Rewrites a source together with the files it includes: when one of them changes the source includes copies of all.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "jit/launch_rewriter.h"
#include "jit/statements.h"

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
    // Copies go to `folder`, made when the first is. `taken`, `wrong`: as RewriteLaunches has them.
    SourceOverlay(std::string folder, std::vector<IncludeDir> include_dirs, TakenNames taken = {},
                  LinesOfFiles wrong = {});

    // The text of the source, its errors and those of its includes, each with its file.
    Rewritten Rewrite(const std::string& path, const std::string& source);

    // Of the source and its includes, the lines of ASSERTs that are left out.
    const LinesOfFiles& left_out() const { return left_out_; }
    const Copies& copies() const { return copies_; }
    // Every file that was read besides the source, with its text.
    const std::map<std::string, std::string>& texts() const { return texts_; }

private:
    // Reads the file and what it includes; true when one of them changes.
    bool Scan(const std::string& path);
    Rewritten RewriteText(const std::string& path, const std::string& source, const Includes& includes);
    // Whether some include of a file changes; and the file, where its includes stay.
    bool IncludesChange(const std::string& path, const std::string& source, Rewritten* rewritten);
    Rewritten RewriteFile(const std::string& path, const std::string& source);
    // The file an #include of `path` means; "" when there is none, and for Sfumato's own headers: they launch nothing,
    // and what a kernel is named after keeps its name in them.
    std::string Resolve(const std::string& path, const std::string& name, bool angled);

    std::string folder_;
    std::vector<IncludeDir> include_dirs_;
    std::vector<std::string> own_;  // folders of headers that stay as they are: Sfumato's, the compiler's
    TakenNames taken_;
    LinesOfFiles wrong_;
    MacroWords macros_;
    LinesOfFiles left_out_;
    std::set<std::string> system_;  // files in folders of the system's kind
    std::map<std::string, std::string> texts_;
    std::map<std::string, std::string> copy_of_;
    Copies copies_;
};

}  // namespace sfumato::jit
