// SPDX-License-Identifier: Apache-2.0
// Tests of BindArguments: what is passed, and the texts of what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "sfumato/jit.h"

namespace sfumato {
namespace {

KernelParam Param(const char* type, const char* name, ParamKind kind, uint64_t size, std::optional<DataType> t,
                  bool is_signed = false) {
    KernelParam p;
    p.type = type;
    p.name = name;
    p.kind = kind;
    p.size = size;
    p.data_type = t;
    p.is_signed = is_signed;
    return p;
}

const KernelParam kAddress = Param("GM_ADDR", "x", ParamKind::kPointer, 8, DataType::kUint8);
const KernelParam kHalves = Param("__gm__ half*", "h", ParamKind::kPointer, 8, DataType::kHalf);
const KernelParam kCount = Param("uint32_t", "n", ParamKind::kInteger, 4, DataType::kUint32);
const KernelParam kByte = Param("int8_t", "b", ParamKind::kInteger, 1, DataType::kInt8, true);
const KernelParam kLong = Param("int64_t", "l", ParamKind::kInteger, 8, DataType::kInt64, true);
const KernelParam kScale = Param("float", "s", ParamKind::kFloating, 4, DataType::kFloat);
const KernelParam kHalf = Param("half", "c", ParamKind::kFloating, 2, DataType::kHalf);
const KernelParam kTiling = Param("Tiling", "t", ParamKind::kStruct, 12, std::nullopt);

std::vector<uint64_t> g_seen;
size_t g_count;
void Thunk(void* const* arguments) {
    g_seen.assign(g_count, 0);
    for (size_t i = 0; i < g_count; ++i) std::memcpy(&g_seen[i], arguments[i], 8);
}

KernelInfo Kernel(std::vector<KernelParam> params) {
    KernelInfo kernel;
    kernel.name = "k";
    kernel.params = std::move(params);
    kernel.thunk = Thunk;
    return kernel;
}

// The values the kernel sees, 8 bytes of each.
std::vector<uint64_t> Seen(std::vector<KernelParam> params, const std::vector<Argument>& arguments) {
    g_count = params.size();
    BindArguments(nullptr, Kernel(std::move(params)), arguments)();
    return g_seen;
}

std::string Refusal(std::vector<KernelParam> params, const std::vector<Argument>& arguments) {
    try {
        BindArguments(nullptr, Kernel(std::move(params)), arguments);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

TEST(Arguments, Values) {
    int object = 0;
    EXPECT_EQ(Seen({kAddress, kCount}, {Argument::Pointer(&object, DataType::kFloat), Argument::Integer(7)}),
              (std::vector<uint64_t>{reinterpret_cast<uintptr_t>(&object), 7}));
    EXPECT_EQ(Seen({kByte}, {Argument::Integer(-128)})[0] & 0xFF, 0x80u);
    EXPECT_EQ(Seen({kLong}, {Argument::Integer(INT64_MIN)})[0], uint64_t{1} << 63);
    EXPECT_EQ(Seen({kScale}, {Argument::Floating(1.5)})[0] & 0xFFFFFFFF, 0x3FC00000u);
    EXPECT_EQ(Seen({kScale}, {Argument::Integer(-2)})[0] & 0xFFFFFFFF, 0xC0000000u);
    EXPECT_EQ(Seen({kTiling}, {Argument::Bytes("abcdefghijkl")})[0] & 0xFF, 'a');
}

TEST(Arguments, HalfIsRoundedOnce) {
    const auto bits = [](double v) { return Seen({kHalf}, {Argument::Floating(v)})[0] & 0xFFFF; };
    EXPECT_EQ(bits(1), 0x3C00u);
    EXPECT_EQ(bits(1 + 0x1p-11), 0x3C00u) << "a tie goes to even";
    EXPECT_EQ(bits(1 + 0x1p-11 + 0x1p-40), 0x3C01u) << "just above the tie, which float cannot tell from it";
    EXPECT_EQ(bits(INFINITY), 0x7C00u);
}

TEST(Arguments, Refusals) {
    int object = 0;
    const Argument array = Argument::Pointer(&object, DataType::kBfloat16);
    EXPECT_EQ(Refusal({kAddress, kCount}, {array}),
              "k(GM_ADDR x, uint32_t n) takes 2 arguments, 1 given: missing uint32_t n");
    EXPECT_EQ(Refusal({}, {array}), "k() takes 0 arguments, 1 given");
    EXPECT_EQ(Refusal({kAddress, kCount}, {array, array}),
              "k(GM_ADDR x, uint32_t n): argument 2 (uint32_t n): the parameter is an integer, but an array (a GM "
              "pointer) is given");
    EXPECT_EQ(Refusal({kAddress}, {Argument::Integer(3)}),
              "k(GM_ADDR x): argument 1 (GM_ADDR x): the parameter is a pointer to GM, but an integer value is given: "
              "give an array");
    EXPECT_EQ(
        Refusal({kCount}, {Argument::Floating(3)}),
        "k(uint32_t n): argument 1 (uint32_t n): the parameter is an integer, but a floating-point value is given");
    EXPECT_EQ(Refusal({kCount}, {Argument::Integer(-1)}),
              "k(uint32_t n): argument 1 (uint32_t n): -1 is out of range: legal is 0 to 4294967295");
    EXPECT_EQ(Refusal({kByte}, {Argument::Integer(128)}),
              "k(int8_t b): argument 1 (int8_t b): 128 is out of range: legal is -128 to 127");
    EXPECT_EQ(Refusal({kHalves}, {array}),
              "k(__gm__ half* h): argument 1 (__gm__ half* h): the kernel reads half (float16) there, but the array "
              "holds bfloat16");
    EXPECT_EQ(Refusal({kScale}, {Argument::Floating(1e39)}),
              "k(float s): argument 1 (float s): 1e+39 is out of range: the largest float32 is 3.4028234663852886e+38");
    EXPECT_EQ(Refusal({kTiling}, {Argument::Bytes("abc")}),
              "k(Tiling t): argument 1 (Tiling t): the struct has 12 bytes, 3 are given");
    EXPECT_EQ(Refusal({kCount}, {Argument::Integer(3, DataType::kInt32)}),
              "k(uint32_t n): argument 1 (uint32_t n): the value is stated as int32, but the parameter is uint32");
}

TEST(Arguments, TextIsQuoted) {
    Argument a = Argument::Integer(300);
    a.text = "int8:300";
    EXPECT_EQ(Refusal({kByte}, {a}),
              "k(int8_t b): argument 1 (int8_t b), given as 'int8:300': 300 is out of range: legal is -128 to 127");
}

}  // namespace
}  // namespace sfumato
