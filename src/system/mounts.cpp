// SPDX-License-Identifier: Apache-2.0
// user_namespaces(7), mount_namespaces(7) and mount(2).
#include "system/mounts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "sfumato/report.h"
#include "system/files.h"

namespace sfumato::system {
namespace fs = std::filesystem;
namespace {

void Write(const fs::path& file, const std::string& text) {
    const int number = open(file.c_str(), O_WRONLY | O_CLOEXEC);
    Must(number >= 0, file.string());
    const bool whole = write(number, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    const int error = errno;
    close(number);
    errno = error;
    Must(whole, file.string());
}

// Every number that this process can see, as itself.
std::string AllNumbers(const char* file) {
    std::string map;
    std::ifstream lines(file);
    for (unsigned long inside = 0, outside = 0, count = 0; lines >> inside >> outside >> count;)
        map += fmt::format("{0} {0} {1}\n", inside, count);
    return map;
}

class Child {
public:
    explicit Child(const std::function<void()>& work) {
        Must(Pipe(said_), "pipe");
        process_ = fork();
        Must(process_ >= 0, "fork");
        if (process_ > 0) return;
        std::string why;
        try {
            work();
        } catch (const std::exception& error) {
            why = error.what();
        }
        _exit(write(said_[1], why.data(), why.size()) < 0 ? 1 : 0);
    }
    void Join() {
        close(said_[1]);
        std::string why(1024, '\0');
        const ssize_t length = read(said_[0], why.data(), why.size());
        close(said_[0]);
        waitpid(process_, nullptr, 0);
        if (length != 0) throw Error(why.substr(0, std::max<ssize_t>(length, 0)));
    }

private:
    int said_[2] = {};
    pid_t process_ = 0;
};

// The namespaces. Root keeps every other user's number as well, which takes a process outside to write.
void Separate() {
    if (unshare(CLONE_NEWNS) == 0) return;
    const uid_t uid = geteuid();
    const gid_t gid = getegid();
    if (uid != 0) {
        Must(unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0, "unshare");
        Write("/proc/self/setgroups", "deny");
        Write("/proc/self/uid_map", fmt::format("{0} {0} 1\n", uid));
        return Write("/proc/self/gid_map", fmt::format("{0} {0} 1\n", gid));
    }
    int ready[2];
    Must(Pipe(ready), "pipe");
    const fs::path process = fmt::format("/proc/{}", getpid());
    Child outside([&] {
        close(ready[1]);
        char none;
        if (read(ready[0], &none, 1) < 0) return;
        Write(process / "uid_map", AllNumbers("/proc/self/uid_map"));
        Write(process / "gid_map", AllNumbers("/proc/self/gid_map"));
    });
    const bool separate = unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
    const int error = errno;
    close(ready[0]);
    close(ready[1]);
    try {
        outside.Join();
    } catch (const Error&) {
        if (separate) throw;
    }
    errno = error;
    Must(separate, "unshare");
}

bool Says(const char* file, char digit) {
    std::ifstream in(file);
    char first = 0;
    return in.get(first) && first == digit;
}

}  // namespace

void Must(bool done, const std::string& what) {
    if (!done) throw Error(fmt::format("{}: {}", what, std::strerror(errno)));
}

void RunInChild(const std::function<void()>& work) { Child(work).Join(); }

void SeparateMounts() {
    Separate();
    Must(mount("none", "/", nullptr, MS_REC | MS_SLAVE, nullptr) == 0, "mount /");
}

void ShowAt(const fs::path& from, const fs::path& to) {
    Must(mount(from.c_str(), to.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0, "mount " + to.string());
}

void CoverByMemory(const fs::path& folder) {
    Must(mount("sfumato", folder.c_str(), "tmpfs", MS_NODEV | MS_NOSUID, "mode=755") == 0, "mount " + folder.string());
}

void MakeReadOnly(const fs::path& folder) {
    constexpr unsigned long kReadOnly = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NODEV | MS_NOSUID;
    Must(mount("none", folder.c_str(), nullptr, kReadOnly, nullptr) == 0, "mount " + folder.string());
}

bool MountsWhenAsked(const fs::path& folder) {
    struct statfs of {};
    constexpr long kAutomount = 0x0187;
    return statfs(folder.c_str(), &of) != 0 || of.f_type == kAutomount;
}

std::string SettingAgainst() {
    if (Says("/proc/sys/user/max_user_namespaces", '0')) return "user.max_user_namespaces is 0";
    if (Says("/proc/sys/kernel/unprivileged_userns_clone", '0')) return "kernel.unprivileged_userns_clone is 0";
    if (Says("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", '1'))
        return "kernel.apparmor_restrict_unprivileged_userns is 1";
    return "";
}

OpenedFolder::OpenedFolder(const fs::path& path) : number_(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    Must(number_ >= 0, path.string());
}

OpenedFolder::~OpenedFolder() { close(number_); }

fs::path OpenedFolder::path() const { return fmt::format("/proc/self/fd/{}", number_); }

}  // namespace sfumato::system
