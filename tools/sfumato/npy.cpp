// SPDX-License-Identifier: Apache-2.0
// Reads and writes .npy files (NumPy's documentation, "numpy.lib.format").
#include "npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>

#include "sfumato/report.h"

namespace sfumato::command {
namespace {

static_assert(std::endian::native == std::endian::little, "the bytes of .npy files and kernels are little-endian");

constexpr char kMagic[] = "\x93NUMPY";
constexpr size_t kMagicSize = 6;

struct Descr {
    const char* text;  // without the byte order
    DataType type;
};
constexpr std::array kDescrs = {
    Descr{"i1", DataType::kInt8},     Descr{"u1", DataType::kUint8},  Descr{"b1", DataType::kUint8},
    Descr{"i2", DataType::kInt16},    Descr{"u2", DataType::kUint16}, Descr{"f2", DataType::kHalf},
    Descr{"V2", DataType::kBfloat16}, Descr{"i4", DataType::kInt32},  Descr{"u4", DataType::kUint32},
    Descr{"f4", DataType::kFloat},    Descr{"i8", DataType::kInt64},  Descr{"u8", DataType::kUint64}};

// Reads the Python dictionary of the header: string keys; string, bool and tuple values.
class HeaderParser {
public:
    explicit HeaderParser(const std::string& text) : text_(text) {}

    bool Accept(char c) {
        Skip();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    std::optional<std::string> String() {
        Skip();
        if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return std::nullopt;
        const size_t end = text_.find(text_[at_], at_ + 1);
        if (end == std::string::npos) return std::nullopt;
        std::string value = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return value;
    }
    std::optional<bool> Bool() {
        Skip();
        for (const bool value : {true, false}) {
            const std::string word = value ? "True" : "False";
            if (text_.compare(at_, word.size(), word) == 0) {
                at_ += word.size();
                return value;
            }
        }
        return std::nullopt;
    }
    std::optional<std::vector<uint64_t>> Tuple() {
        if (!Accept('(')) return std::nullopt;
        std::vector<uint64_t> values;
        while (!Accept(')')) {
            Skip();
            uint64_t value = 0;
            const size_t begin = at_;
            for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
                const auto digit = static_cast<uint64_t>(text_[at_] - '0');
                if (value > (std::numeric_limits<uint64_t>::max() - digit) / 10) return std::nullopt;
                value = value * 10 + digit;
            }
            if (at_ == begin) return std::nullopt;
            if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote long integers so
            values.push_back(value);
            if (!Accept(',')) {
                if (!Accept(')')) return std::nullopt;
                break;
            }
        }
        return values;
    }

private:
    void Skip() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }

    const std::string& text_;
    size_t at_ = 0;
};

std::string LegalTypes() {
    return "int8, uint8, bool, int16, uint16, float16, bfloat16, int32, uint32, float32, int64, uint64";
}

}  // namespace

std::optional<uint64_t> CountOf(const std::vector<uint64_t>& shape) {
    uint64_t count = 1;
    for (const uint64_t n : shape) {
        if (n != 0 && count > std::numeric_limits<uint64_t>::max() / n) return std::nullopt;
        count *= n;
    }
    return count;
}

constexpr const char* kWritten = "; an array that the kernel writes is given as out:DTYPE[SHAPE]=FILE.npy";

void NpyFile::Fail(const std::string& why) const { throw Error(fmt::format("{}: {}", path_, why)); }

NpyFile::NpyFile(const std::string& path) : path_(path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) Fail("is a directory, not an .npy file");
    in_.open(path, std::ios::binary);
    if (!in_) Fail(fmt::format("cannot be read: {}{}", std::strerror(errno), errno == ENOENT ? kWritten : ""));
    const uint64_t size = std::filesystem::file_size(path, error);
    if (error) Fail(fmt::format("cannot be read: {}", error.message()));
    char start[12] = {};
    in_.read(start, 10);
    if (in_.gcount() < static_cast<std::streamsize>(kMagicSize) || std::memcmp(start, kMagic, kMagicSize) != 0) {
        Fail("is not an .npy file (write it with numpy.save; raw bytes are given as tiling:FILE)");
    }
    if (in_.gcount() < 10) Fail("the file ends inside its header");
    const auto byte = [&](int i) { return static_cast<uint64_t>(static_cast<unsigned char>(start[i])); };
    const uint64_t version = byte(6);
    if (version < 1 || version > 3)
        Fail(fmt::format("has .npy version {}.{}: 1.0 to 3.0 can be read", version, byte(7)));
    uint64_t length = byte(8) | byte(9) << 8, begin = 10;
    if (version >= 2) {
        in_.read(start + 10, 2);
        length |= byte(10) << 16 | byte(11) << 24;
        begin = 12;
    }
    if (!in_ || length > size - std::min(size, begin)) Fail("the file ends inside its header");
    std::string header(length, '\0');
    in_.read(header.data(), static_cast<std::streamsize>(length));
    if (!in_) Fail("the file ends inside its header");
    ParseHeader(header);
    const uint64_t present = size - begin - length;
    if (present != bytes_) {
        Fail(fmt::format("its header promises {} bytes of data, the file has {}: it is {}", bytes_, present,
                         present < bytes_ ? "truncated" : "followed by something else"));
    }
}

void NpyFile::ParseHeader(const std::string& header) {
    HeaderParser parser(header);
    std::optional<std::string> descr;
    std::optional<bool> fortran;
    std::optional<std::vector<uint64_t>> shape;
    bool good = parser.Accept('{');
    while (good && !parser.Accept('}')) {
        const auto key = parser.String();
        good = key && parser.Accept(':');
        if (!good) break;
        if (*key == "descr") {
            descr = parser.String();
            if (!descr) Fail(fmt::format("has a structured or unknown element type; legal are {}", LegalTypes()));
        } else if (*key == "fortran_order") {
            good = (fortran = parser.Bool()).has_value();
        } else if (*key == "shape") {
            good = (shape = parser.Tuple()).has_value();
        } else {
            good = false;
        }
        if (good && !parser.Accept(',')) {
            good = parser.Accept('}');
            break;
        }
    }
    if (!good || !descr || !fortran || !shape)
        Fail("its header is damaged: descr, fortran_order or shape cannot be read");
    descr_ = *descr;
    shape_ = *shape;
    if (descr_.starts_with('>')) {
        Fail(fmt::format("holds big-endian elements ('{}'): save it as array.astype(array.dtype.newbyteorder('<'))",
                         descr_));
    }
    const std::string plain = descr_.substr(std::min(descr_.find_first_not_of("<|="), descr_.size()));
    const auto it = std::ranges::find_if(kDescrs, [&](const Descr& d) { return plain == d.text; });
    if (plain == "V1") {
        Fail(
            "holds one-byte elements without a type ('V1'; ml_dtypes' int4 is saved so): kernels read int4 as two "
            "elements a "
            "byte, so save packed uint8, element 2k in the low nibble");
    }
    if (it == kDescrs.end())
        Fail(fmt::format("has element type '{}', which no kernel takes; legal are {}: convert with array.astype(...)",
                         descr_, LegalTypes()));
    type_ = it->type;
    const auto count = CountOf(shape_);
    const uint64_t width = BitsOf(type_) / 8;
    if (!count || *count > std::numeric_limits<int64_t>::max() / width)
        Fail("its shape has more elements than memory can hold");
    bytes_ = *count * width;
    if (*fortran && shape_.size() > 1 && *count > 1) {
        Fail("is stored in Fortran (column-major) order: save numpy.ascontiguousarray(array)");
    }
}

void NpyFile::Read(void* dst) {
    in_.read(static_cast<char*>(dst), static_cast<std::streamsize>(bytes_));
    if (!in_) Fail("the file ends inside its data");
}

void WriteNpy(const std::string& path, DataType type, const std::vector<uint64_t>& shape, const void* data) {
    std::vector<uint64_t> stored = shape;
    const uint64_t bytes = BytesOf(type, CountOf(shape).value_or(0));
    if (type == DataType::kInt4) {
        if (!stored.empty() && stored.back() % 2 == 0) {
            stored.back() /= 2;
        } else {
            stored = {bytes};
        }
        type = DataType::kUint8;
    }
    const auto it = std::ranges::find_if(kDescrs, [&](const Descr& d) { return d.type == type; });
    std::string tuple;
    for (const uint64_t n : stored) tuple += fmt::format("{}, ", n);
    if (stored.size() > 1) tuple.resize(tuple.size() - 2);
    if (stored.size() == 1) tuple.resize(tuple.size() - 1);  // a tuple of one keeps its comma
    std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                     BitsOf(type) == 8 ? '|' : '<', it->text, tuple);
    constexpr size_t kAlignment = 64;
    const size_t before = kMagicSize + 4;
    header.append(kAlignment - 1 - (before + header.size()) % kAlignment, ' ');
    header += '\n';
    std::ofstream out(path, std::ios::binary);
    out.write(kMagic, kMagicSize);
    const char version[4] = {1, 0, static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
    out.write(version, 4);
    out << header;
    out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
    if (!out.flush()) throw Error(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

}  // namespace sfumato::command
