// SPDX-License-Identifier: Apache-2.0
// Rewrites a source together with the files it includes: when one of them changes the source includes copies of all.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "jit/launch_rewriter.h"

namespace sfumato::jit {

// Copies with the files they stand for.
using Copies = std::vector<std::pair<std::string, std::string>>;
// The text, with the files in place of their copies.
std::string WithOriginals(std::string text, const Copies& copies);

class SourceOverlay {
public:
    // Copies go to `folder`, made when the first is. `include_dirs`: of -I and -iquote; only #include "..." is
    // followed.
    // `taken`: as RewriteLaunches has it.
    SourceOverlay(std::string folder, std::vector<std::string> include_dirs, TakenNames taken = {});

    // The text of the source, its errors and those of its includes, each with its file.
    Rewritten Rewrite(const std::string& path, const std::string& source);

    const Copies& copies() const { return copies_; }
    // Every file that was read besides the source, with its text.
    const std::map<std::string, std::string>& texts() const { return texts_; }

private:
    // Reads the file and what it includes; true when one of them changes.
    bool Scan(const std::string& path);
    Rewritten RewriteFile(const std::string& path, const std::string& source) const;
    // The file an #include "name" of `path` means; "" when there is none, and for Sfumato's own headers: they launch
    // nothing, and what a kernel is named after keeps its name in them.
    std::string Resolve(const std::string& path, const std::string& name) const;

    std::string folder_;
    std::vector<std::string> include_dirs_;
    std::vector<std::string> own_;  // folders of Sfumato's headers
    TakenNames taken_;
    std::map<std::string, std::string> texts_;
    std::map<std::string, std::string> copy_of_;
    Copies copies_;
};

}  // namespace sfumato::jit
