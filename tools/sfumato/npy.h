// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files, versions 1 to 3: C order, little-endian, the element types of the chips.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "sfumato/data_type.h"

namespace sfumato::command {

// An .npy file whose header has been read and checked against the file's size. Throws Error that names the file.
class NpyFile {
public:
    explicit NpyFile(const std::string& path);

    // '<V2' is what numpy.save writes for ml_dtypes' bfloat16.
    DataType type() const { return type_; }
    const std::string& descr() const { return descr_; }
    const std::vector<uint64_t>& shape() const { return shape_; }
    uint64_t bytes() const { return bytes_; }
    // Reads all elements; dst has room for bytes().
    void Read(void* dst);

private:
    [[noreturn]] void Fail(const std::string& why) const;
    void ParseHeader(const std::string& header);

    std::string path_, descr_;
    std::ifstream in_;
    DataType type_ = DataType::kUint8;
    std::vector<uint64_t> shape_;
    uint64_t bytes_ = 0;
};

// Writes version 1.0. int4 is written packed, as uint8. Throws Error.
void WriteNpy(const std::string& path, DataType type, const std::vector<uint64_t>& shape, const void* data);

// Elements of a shape; nothing when they are more than 64 bits can count.
std::optional<uint64_t> CountOf(const std::vector<uint64_t>& shape);

}  // namespace sfumato::command
