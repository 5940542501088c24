// SPDX-License-Identifier: Apache-2.0
// A file that may grow large: plain, or compressed by gzip.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace sfumato::trace {

class TraceFile {
public:
    // Compressed when the name ends in .gz. A plain one that grows beyond `most_plain` bytes goes on compressed, as a
    // file of this name with .gz behind it. Throws Error for a file that cannot be written.
    explicit TraceFile(std::string path, uint64_t most_plain = UINT64_MAX);
    ~TraceFile();
    TraceFile& operator=(TraceFile&&) = delete;

    void Write(std::string_view text);
    // Of the file as it is in the end. Throws Error when not all of it could be written.
    std::string Close();

private:
    void OpenCompressed();
    void MoveToCompressed();
    [[noreturn]] void Fail(const char* why) const;

    std::string path_;
    const uint64_t most_plain_;
    std::FILE* plain_ = nullptr;
    gzFile compressed_ = nullptr;
    uint64_t written_ = 0;
    bool failed_ = false;
};

}  // namespace sfumato::trace
