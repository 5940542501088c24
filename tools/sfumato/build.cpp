// SPDX-License-Identifier: Apache-2.0
// `sfumato build`: the command line of the vendor's compiler, and what the compiler says as findings.
#include "sfumato/build.h"

#include <optional>
#include <string_view>
#include <utility>

#include "findings.h"
#include "options.h"
#include "output.h"

namespace sfumato::command {

int RunBuild(int count, char** arguments) {
    FindingsFiles files;
    const std::pair<std::string_view, std::optional<std::string>*> options[] = {
        {"--json", &files.json}, {"--sarif", &files.sarif}, {"--junit", &files.junit}};
    std::vector<std::string> words;
    for (int i = 0; i < count; ++i) {
        const std::string_view word = arguments[i];
        bool ours = false;
        for (const auto& [name, file] : options) {
            const bool with_file = word.starts_with(name) && word.size() > name.size() && word[name.size()] == '=';
            if (word != name && !with_file) continue;
            // As for the other commands: --json alone is standard output, --sarif and --junit take the next word.
            const bool next = !with_file && file != &files.json && i + 1 < count;
            *file = with_file ? std::string(word.substr(name.size() + 1)) : next ? arguments[++i] : "-";
            ours = true;
        }
        if (!ours) words.emplace_back(word);
    }
    const BuildResult result = Build(words);
    (result.exit_code == 0 && count > 0 && !files.on_stdout() ? PrintOut : PrintError)(result.messages);
    RunFindings run;
    if (result.exit_code != 0) {
        run.findings = CompileFindings(result.messages, "", "");
        run.error_kind = "compile";
        run.error = result.messages;
    }
    WriteFindings(files, run);
    return result.exit_code;
}

}  // namespace sfumato::command
