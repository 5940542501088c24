// SPDX-License-Identifier: Apache-2.0
// Files by rename or in place, streams that may be gone.
#include "output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "options.h"
#include "sfumato/report.h"
#include "system/files.h"

namespace sfumato::command {
namespace fs = std::filesystem;
namespace {

constexpr int kMostLinks = 40;  // as the kernel counts

std::atomic<bool> lost{false};

[[noreturn]] void Refuse(const std::string& path, const std::string& why) {
    throw Error(fmt::format("cannot write {}: {}", path, why));
}

void Print(std::FILE* stream, std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stream) != text.size() || std::fflush(stream) != 0) lost = true;
}

}  // namespace

OutputTarget ResolveOutput(const std::string& path) {
    if (path.empty()) Refuse("''", "a file needs a name");
    std::error_code error;
    fs::path at = fs::absolute(path, error);
    for (int links = 0;; ++links) {
        if (links > kMostLinks) Refuse(path, "its symbolic links lead in a circle");
        const fs::path folder = fs::weakly_canonical(at.parent_path(), error);
        if (error) Refuse(path, error.message());
        if (*at.string().rbegin() == '/') Refuse(path, "it is a directory");
        at = folder / at.filename();
        struct stat s {};
        if (lstat(at.c_str(), &s) != 0) {
            if (errno == ENOENT) return {path, at};
            Refuse(path, std::strerror(errno));
        }
        if (S_ISDIR(s.st_mode)) Refuse(path, "it is a directory");
        if (S_ISREG(s.st_mode)) return {path, at};
        if (!S_ISLNK(s.st_mode) || system::HoldsDescriptors(folder)) return {path, {}};
        const fs::path link = fs::read_symlink(at, error);
        if (error) Refuse(path, error.message());
        at = folder / link;
    }
}

std::string OutputTarget::Writable(int owner) const {
    return replaced() ? fmt::format("{}.sfumato-{}.tmp", real.string(), owner) : path;
}

void OutputTarget::Commit(int owner) const {
    if (!replaced()) return;
    // Whatever stands there now, only a regular file gives way.
    struct stat s {};
    if (lstat(real.c_str(), &s) == 0 && !S_ISREG(s.st_mode)) Refuse(path, "it is no regular file any more");
    std::error_code error;
    fs::rename(Writable(owner), real, error);
    if (error) Refuse(path, error.message());
}

void OutputTarget::Discard(int owner) const {
    std::error_code ignored;
    if (replaced()) fs::remove(Writable(owner), ignored);
}

void WriteFile(const std::string& path, std::string_view text) {
    const OutputTarget target = ResolveOutput(path);
    const int self = getpid();
    std::ofstream out(target.Writable(self), std::ios::binary);
    out << text;
    if (!out.flush()) {
        const int number = errno;
        target.Discard(self);
        Refuse(path, std::strerror(number));
    }
    out.close();
    target.Commit(self);
}

void ReserveStreams() {
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        // The lowest free number is this one. Reading only: a write to it fails, as it would have.
        if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", O_RDONLY);
    }
}

void IgnoreWriteSignals() {
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);
}

void PrintOut(std::string_view text) { Print(stdout, text); }
void PrintError(std::string_view text) { Print(stderr, text); }
void ReportLost() { lost = true; }

int Finished(int code) {
    for (std::FILE* stream : {stdout, stderr}) {
        if (std::fflush(stream) != 0 || std::ferror(stream) != 0) lost = true;
    }
    return code == kOk && lost ? kUnwritten : code;
}

}  // namespace sfumato::command
