// SPDX-License-Identifier: Apache-2.0
#include "op/load_probe.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>

#include "op/registry.h"
#include "op/run_host.h"

namespace sfumato::op {
namespace {

constexpr const char* kWhat = "what initialises the variables of the host code";
constexpr int kMostMilliseconds = 60000;  // decided
constexpr char kLoaded[] = "loaded";

void Write(int pipe, const std::string& text) {
    for (size_t at = 0; at < text.size();) {
        const ssize_t n = write(pipe, text.data() + at, text.size() - at);
        if (n < 0 && errno != EINTR) return;
        if (n > 0) at += static_cast<size_t>(n);
    }
}

// In the child: what the report has, a zero behind each.
[[noreturn]] void Load(const std::string& path, int answer) {
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
    Write(answer, text);
    _exit(0);
}

// All that the child says; it is killed when it takes too long.
std::string Answer(int answer, pid_t child) {
    std::string text;
    char part[4096];
    for (;;) {
        pollfd ready{answer, POLLIN, 0};
        const int polled = poll(&ready, 1, kMostMilliseconds);
        if (polled < 0 && errno == EINTR) continue;
        if (polled <= 0) {
            kill(child, SIGKILL);
            return "";
        }
        const ssize_t n = read(answer, part, sizeof part);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return text;
        text.append(part, static_cast<size_t>(n));
    }
}

}  // namespace

void ProbeLoad(const std::string& path, const std::string& sources) {
    const auto refuse = [&](const std::string& message, const std::string& found, const std::string& file = "",
                            uint32_t line = 0) {
        throw KernelError(ToReport({Rule::kOpProject, "", message, found, "", ""}, "",
                                   {file.empty() ? sources.c_str() : file.c_str(), line}));
    };
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw Error(fmt::format("cannot make a pipe for loading {}", path));
    const pid_t child = fork();
    if (child < 0) {
        close(ends[0]), close(ends[1]);
        throw Error(fmt::format("cannot start a process for loading {}", path));
    }
    if (child == 0) Load(path, ends[1]);
    close(ends[1]);
    const std::string text = Answer(ends[0], child);
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (text == kLoaded) return;
    if (!text.empty()) {
        std::istringstream parts(text);
        std::string message, found, file, line;
        for (std::string* part : {&message, &found, &file, &line}) std::getline(parts, *part, '\0');
        refuse(message, found, file, static_cast<uint32_t>(std::stoul(line)));
    }
    if (WIFEXITED(status))
        refuse(std::string(kWhat) + " ends the process", fmt::format("exit code {}", WEXITSTATUS(status)));
    if (WTERMSIG(status) == SIGKILL)
        refuse(std::string(kWhat) + " does not come to an end",
               fmt::format("{} seconds, or out of memory", kMostMilliseconds / 1000));
    refuse(std::string(kWhat) + " crashes", fmt::format("signal {}", WTERMSIG(status)));
}

}  // namespace sfumato::op
