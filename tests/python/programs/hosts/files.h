// SPDX-License-Identifier: Apache-2.0
// Files of numbers, which the host programs read and write in their working folder.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

inline std::vector<char> ReadFile(const char* name) {
    std::FILE* file = std::fopen(name, "rb");
    if (!file) std::exit(2);
    std::vector<char> bytes;
    for (int c; (c = std::fgetc(file)) != EOF;) bytes.push_back(static_cast<char>(c));
    std::fclose(file);
    return bytes;
}
inline void WriteFile(const char* name, const void* data, size_t size) {
    std::FILE* file = std::fopen(name, "wb");
    if (!file || std::fwrite(data, 1, size, file) != size || std::fclose(file) != 0) std::exit(2);
}
