// SPDX-License-Identifier: Apache-2.0
// proc(5), prctl(2), and what waitpid(2) adds to POSIX.
#include "system/processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

namespace sfumato::system {
namespace {

std::vector<int> NumbersIn(const char* folder) {
    std::vector<int> numbers;
    DIR* const open = opendir(folder);
    if (open == nullptr) return numbers;
    while (const dirent* entry = readdir(open)) {
        if (std::isdigit(static_cast<unsigned char>(entry->d_name[0]))) numbers.push_back(std::atoi(entry->d_name));
    }
    closedir(open);
    return numbers;
}

// "S 17 ...": the state and the parent, behind the name in parentheses; empty of one that is gone.
std::string StateOf(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/stat", process));
    std::string text;
    std::getline(file, text);
    const size_t name = text.rfind(')');
    return name == std::string::npos || name + 4 > text.size() ? "" : text.substr(name + 2);
}

}  // namespace

std::filesystem::path OwnProgram() {
    std::error_code failed;
    return std::filesystem::read_symlink("/proc/self/exe", failed);
}

void DieWithParent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

void AdoptOrphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

std::vector<pid_t> ChildrenOfThis() {
    std::vector<pid_t> children = NumbersIn("/proc");
    std::erase_if(children, [](pid_t process) {
        const std::string state = StateOf(process);
        return state.empty() || std::atoi(state.c_str() + 2) != getpid();
    });
    return children;
}

pid_t TakeEndedChild() { return waitpid(-1, nullptr, WNOHANG | __WALL); }

size_t Threads() { return NumbersIn("/proc/self/task").size(); }

std::string LastArgumentOf(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/cmdline", process));
    std::string words{std::istreambuf_iterator<char>(file), {}};  // each ends with a zero
    if (words.empty()) return "";
    words.pop_back();
    const size_t zero = words.rfind('\0');
    return zero == std::string::npos ? "" : words.substr(zero + 1);
}

std::vector<int> OpenDescriptors() {
    std::vector<int> numbers = NumbersIn("/proc/self/fd");
    std::erase_if(numbers, [](int number) { return fcntl(number, F_GETFD) < 0; });  // the one of the list
    return numbers;
}

bool IsStopped(pid_t process) { return StateOf(process).starts_with('T'); }

bool IsTraced() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        constexpr std::string_view kField = "TracerPid:";  // 0 without one
        if (line.starts_with(kField)) return line.find_first_of("123456789", kField.size()) != std::string::npos;
    }
    return false;
}

}  // namespace sfumato::system
