// SPDX-License-Identifier: Apache-2.0
// Reading a kernel source, and the names and files that are none.
#include "jit/source_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "sfumato/report.h"

namespace sfumato::jit {
namespace fs = std::filesystem;

std::optional<std::string> ReadText(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream content;
    content << in.rdbuf();
    if (!in) return std::nullopt;
    std::string text = std::move(content).str();
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    return text;
}

void WriteText(const std::string& path, const std::string& text) {
    std::error_code ignored;
    fs::create_directories(fs::path(path).parent_path(), ignored);
    std::ofstream out(path, std::ios::binary);
    out << text;
    if (!out.flush()) throw Error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

std::string FileIdentity(const std::string& path) {
    struct stat s {};
    if (path.empty() || stat(path.c_str(), &s) != 0) return path;
    return fmt::format("{} {} {}.{}", path, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
}

void RefuseWideText(const std::string& path, const std::string& text) {
    if (!text.starts_with("\xFF\xFE") && !text.starts_with("\xFE\xFF")) return;
    throw Error(
        fmt::format("{} begins with the byte order mark of UTF-16; compilers read UTF-8: save it as that", path));
}

bool ImpliesHeader(const std::string& path, const std::string& text) {
    return path.ends_with(".cce") && text.find("__aicore__") != text.npos &&
           text.find("kernel_operator.h") == text.npos;
}

std::string ReadSource(const std::string& path) {
    std::error_code error;
    if (path.empty()) throw Error("no source file given");
    if (path.find_first_of("\"\n\\") != std::string::npos) {
        throw Error(
            fmt::format("the path of the source, '{}', contains a quote, a backslash or a line break, which an "
                        "#include cannot name: rename it",
                        path));
    }
    if (fs::is_directory(path, error)) throw Error(fmt::format("{} is a directory, not a kernel source", path));
    if (fs::exists(path, error) && !fs::is_regular_file(path, error)) {
        throw Error(
            fmt::format("{} is a FIFO or a device, not a kernel source: it is read more than once, so save it as a "
                        "file",
                        path));
    }
    std::optional<std::string> text = ReadText(path);
    if (!text) throw Error(fmt::format("cannot read the kernel source {}: {}", path, std::strerror(errno)));
    RefuseWideText(path, *text);
    return std::move(*text);
}

}  // namespace sfumato::jit
