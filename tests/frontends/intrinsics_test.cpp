// SPDX-License-Identifier: Apache-2.0
// The C calls below the tensors: each gives the bytes of the call of AscendC that it stands for (language.md 5).
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <vector>

#include "kernel_operator.h"
#include "sfumato/launch.h"
#include "support/tensor_at.h"

namespace sfumato::intrinsics_test {
namespace {

constexpr uint32_t kBytes = 32768;  // of UB, compared whole

// Not by the constructor with an address, which makes the kernel one without a TPipe (static.md 2.1).
template <class T>
AscendC::LocalTensor<T> In(uint32_t offset, uint64_t count) {
    return TensorAt<T>(AscendC::TPosition::VECCALC, offset, static_cast<uint32_t>(count));
}

// All of the first bytes of UB after a kernel that finds numbers 1, 2, 3 ... of T in its first 4096.
template <class T>
std::vector<uint8_t> UbAfter(const std::function<void()>& kernel) {
    std::vector<uint8_t> bytes(kBytes);
    GlobalMemory memory;
    LaunchOptions options;
    options.chip = "Ascend910B1";
    const LaunchResult result = Launch(options, 1, memory, [&] {
        auto input = In<T>(0, 4096 / sizeof(T));
        for (uint32_t i = 0; i < input.GetSize(); ++i) input.SetValue(i, static_cast<T>(static_cast<int>(i % 10) + 1));
        kernel();
        auto all = In<uint8_t>(0, kBytes);
        for (uint32_t i = 0; i < kBytes; ++i) bytes[i] = all.GetValue(i);
    });
    EXPECT_TRUE(result.ok());
    for (const Report& report : result.findings) {
        // Calls that set a mask are tried alone: what they leave is what is compared.
        if (report.rule != "mask-left") ADD_FAILURE() << report.Text();
    }
    return bytes;
}

template <class T>
AscendC::LocalTensor<T> Ub(uint32_t offset) {
    return In<T>(offset, (kBytes - offset) / sizeof(T));
}
template <class T>
T* At(uint32_t offset) {
    return reinterpret_cast<T*>(Ub<T>(offset).GetPhyAddr());
}

// T's numbers, `raw` and `call` work on: dst at 8192, sources at 0 and 2048.
template <class T>
void ExpectSame(const char* name, const std::function<void()>& raw, const std::function<void()>& call) {
    EXPECT_EQ(UbAfter<T>(raw), UbAfter<T>(call)) << name;
}

constexpr uint64_t kHigh = 0x0123456789abcdef, kLow = 0xfedcba9876543210;

// Every intrinsic with the form of a row, under the mask register and with strides that differ.
TEST(Intrinsics, Elementwise) {
    using namespace AscendC;
#define SFUMATO_UNARY(Name, opcode)                                                                              \
    ExpectSame<half>(                                                                                            \
        #opcode,                                                                                                 \
        [] {                                                                                                     \
            set_vector_mask(kHigh, kLow);                                                                        \
            ::opcode(At<half>(8192), At<half>(0), 3, 2, 1, 16, 8);                                               \
        },                                                                                                       \
        [] {                                                                                                     \
            SetVectorMask<half>(kHigh, kLow);                                                                    \
            Name<half, false>(Ub<half>(8192), Ub<half>(0), MASK_PLACEHOLDER, 3, UnaryRepeatParams(2, 1, 16, 8)); \
        });
#define SFUMATO_BINARY(Name, opcode)                                                                               \
    ExpectSame<float>(                                                                                             \
        #opcode,                                                                                                   \
        [] {                                                                                                       \
            set_vector_mask(0, kLow);                                                                              \
            ::opcode(At<float>(8192), At<float>(0), At<float>(2048), 2, 2, 1, 1, 16, 8, 8);                        \
        },                                                                                                         \
        [] {                                                                                                       \
            SetVectorMask<float>(0, kLow);                                                                         \
            Name<float, false>(Ub<float>(8192), Ub<float>(0), Ub<float>(2048), MASK_PLACEHOLDER, 2,                \
                               BinaryRepeatParams(2, 1, 1, 16, 8, 8));                                             \
        });
#define SFUMATO_SCALAR(Name, opcode)                                                                             \
    ExpectSame<float>(                                                                                           \
        #opcode,                                                                                                 \
        [] {                                                                                                     \
            set_vector_mask_dup(kLow);                                                                           \
            ::opcode(At<float>(8192), At<float>(0), 2.5f, 2, 2, 1, 16, 8);                                       \
        },                                                                                                       \
        [] {                                                                                                     \
            SetVectorMask<float>(kLow, kLow);                                                                    \
            Name<float, false>(Ub<float>(8192), Ub<float>(0), 2.5f, MASK_PLACEHOLDER, 2,                         \
                               UnaryRepeatParams(2, 1, 16, 8));                                                  \
        });
    SFUMATO_UNARY(Abs, vabs)
    SFUMATO_UNARY(Exp, vexp)
    SFUMATO_UNARY(Ln, vln)
    SFUMATO_UNARY(Reciprocal, vrec)
    SFUMATO_UNARY(Sqrt, vsqrt)
    SFUMATO_UNARY(Rsqrt, vrsqrt)
    SFUMATO_UNARY(Relu, vrelu)
    SFUMATO_BINARY(Add, vadd)
    SFUMATO_BINARY(Sub, vsub)
    SFUMATO_BINARY(Mul, vmul)
    SFUMATO_BINARY(Div, vdiv)
    SFUMATO_BINARY(Max, vmax)
    SFUMATO_BINARY(Min, vmin)
    SFUMATO_BINARY(FusedMulAdd, vmadd)
    SFUMATO_SCALAR(Adds, vadds)
    SFUMATO_SCALAR(Muls, vmuls)
    SFUMATO_SCALAR(Maxs, vmaxs)
    SFUMATO_SCALAR(Mins, vmins)
#undef SFUMATO_UNARY
#undef SFUMATO_BINARY
#undef SFUMATO_SCALAR
    ExpectSame<int16_t>(
        "vector_dup",
        [] {
            set_vector_mask(kHigh, kLow);
            ::vector_dup(At<int16_t>(8192), 7, 2, 1, 1, 8, 0);
        },
        [] { Duplicate(Ub<int16_t>(8192), int16_t(7), (const uint64_t[2]){kLow, kHigh}, 2, 1, 8); });
    ExpectSame<int32_t>(
        "vcopy",
        [] {
            set_vector_mask(0, kLow);
            ::vcopy(At<int32_t>(8192), At<int32_t>(0), 2, 1, 1, 8, 8);
        },
        [] { Copy(Ub<int32_t>(8192), Ub<int32_t>(0), (const uint64_t[2]){kLow, 0}, 2, CopyRepeatParams(1, 1, 8, 8)); });
}

TEST(Intrinsics, Conversions) {
    using namespace AscendC;
#define SFUMATO_SAME(name, Dst, Src, mode)                                                                           \
    ExpectSame<Src>(                                                                                                 \
        #name,                                                                                                       \
        [] {                                                                                                         \
            set_vector_mask(0, kLow);                                                                                \
            name(At<Dst>(8192), At<Src>(0), 2, 1, 1, 8, 8);                                                          \
        },                                                                                                           \
        [] {                                                                                                         \
            SetVectorMask<float>(0, kLow);                                                                           \
            Cast<Dst, Src, false>(Ub<Dst>(8192), Ub<Src>(0), RoundMode::mode, MASK_PLACEHOLDER, 2,                   \
                                  UnaryRepeatParams(1, 1, 8, 8));                                                    \
        });
    SFUMATO_SAME(vconv_bf162f32, float, bfloat16_t, CAST_NONE)
    SFUMATO_SAME(vconv_f162f32, float, half, CAST_NONE)
    SFUMATO_SAME(vconv_f162s32r, int32_t, half, CAST_RINT)
    SFUMATO_SAME(vconv_f322bf16r, bfloat16_t, float, CAST_RINT)
    SFUMATO_SAME(vconv_f322f16r, half, float, CAST_RINT)
    SFUMATO_SAME(vconv_f322s16r, int16_t, float, CAST_RINT)
    SFUMATO_SAME(vconv_f322s32f, int32_t, float, CAST_FLOOR)
    SFUMATO_SAME(vconv_f322s32r, int32_t, float, CAST_RINT)
    SFUMATO_SAME(vconv_s162f16, half, int16_t, CAST_NONE)
    SFUMATO_SAME(vconv_s162f32, float, int16_t, CAST_NONE)
    SFUMATO_SAME(vconv_s322f32, float, int32_t, CAST_NONE)
#undef SFUMATO_SAME
}

// Sixteen words in UB that are the same, and the word itself.
TEST(Intrinsics, Dequantises) {
    const auto kernel = [](bool vector, bool low) {
        const uint64_t word = uint64_t{0x3C000000} | uint64_t{0x1FF & -7} << 37 | uint64_t{1} << 46;
        auto* words = At<uint64_t>(4096);
        for (int i = 0; i < 16; ++i) words[i] = word;
        pipe_barrier(PIPE_ALL);
        set_vector_mask(kHigh, kLow);
        set_deqscale(vector ? reinterpret_cast<uint64_t>(words) : word);
        auto* dst = At<int8_t>(8192);
        auto* src = At<int16_t>(0);
        if (vector) {
            low ? vconv_vdeqs162b8l(dst, src, 2, 1, 1, 8, 8) : vconv_vdeqs162b8h(dst, src, 2, 1, 1, 8, 8);
        } else {
            low ? vconv_deqs162b8l(dst, src, 2, 1, 1, 8, 8) : vconv_deqs162b8h(dst, src, 2, 1, 1, 8, 8);
        }
    };
    for (const bool low : {false, true}) {
        ExpectSame<int16_t>("vdeq", [&] { kernel(true, low); }, [&] { kernel(false, low); });
    }
    EXPECT_NE(UbAfter<int16_t>([&] { kernel(true, true); }), UbAfter<int16_t>([&] { kernel(true, false); }));
}

TEST(Intrinsics, ComparesAndSelects) {
    using namespace AscendC;
#define SFUMATO_SAME(op, MODE)                                                                                       \
    ExpectSame<half>(                                                                                                \
        #op,                                                                                                         \
        [] {                                                                                                         \
            vcmpv_##op(At<uint8_t>(8192), At<half>(0), At<half>(2048), 3, 1, 1, 1, 8, 8, 0);                         \
            vcmpvs_##op(At<uint8_t>(8448), At<half>(0), half(5), 3, 1, 1, 8, 8);                                    \
            set_vector_mask(~uint64_t{0}, ~uint64_t{0});                                                             \
            vcmp_##op(At<half>(0), At<half>(2048), 1, 1, 1, 1, 8, 8, 8);                                             \
            pipe_barrier(PIPE_V);                                                                                    \
            set_vector_mask(kHigh, kLow);                                                                            \
            ::vsel(At<half>(12288), At<half>(0), At<half>(2048), 2, 1, 1, 1, 8, 8, 8, 0);                            \
        },                                                                                                           \
        [] {                                                                                                         \
            const auto bits = Ub<uint8_t>(8192);                                                                     \
            Compare(bits, Ub<half>(0), Ub<half>(2048), CMPMODE::MODE, uint64_t{128}, 3,                              \
                    BinaryRepeatParams(1, 1, 1, 8, 8, 0));                                                           \
            Compares(bits[256], Ub<half>(0), half(5), CMPMODE::MODE, uint64_t{128}, 3, UnaryRepeatParams());        \
            Compare(Ub<half>(0), Ub<half>(2048), CMPMODE::MODE, uint64_t{128}, BinaryRepeatParams());                \
            PipeBarrier<PIPE_V>();                                                                                   \
            SetVectorMask<half>(kHigh, kLow);                                                                        \
            Select<half, SELMODE::VSEL_CMPMASK_SPR>(Ub<half>(12288), Ub<half>(0), Ub<half>(2048), 2,                 \
                                                    BinaryRepeatParams());                                           \
        });
    SFUMATO_SAME(eq, EQ)
    SFUMATO_SAME(ne, NE)
    SFUMATO_SAME(lt, LT)
    SFUMATO_SAME(gt, GT)
    SFUMATO_SAME(le, LE)
    SFUMATO_SAME(ge, GE)
#undef SFUMATO_SAME
    // Mode 1: the bits lie where src1 points, the scalar in CMPMASK.
    ExpectSame<half>(
        "vsel 1",
        [] {
            set_cmpmask(At<half>(32));
            pipe_barrier(PIPE_V);
            set_vector_mask(kHigh, kLow);
            ::vsel(At<half>(12288), At<half>(0), At<uint8_t>(2048), 2, 1, 1, 1, 8, 8, 8, 1);
        },
        [] {
            SetCmpMask(Ub<half>(32));
            PipeBarrier<PIPE_V>();
            SetVectorMask<half>(kHigh, kLow);
            Select<half, uint8_t>(Ub<half>(12288), Ub<uint8_t>(2048), Ub<half>(0), 2, BinaryRepeatParams());
        });
}

TEST(Intrinsics, ExtremesAndMoves) {
    using namespace AscendC;
    ExpectSame<half>(
        "vcmax",
        [] {
            set_vector_mask(kHigh, kLow);
            ::vcmax(At<half>(8192), At<half>(0), 4, 1, 1, 8, INDEX_VALUE);
            ::vcmin(At<half>(8320), At<half>(0), 4, 1, 1, 8, ONLY_VALUE);
        },
        [] {
            SetVectorMask<half>(kHigh, kLow);
            WholeReduceMax<half, false>(Ub<half>(8192), Ub<half>(0), MASK_PLACEHOLDER, 4, 1, 1, 8,
                                        ReduceOrder::ORDER_INDEX_VALUE);
            WholeReduceMin<half, false>(Ub<half>(8320), Ub<half>(0), MASK_PLACEHOLDER, 4, 1, 1, 8,
                                        ReduceOrder::ORDER_ONLY_VALUE);
        });
    ExpectSame<int32_t>(
        "copy_ubuf_to_ubuf", [] { copy_ubuf_to_ubuf(At<int32_t>(8192), At<int32_t>(0), 0, 3, 2, 1, 4); },
        [] { DataCopy(Ub<int32_t>(8192), Ub<int32_t>(0), DataCopyParams(3, 2, 1, 4)); });
}

// There and back through global memory, in blocks and in bytes, with pads.
TEST(Intrinsics, GlobalMemory) {
    GlobalMemory memory;
    uint8_t* src = memory.Allocate(256, "src");
    uint8_t* dst = memory.Allocate(256, "dst");
    for (int i = 0; i < 256; ++i) src[i] = static_cast<uint8_t>(i), dst[i] = 0;
    LaunchOptions options;
    options.chip = "Ascend910B1";
    const LaunchResult result = Launch(options, 1, memory, [&] {
        copy_gm_to_ubuf(At<uint8_t>(0), src, 0, 2, 2, 1, 1);
        set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
        wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
        copy_ubuf_to_gm(dst, At<uint8_t>(0), 0, 2, 2, 1, 0);
        copy_ubuf_to_gm(dst + 128, At<uint8_t>(0), 0, 1, 5, 0, 0, BM_ENABLE);
        set_mov_pad_val(0x55);
        copy_gm_to_ubuf_align_b16(At<uint8_t>(1024), src, 0, 2, 6, 1, 2, 4, 0);
        set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID1);
        wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID1);
        copy_ubuf_to_gm_align_b8(dst + 160, At<uint8_t>(1024), 0, 2, 12, 0, 0, 0, 2);
    });
    EXPECT_TRUE(result.ok());
    for (const Report& report : result.findings) ADD_FAILURE() << report.Text();
    EXPECT_EQ(std::memcmp(dst, src, 64), 0);
    EXPECT_EQ(std::memcmp(dst + 64, src + 96, 64), 0);  // a gap of a block between the blocks
    EXPECT_EQ(dst[132], 4);
    EXPECT_EQ(dst[133], 0);
    const uint8_t padded[] = {0x55, 0, 0, 1, 2, 3, 4, 5, 0x55, 0, 0x55, 0, 0, 0, 0x55, 0, 10, 11, 12, 13, 14, 15, 0x55, 0};
    EXPECT_EQ(std::memcmp(dst + 160, padded, sizeof(padded)), 0);
}

// A number as an address of UB, and as a number.
TEST(Intrinsics, Immediates) {
    GlobalMemory memory;
    LaunchOptions options;
    options.chip = "Ascend910A";
    uint8_t* src = memory.Allocate(32, "src");
    for (int i = 0; i < 32; ++i) src[i] = static_cast<uint8_t>(i);
    const LaunchResult result = Launch(options, 1, memory, [&] {
        auto* words = (__ubuf__ uint32_t*)get_imm(64);
        copy_gm_to_ubuf((__ubuf__ uint8_t*)words, src, 0, 1, 1, 0, 0);
        pipe_barrier(PIPE_ALL);
        EXPECT_EQ(words[1], 0x07060504u);
        EXPECT_EQ(In<uint32_t>(64, 8).GetValue(1), 0x07060504u);
        const int64_t number = get_imm(5);
        EXPECT_EQ(number + 2, 7);
    });
    EXPECT_TRUE(result.ok());
    for (const Report& report : result.findings) ADD_FAILURE() << report.Text();
}

TEST(Intrinsics, Registers) {
    static_assert(sbitset1(0, 48) == uint64_t{1} << 48 && sbitset0(~uint64_t{0}, 0) == ~uint64_t{1});
    GlobalMemory memory;
    LaunchOptions options;
    options.chip = "Ascend910B1";
    const LaunchResult result = Launch(options, 1, memory, [] {
        set_ctrl(sbitset1(get_ctrl(), 48));
        EXPECT_EQ((AscendC::GetCtrlSpr<48, 48>()), 1);
        set_ctrl(sbitset0(get_ctrl(), 48));
        EXPECT_EQ(get_ctrl(), 0u);
        auto floats = Ub<float>(0);
        AscendC::Duplicate(floats, 1.0f, 256);
        set_mask_count();
        set_vector_mask(0, 70);
        ::vadds(At<float>(0), At<float>(0), 1.0f, 1, 1, 1, 8, 8);
        set_mask_norm();
        EXPECT_EQ(floats.GetValue(69), 2.0f);
        EXPECT_EQ(floats.GetValue(70), 1.0f);
        uint64_t kept = 0;
        AscendC::GatherMask(Ub<uint32_t>(4096), Ub<uint32_t>(0), uint8_t{1}, false, 0, {1, 1, 8, 0}, kept);
        AscendC::PipeBarrier<PIPE_ALL>();
        EXPECT_EQ(get_rsvd_cnt(), 32);
    });
    EXPECT_TRUE(result.ok());
    for (const Report& report : result.findings) ADD_FAILURE() << report.Text();
}

}  // namespace
}  // namespace sfumato::intrinsics_test
