// SPDX-License-Identifier: Apache-2.0
// One addr2line a module, asked through a socket and kept for the next question.
#include "runtime/code/source_lines.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

#include "system/files.h"
#include "system/modules.h"

extern char** environ;

namespace sfumato::runtime {
namespace {

// Asks about one address at a time. An address nothing lies at ends each answer.
class Reader {
public:
    explicit Reader(const std::string& module) {
        int ends[2];
        if (!system::SocketPair(ends)) return;
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
        for (const char* program : {"addr2line", "llvm-addr2line"}) {
            const char* const arguments[] = {program, "-a", "-f", "-C", "-i", "-e", module.c_str(), nullptr};
            if (posix_spawnp(&child_, program, &actions, nullptr, const_cast<char**>(arguments), environ) == 0) break;
            child_ = -1;
        }
        posix_spawn_file_actions_destroy(&actions);
        close(ends[1]);
        socket_ = ends[0];
    }
    ~Reader() {
        if (socket_ >= 0) close(socket_);
        if (child_ < 0) return;
        kill(child_, SIGKILL);
        waitpid(child_, nullptr, 0);
    }
    Reader& operator=(Reader&&) = delete;

    std::vector<CodeFrame> Ask(uint64_t address) {
        std::vector<CodeFrame> frames;
        if (child_ < 0) return frames;
        const std::string question = fmt::format("{:#x}\n0x0\n", address);
        if (send(socket_, question.data(), question.size(), MSG_NOSIGNAL) < 0) return frames;
        std::string function, place;
        if (!Line(&function)) return frames;  // the address
        while (Line(&function) && !function.starts_with("0x0000")) {
            if (!Line(&place)) return frames;
            const size_t colon = place.rfind(':');
            if (colon == std::string::npos || place.starts_with("?")) continue;
            // "file:12 (discriminator 3)"; line "?" is 0.
            const auto line = static_cast<uint32_t>(std::strtoul(place.c_str() + colon + 1, nullptr, 10));
            if (line > 0) frames.push_back({function, place.substr(0, colon), line});
        }
        Line(&function);
        Line(&place);
        return frames;
    }

private:
    bool Line(std::string* line) {
        for (;;) {
            if (const size_t end = read_.find('\n'); end != std::string::npos) {
                *line = read_.substr(0, end);
                read_.erase(0, end + 1);
                return true;
            }
            char buffer[4096];
            const ssize_t n = read(socket_, buffer, sizeof buffer);
            if (n <= 0) return false;
            read_.append(buffer, static_cast<size_t>(n));
        }
    }

    pid_t child_ = -1;
    int socket_ = -1;
    std::string read_;
};

struct Known {
    std::mutex mutex;
    std::map<std::string, std::unique_ptr<Reader>> readers;
    std::map<std::string, std::map<uint64_t, std::vector<CodeFrame>>> frames;  // of modules, by address in the file
};

Known& TheKnown() {
    static Known* known = new Known;
    return *known;
}

bool IsIn(std::string_view file, std::string_view folders) {
    while (!folders.empty()) {
        const size_t colon = folders.find(':');
        const std::string_view folder = folders.substr(0, colon);
        if (!folder.empty() && file.size() > folder.size() && file.starts_with(folder) && file[folder.size()] == '/')
            return true;
        folders.remove_prefix(colon == std::string_view::npos ? folders.size() : colon + 1);
    }
    return false;
}

// A header of a compiler, or of a standard library that comes with one, wherever these are installed.
bool IsOfCompiler(std::string_view file) {
    constexpr std::string_view kFolders[] = {"/include/c++/", "/lib/gcc/", "/lib/clang/"};
    return std::ranges::any_of(kFolders, [&](std::string_view folder) { return file.find(folder) != file.npos; });
}

}  // namespace

std::vector<CodeFrame> FramesAt(const void* instruction) {
    const system::ModuleFile of = system::ModuleAt(instruction);
    if (!of.path) return {};
    const std::string module = of.path;
    const uint64_t address = reinterpret_cast<uintptr_t>(instruction) - of.base;
    Known& known = TheKnown();
    std::lock_guard lock(known.mutex);
    const auto [it, is_new] = known.frames[module].try_emplace(address);
    if (is_new) {
        std::unique_ptr<Reader>& reader = known.readers[module];
        if (!reader) {
            std::error_code error;
            const auto path = std::filesystem::canonical(module, error);  // what it is to this process
            reader = std::make_unique<Reader>(error ? module : path.string());
        }
        it->second = reader->Ask(address);
    }
    return it->second;
}

void ForgetModules() {
    Known& known = TheKnown();
    std::lock_guard lock(known.mutex);
    known.readers.clear();
}

CodeFrame UserFrame(const std::vector<CodeFrame>& frames, const std::string& source, const char* own, bool* in_own) {
    for (const CodeFrame& frame : frames) {
        // The wrapper around the source is read from standard input.
        if (IsIn(frame.file, own) || frame.file.ends_with("<stdin>")) {
            if (in_own) *in_own = true;
            return {};
        }
        const std::string whole = std::filesystem::path(frame.file).lexically_normal();
        if (IsIn(whole, "/usr/include:/usr/lib:/usr/local/include") || IsOfCompiler(whole)) continue;
        CodeFrame user = frame;
        std::error_code error;
        const std::string here = std::filesystem::current_path(error).string() + "/";
        if (!source.empty() && !source.starts_with("/") && user.file.starts_with(here)) user.file.erase(0, here.size());
        if (user.file.starts_with("./") && !source.starts_with("./")) user.file.erase(0, 2);
        return user;
    }
    return {};
}

std::string Demangled(const char* name) {
    char* text = abi::__cxa_demangle(name, nullptr, nullptr, nullptr);
    std::string result = text ? text : name;
    std::free(text);
    return result;
}

}  // namespace sfumato::runtime
