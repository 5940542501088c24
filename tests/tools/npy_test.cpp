// SPDX-License-Identifier: Apache-2.0
// Tests of the .npy reader and writer, malformed files included.
#include "npy.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "sfumato/report.h"

namespace sfumato::command {
namespace {
namespace fs = std::filesystem;

class Npy : public testing::Test {
protected:
    void SetUp() override {
        path_ = fs::temp_directory_path() / ("sfumato-npy-test-" + std::to_string(getpid()) + ".npy");
    }
    void TearDown() override { fs::remove(path_); }

    void Write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
    static std::string Header(const std::string& dict, int version = 1) {
        std::string out = "\x93NUMPY";
        out += static_cast<char>(version);
        out += '\0';
        out += static_cast<char>(dict.size() & 0xFF);
        out += static_cast<char>(dict.size() >> 8);
        if (version > 1) out += std::string(2, '\0');
        return out + dict;
    }
    static std::string Dict(const std::string& descr, const std::string& shape, const std::string& fortran = "False") {
        return "{'descr': " + descr + ", 'fortran_order': " + fortran + ", 'shape': " + shape + ", }   \n";
    }
    // What reading the bytes says, without the path.
    std::string Refusal(const std::string& bytes) const {
        Write(bytes);
        try {
            const NpyFile file(path_.string());
        } catch (const Error& e) {
            const std::string what = e.what();
            EXPECT_TRUE(what.starts_with(path_.string() + ": ")) << what;
            return what.substr(path_.string().size() + 2);
        }
        return "";
    }

    fs::path path_;
};

TEST_F(Npy, RoundTrip) {
    const float values[6] = {1, 2, 3, 4, 5, 6};
    WriteNpy(path_.string(), DataType::kFloat, {2, 3}, values);
    NpyFile file(path_.string());
    EXPECT_EQ(file.type(), DataType::kFloat);
    EXPECT_EQ(file.shape(), (std::vector<uint64_t>{2, 3}));
    float back[6] = {};
    file.Read(back);
    EXPECT_EQ(std::memcmp(values, back, sizeof back), 0);
    EXPECT_EQ((fs::file_size(path_) - sizeof values) % 64, 0u) << "the data is aligned as numpy.save aligns it";
}

TEST_F(Npy, ShapesAndTypes) {
    const uint8_t bytes[64] = {};
    for (int i = 1; i < kDataTypeCount; ++i) {
        for (const std::vector<uint64_t>& shape : {std::vector<uint64_t>{}, {0}, {3}, {2, 2}, {4, 0, 7}}) {
            WriteNpy(path_.string(), static_cast<DataType>(i), shape, bytes);
            const NpyFile file(path_.string());
            EXPECT_EQ(file.type(), static_cast<DataType>(i));
            EXPECT_EQ(file.shape(), shape);
        }
    }
}

TEST_F(Npy, Int4IsWrittenPacked) {
    const uint8_t bytes[8] = {};
    WriteNpy(path_.string(), DataType::kInt4, {2, 4}, bytes);
    EXPECT_EQ(NpyFile(path_.string()).shape(), (std::vector<uint64_t>{2, 2}));
    WriteNpy(path_.string(), DataType::kInt4, {3}, bytes);
    EXPECT_EQ(NpyFile(path_.string()).shape(), (std::vector<uint64_t>{2}));
    EXPECT_EQ(NpyFile(path_.string()).type(), DataType::kUint8);
}

TEST_F(Npy, VersionsAndSpellings) {
    for (const int version : {1, 2, 3})
        EXPECT_EQ(Refusal(Header(Dict("'<f2'", "(1,)"), version) + "ab"), "") << version;
    EXPECT_EQ(Refusal(Header(Dict("'<V2'", "(1,)")) + "ab"), "") << "bfloat16 of ml_dtypes";
    EXPECT_EQ(Refusal(Header("{\"shape\":(2 , 1),\"descr\":\"|b1\",\"fortran_order\":False}") + "ab"), "");
    EXPECT_EQ(Refusal(Header(Dict("'<f2'", "(1L,)")) + "ab"), "");
    EXPECT_EQ(Refusal(Header(Dict("'<f2'", "(1,)", "True")) + "ab"), "") << "one dimension has one order";
}

TEST_F(Npy, Refusals) {
    EXPECT_EQ(Refusal(""), "is not an .npy file (write it with numpy.save; raw bytes are given as tiling:FILE)");
    EXPECT_EQ(Refusal("PK\3\4 something else"),
              "is not an .npy file (write it with numpy.save; raw bytes are given as tiling:FILE)");
    EXPECT_EQ(Refusal("\x93NUMPY"), "the file ends inside its header");
    EXPECT_EQ(Refusal(std::string("\x93NUMPY\x01\x00\xFF\xFF{", 11)), "the file ends inside its header");
    EXPECT_EQ(Refusal(std::string("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF{", 13)), "the file ends inside its header");
    EXPECT_EQ(Refusal(std::string("\x93NUMPY\x09\x00\x00\x00", 10)), "has .npy version 9.0: 1.0 to 3.0 can be read");
    EXPECT_EQ(Refusal(Header(Dict("'<i4'", "(3,)")) + std::string(8, 'x')),
              "its header promises 12 bytes of data, the file has 8: it is truncated");
    EXPECT_EQ(Refusal(Header(Dict("'<i4'", "(3,)")) + std::string(16, 'x')),
              "its header promises 12 bytes of data, the file has 16: it is followed by something else");
    EXPECT_EQ(Refusal(Header(Dict("'<i4'", "(2, 2)", "True")) + std::string(16, 'x')),
              "is stored in Fortran (column-major) order: save numpy.ascontiguousarray(array)");
    EXPECT_EQ(Refusal(Header(Dict("'>i4'", "(1,)")) + "abcd"),
              "holds big-endian elements ('>i4'): save it as array.astype(array.dtype.newbyteorder('<'))");
    EXPECT_EQ(Refusal(Header(Dict("'<f8'", "(1,)")) + "abcdefgh"),
              "has element type '<f8', which no kernel takes; legal are int8, uint8, bool, int16, uint16, float16, "
              "bfloat16, int32, "
              "uint32, float32, int64, uint64: convert with array.astype(...)");
    EXPECT_TRUE(Refusal(Header(Dict("[('a', '<f4')]", "(1,)")) + "abcd").starts_with("has a structured"));
    EXPECT_TRUE(Refusal(Header(Dict("'<V1'", "(1,)")) + "a").starts_with("holds one-byte elements without a type"));
    EXPECT_EQ(Refusal(Header(Dict("'<f4'", "(4294967296, 4294967296, 2)"))),
              "its shape has more elements than memory can hold");
}

TEST_F(Npy, DamagedHeaders) {
    const char* damaged = "its header is damaged: descr, fortran_order or shape cannot be read";
    for (const char* dict :
         {"", "{", "}", "{'descr': '<f4'}", "{'descr' '<f4'}", "{'descr': '<f4', 'fortran_order': Maybe, 'shape': ()}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}", "{'other': 3}", "{'descr': '<f4"}) {
        const std::string why = Refusal(Header(dict));
        EXPECT_TRUE(why == damaged || why.starts_with("has a structured")) << dict << ": " << why;
    }
    for (const char* descr : {"''", "'<'", "'|'", "'f'", "'<f44'"}) {
        EXPECT_TRUE(Refusal(Header(Dict(descr, "(1,)")) + "abcd").starts_with("has element type")) << descr;
    }
}

TEST_F(Npy, EveryPrefixIsRefused) {
    const std::string whole = Header(Dict("'<i4'", "(3,)")) + std::string(12, 'x');
    for (size_t n = 0; n < whole.size(); ++n) EXPECT_NE(Refusal(whole.substr(0, n)), "") << n;
    EXPECT_EQ(Refusal(whole), "");
}

TEST_F(Npy, NoFile) {
    EXPECT_THROW(NpyFile("/nowhere/x.npy"), Error);
    EXPECT_THROW(NpyFile(fs::temp_directory_path().string()), Error);
    EXPECT_THROW(WriteNpy("/nowhere/x.npy", DataType::kFloat, {0}, nullptr), Error);
}

}  // namespace
}  // namespace sfumato::command
