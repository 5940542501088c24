// SPDX-License-Identifier: Apache-2.0
// Files of traces.
#include "trace/trace_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "sfumato/report.h"

namespace sfumato::trace {

TraceFile::TraceFile(std::string path, uint64_t most_plain) : path_(std::move(path)), most_plain_(most_plain) {
    if (path_.ends_with(".gz")) {
        OpenCompressed();
    } else {
        plain_ = std::fopen(path_.c_str(), "wb");
        if (!plain_) Fail(std::strerror(errno));
    }
}

TraceFile::~TraceFile() {
    if (plain_) std::fclose(plain_);
    if (compressed_) gzclose(compressed_);
}

void TraceFile::Fail(const char* why) const { throw Error(fmt::format("cannot write the trace {}: {}", path_, why)); }

void TraceFile::OpenCompressed() {
    errno = 0;
    compressed_ = gzopen(path_.c_str(), "wb3");  // 3: a million records in seconds, a tenth of their size
    if (!compressed_) Fail(errno ? std::strerror(errno) : "out of memory");
    gzbuffer(compressed_, 1 << 18);
}

void TraceFile::MoveToCompressed() {
    std::fclose(std::exchange(plain_, nullptr));
    const std::string plain = path_;
    path_ += ".gz";
    OpenCompressed();
    std::FILE* from = std::fopen(plain.c_str(), "rb");
    std::vector<char> part(1 << 20);
    for (size_t n = 0; from && (n = std::fread(part.data(), 1, part.size(), from)) > 0;)
        failed_ = failed_ || gzwrite(compressed_, part.data(), static_cast<unsigned>(n)) == 0;
    failed_ = failed_ || !from || std::ferror(from);
    if (from) std::fclose(from);
    std::remove(plain.c_str());
}

void TraceFile::Write(std::string_view text) {
    written_ += text.size();
    if (plain_ && written_ > most_plain_) MoveToCompressed();
    if (text.empty()) return;
    failed_ = failed_ || (plain_ ? std::fwrite(text.data(), 1, text.size(), plain_) != text.size()
                                 : gzwrite(compressed_, text.data(), static_cast<unsigned>(text.size())) == 0);
}

std::string TraceFile::Close() {
    errno = 0;
    const int closed =
        plain_ ? std::fclose(std::exchange(plain_, nullptr)) : gzclose(std::exchange(compressed_, nullptr));
    if (failed_ || closed != 0) Fail(errno ? std::strerror(errno) : "not all of it was written");
    return path_;
}

}  // namespace sfumato::trace
