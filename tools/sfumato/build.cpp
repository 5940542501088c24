// SPDX-License-Identifier: Apache-2.0
// `sfumato build`: the command line of the vendor's compiler, and what the compiler says as findings.
#include "sfumato/build.h"

#include "findings.h"
#include "options.h"
#include "output.h"

namespace sfumato::command {

int RunBuild(int count, char** arguments) {
    std::vector<std::string> words;
    const FindingsFiles files = TakeFindingsFiles(count, arguments, &words);
    if (files.on_stdout() > 1) {
        SayError(kOneOnStdout);
        return 1;
    }
    const BuildResult result = Build(words);
    (result.exit_code == 0 && count > 0 && files.on_stdout() == 0 ? PrintOut : PrintError)(result.messages);
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
