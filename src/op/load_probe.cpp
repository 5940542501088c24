// SPDX-License-Identifier: Apache-2.0
#include "op/load_probe.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <sstream>

#include "op/registry.h"
#include "op/run_host.h"
#include "runtime/code/child.h"

namespace sfumato::op {
namespace {

constexpr const char* kWhat = "what initialises the variables of the host code";
constexpr int kMostMilliseconds = 60000;  // decided
constexpr char kLoaded[] = "loaded";

// In the child: what the report has, a zero behind each.
int Load(const std::string& path, int answer) {
    // Loaded again, it prints again.
    const int nowhere = open("/dev/null", O_WRONLY);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
    std::string text = kLoaded;
    try {
        Said said;
        said.module = path;
        Registry registry;
        const LoadInto scope(registry);
        // What cannot be loaded at all is for the process itself to say.
        RunHost(Rule::kOpProject, "", kWhat, said, {}, [&] {
            static_cast<void>(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
            return ge::GRAPH_SUCCESS;
        });
    } catch (const KernelError& error) {
        const Report& r = error.report();
        text.clear();
        for (const std::string& part : {r.message, r.found, r.file, std::to_string(r.line)}) text += part + '\0';
    }
    return write(answer, text.data(), text.size()) < 0;
}

}  // namespace

void ProbeLoad(const std::string& path, const std::string& sources) {
    const auto refuse = [&](const std::string& message, const std::string& found, const std::string& file = "",
                            uint32_t line = 0) {
        throw KernelError(ToReport({Rule::kOpProject, "", message, found, "", ""}, "",
                                   {file.empty() ? sources.c_str() : file.c_str(), line}));
    };
    const ChildEnd end = RunInProcess([&](int tell) { return Load(path, tell); }, kMostMilliseconds);
    if (end.told == kLoaded) return;
    if (!end.told.empty()) {
        std::istringstream parts(end.told);
        std::string message, found, file, line;
        for (std::string* part : {&message, &found, &file, &line}) std::getline(parts, *part, '\0');
        refuse(message, found, file, static_cast<uint32_t>(std::stoul(line)));
    }
    const bool killed = end.how == ChildEnd::How::kSignalled && end.number == SIGKILL;
    if (killed || end.how == ChildEnd::How::kSilent)
        refuse(std::string(kWhat) + " does not come to an end",
               fmt::format("{} seconds, or out of memory", kMostMilliseconds / 1000));
    if (end.how == ChildEnd::How::kSignalled || end.how == ChildEnd::How::kStopped)
        refuse(std::string(kWhat) + " crashes", fmt::format("signal {}", end.number));
    refuse(std::string(kWhat) + " ends the process", fmt::format("exit code {}", end.number));
}

}  // namespace sfumato::op
