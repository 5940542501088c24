// SPDX-License-Identifier: Apache-2.0
// Mounts, seen by nobody else. What a process becomes by exec keeps its namespaces, and without an owner's rights in
// them: a command has the rights it would have had.
#include "shown.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "sfumato/report.h"

namespace sfumato::command {
namespace fs = std::filesystem;
namespace {

constexpr const char* kAbove = "/usr/local";
constexpr const char* kHomes = "/home";

void Must(bool done, const std::string& what) {
    if (!done) throw Error(fmt::format("{}: {}", what, std::strerror(errno)));
}

class Opened {
public:
    explicit Opened(const fs::path& path) : number_(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
        Must(number_ >= 0, path.string());
    }
    ~Opened() { close(number_); }
    Opened& operator=(Opened&&) = delete;
    // As it is, whatever lies over it.
    fs::path path() const { return fmt::format("/proc/self/fd/{}", number_); }

private:
    int number_;
};

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

// Runs `work` in a child process; what it throws, thrown here.
template <typename Work>
class Child {
public:
    explicit Child(Work work) {
        Must(pipe2(said_, O_CLOEXEC) == 0, "pipe");
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
    Must(pipe2(ready, O_CLOEXEC) == 0, "pipe");
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

void Bind(const fs::path& from, const fs::path& to) {
    Must(mount(from.c_str(), to.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0, "mount " + to.string());
}

// A folder in memory over another one, with all that is there and the places besides. It cannot be written to: what
// would be made beside the real entries would be lost. They themselves can.
void CoverAbove(const fs::path& above, const std::vector<fs::path>& places, const fs::path& folder) {
    const Opened real(above);
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(real.path())) entries.push_back(entry.path().filename());
    const std::string what = "mount " + above.string();
    Must(mount("sfumato", above.c_str(), "tmpfs", MS_NODEV | MS_NOSUID, "mode=755") == 0, what);
    for (const fs::path& name : entries) {
        const fs::path from = real.path() / name, to = above / name;
        if (to == kPlace) continue;  // a link: a folder would have been covered itself
        if (fs::is_symlink(from)) {
            fs::copy_symlink(from, to);
            continue;
        }
        if (fs::is_directory(from))
            fs::create_directory(to);
        else
            Must(mknod(to.c_str(), S_IFREG | 0644, 0) == 0, to.string());
        Bind(from, to);
    }
    for (const fs::path& place : places) {
        fs::create_directories(place);
        Bind(folder, place);
    }
    constexpr unsigned long kReadOnly = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NODEV | MS_NOSUID;
    Must(mount("none", above.c_str(), nullptr, kReadOnly, nullptr) == 0, what);
}

// Users of the vendor's images, in whose homes presets look for a toolkit: those that this machine does not have. Where
// homes are mounted as they are asked for, or this user's is one of them, nothing is laid over them.
std::vector<fs::path> OthersHomes() {
    std::vector<fs::path> places;
    struct statfs system {};
    constexpr long kAutomount = 0x0187;
    const char* home = std::getenv("HOME");
    if ((home && fs::path(home).lexically_normal().string().starts_with(kHomes)) || statfs(kHomes, &system) != 0 ||
        system.f_type == kAutomount)
        return places;
    for (const char* user : {"HwHiAiUser", "ma-user"}) {
        const fs::path user_home = fs::path(kHomes) / user;
        if (fs::exists(fs::symlink_status(user_home))) continue;
        for (const char* folder : {"Ascend", "work/Ascend"}) places.push_back(user_home / folder);
    }
    return places;
}

void ShowHere(const std::string& folder) {
    char* cwd = getcwd(nullptr, 0);
    const std::string here = cwd ? cwd : "";
    std::free(cwd);
    Separate();
    const Opened shown(folder);  // of this namespace
    // What the machine mounts from now on comes here, too, and nothing goes there.
    Must(mount("none", "/", nullptr, MS_REC | MS_SLAVE, nullptr) == 0, "mount /");
    if (fs::symlink_status(kPlace).type() == fs::file_type::directory)
        Bind(shown.path(), kPlace);
    else
        CoverAbove(kAbove, {kPlace}, shown.path());
    if (const auto homes = OthersHomes(); !homes.empty()) CoverAbove(kHomes, homes, shown.path());
    // The folder this process is in may have another over it now.
    if (!here.empty() && chdir(here.c_str()) != 0) Must(false, here);
}

bool Says(const char* file, char digit) {
    std::ifstream in(file);
    char first = 0;
    return in.get(first) && first == digit;
}

// What of the machine's settings is behind a refusal.
std::string Setting() {
    if (Says("/proc/sys/user/max_user_namespaces", '0')) return "user.max_user_namespaces is 0";
    if (Says("/proc/sys/kernel/unprivileged_userns_clone", '0')) return "kernel.unprivileged_userns_clone is 0";
    if (Says("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", '1'))
        return "kernel.apparmor_restrict_unprivileged_userns is 1";
    return "";
}

}  // namespace

std::string Show(const std::string& folder) {
    const char* home = std::getenv("HOME");
    if (home && (home == std::string_view(kAbove) || std::string_view(home).starts_with(kPlace)))
        return fmt::format("HOME is {}", home);
    try {
        // Tried first by another: of namespaces that are half made there is no way back.
        Child([&] { ShowHere(folder); }).Join();
        ShowHere(folder);
        return "";
    } catch (const std::exception& error) {
        const std::string setting = Setting();
        return setting.empty() ? error.what() : setting;
    }
}

}  // namespace sfumato::command
