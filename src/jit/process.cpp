// SPDX-License-Identifier: Apache-2.0
// posix_spawn with a file as standard input and one as output: no pipe can fill up and block.
#include "jit/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "jit/scratch_folder.h"
#include "runtime/code/left_behind.h"
#include "sfumato/report.h"
#include "system/processes.h"

extern char** environ;

namespace sfumato::jit {
namespace {

// A nameless temporary file, closed at the end of its scope and never inherited by the child by accident.
class ScratchFile {
public:
    ScratchFile() {
        std::string path = fmt::format("{}/sfumato-XXXXXX", TemporaryFolder());
        fd_ = mkostemp(path.data(), O_CLOEXEC);
        if (fd_ < 0) {
            throw Error(fmt::format("cannot create a temporary file {}: {} (set TMPDIR to a writable directory)", path,
                                    std::strerror(errno)));
        }
        unlink(path.c_str());
    }
    ~ScratchFile() { close(fd_); }
    ScratchFile& operator=(ScratchFile&&) = delete;

    int fd() const { return fd_; }

    void Write(const std::string& text) {
        for (size_t done = 0; done < text.size();) {
            const ssize_t n = write(fd_, text.data() + done, text.size() - done);
            if (n < 0 && errno != EINTR)
                throw Error(fmt::format("cannot write a temporary file in {}: {} (free space there, or set TMPDIR)",
                                        TemporaryFolder(), std::strerror(errno)));
            if (n > 0) done += static_cast<size_t>(n);
        }
        lseek(fd_, 0, SEEK_SET);
    }
    std::string Read() {
        std::string text;
        char buffer[16384];
        off_t at = 0;
        for (ssize_t n; (n = pread(fd_, buffer, sizeof buffer, at)) > 0; at += n)
            text.append(buffer, static_cast<size_t>(n));
        return text;
    }

private:
    int fd_ = -1;
};

}  // namespace

ProcessResult RunProcess(const std::vector<std::string>& argv, const std::string& input, const std::string& temporary) {
    ScratchFile in, out;
    in.Write(input);
    std::vector<char*> pointers;
    for (const std::string& a : argv) pointers.push_back(const_cast<char*>(a.c_str()));
    pointers.push_back(nullptr);
    std::string folder = "TMPDIR=" + temporary;
    std::vector<char*> variables;
    for (char** v = environ; *v; ++v) {
        if (temporary.empty() || !std::string_view(*v).starts_with("TMPDIR=")) variables.push_back(*v);
    }
    if (!temporary.empty()) variables.push_back(folder.data());
    variables.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.fd(), 0);
    posix_spawn_file_actions_adddup2(&actions, out.fd(), 1);
    posix_spawn_file_actions_adddup2(&actions, out.fd(), 2);
    pid_t pid = 0;
    const int error = posix_spawnp(&pid, pointers[0], &actions, nullptr, pointers.data(), variables.data());
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return {127, fmt::format("cannot run {}: {}\n", argv[0], std::strerror(error))};
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) return {127, fmt::format("lost track of {}: {}\n", argv[0], std::strerror(errno))};
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), out.Read()};
}

std::string ShellWord(const std::string& word) {
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

bool RunDetached(const std::string& script, int held) {
    constexpr int kHeld = 3;
    // The shell ends at once, and its child belongs to no process of ours.
    const std::string text = "{ " + script + "\n} &";
    const char* words[] = {"/bin/sh", "-c", text.c_str(), kBackground, nullptr};
    const int copy = fcntl(held, F_DUPFD_CLOEXEC, kHeld + 1);
    if (copy < 0) return false;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int fd = 0; fd < kHeld; ++fd)
        posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", fd == 0 ? O_RDONLY : O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, copy, kHeld);
    // Whoever reads a pipe of this process waits for its end, not for the script's.
    for (const int fd : system::OpenDescriptors()) {
        if (fd > kHeld && fd != copy) posix_spawn_file_actions_addclose(&actions, fd);
    }
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
    pid_t pid = 0;
    const int failed = posix_spawn(&pid, words[0], &actions, &attributes, const_cast<char**>(words), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(copy);
    if (failed != 0) return false;
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) return false;
    }
    return status == 0;
}

std::string FindProgram(const std::string& name) {
    if (name.empty()) return {};
    const auto runs = [](const std::string& path) {
        std::error_code ignored;
        return access(path.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(path, ignored);
    };
    if (name.find('/') != std::string::npos) return runs(name) ? name : std::string();
    const char* path = std::getenv("PATH");
    std::string_view rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
    for (;;) {
        const std::string_view dir = rest.substr(0, rest.find(':'));
        const std::string candidate = fmt::format("{}/{}", dir.empty() ? "." : dir, name);
        if (runs(candidate)) return candidate;
        if (dir.size() == rest.size()) return {};
        rest.remove_prefix(dir.size() + 1);
    }
}

}  // namespace sfumato::jit
