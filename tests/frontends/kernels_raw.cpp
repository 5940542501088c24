// SPDX-License-Identifier: Apache-2.0
// Raw kernels of the vector and the scalar unit.
#include "frontends/kernels_raw.h"

namespace sfumato::frontends_test {
namespace {

using namespace AscendC;

const std::vector<std::string> kA2 = {"Ascend910B"};
const std::vector<std::string> kTwo = {"Ascend310P", "Ascend910B"};

// Tiles in turn: in, computed by V, out. in_bytes, out_bytes: multiples of 32.
template <class Compute>
void RawTiles(GM_ADDR x, GM_ADDR y, uint32_t in_bytes, uint32_t out_bytes, const Compute& compute) {
    const int64_t blocks = get_block_num();
    for (int64_t tile = get_block_idx(); tile < kTiles; tile += blocks) {
        copy_gm_to_ubuf((__ubuf__ void*)Ub<uint8_t>(0), (__gm__ void*)(x + tile * in_bytes), 0, 1, in_bytes / 32, 0, 0);
        set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
        wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
        compute();
        set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
        wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
        copy_ubuf_to_gm((__gm__ void*)(y + tile * out_bytes), (__ubuf__ void*)Ub<uint8_t>(kOut), 0, 1, out_bytes / 32,
                        0, 0);
        set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
        wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
    }
}

// The same with tensors.
template <class Compute>
void NamedTiles(GM_ADDR x, GM_ADDR y, uint32_t in_bytes, uint32_t out_bytes, const Compute& compute) {
    for (int64_t tile = GetBlockIdx(); tile < kTiles; tile += GetBlockNum()) {
        GlobalTensor<uint8_t> from, to;
        from.SetGlobalBuffer(x + tile * in_bytes, in_bytes);
        to.SetGlobalBuffer(y + tile * out_bytes, out_bytes);
        const auto local = Local<uint8_t>(TPosition::VECCALC, 0, 65536);
        DataCopy(local.ReinterpretCast<int8_t>(), from.ReinterpretCast<int8_t>(),
                 DataCopyParams(1, in_bytes / 32, 0, 0));
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        compute();
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(to.ReinterpretCast<int8_t>(), local.ReinterpretCast<int8_t>()[kOut],
                 DataCopyParams(1, out_bytes / 32, 0, 0));
        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    }
}
template <class T>
LocalTensor<T> UbTensor(uint32_t at = 0) {
    return Local<T>(TPosition::VECCALC, at, 4096 / sizeof(T));
}

constexpr uint64_t kAll = ~uint64_t{0};
constexpr uint64_t Word(uint64_t repeat, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f) {
    return repeat << 56 | f << 40 | e << 32 | d << 24 | c << 16 | b << 8 | a;
}
constexpr uint64_t OneWord(uint64_t repeat, uint64_t a, uint64_t b, uint64_t d, uint64_t e) {
    return repeat << 56 | e << 40 | d << 32 | b << 16 | a;
}

__global__ __aicore__ void words_of_strides(GM_ADDR x, GM_ADDR y) {
    RawTiles(x, y, 512, 512, [] {
        set_vector_mask(0, kAll);
        vadd(Ub<float>(kWork), Ub<float>(0), Ub<float>(0), Word(2, 1, 1, 1, 8, 8, 8));
        pipe_barrier(PIPE_V);
        vadds(Ub<float>(kOut), Ub<float>(kWork), 1.0f, OneWord(2, 1, 1, 8, 8));
    });
}
__global__ __aicore__ void words_of_strides_named(GM_ADDR x, GM_ADDR y) {
    NamedTiles(x, y, 512, 512, [] {
        SetVectorMask<float>(0, kAll);
        Add<float, false>(UbTensor<float>(kWork), UbTensor<float>(), UbTensor<float>(), MASK_PLACEHOLDER, 2,
                          {1, 1, 1, 8, 8, 8});
        PipeBarrier<PIPE_V>();
        Adds<float, false>(UbTensor<float>(kOut), UbTensor<float>(kWork), 1.0f, MASK_PLACEHOLDER, 2, {1, 1, 8, 8});
    });
}

// A row of 64: those that are largest share 1; the exponentials of the others are 0.
__global__ __aicore__ void softmax_row(GM_ADDR x, GM_ADDR y) {
    RawTiles(x, y, 256, 256, [] {
        set_vector_mask(0, kAll);
        vcmax(Ub<float>(kWork), Ub<float>(0), 1, 1, 1, 8, ONLY_VALUE);
        pipe_barrier(PIPE_V);
        vbrcb(Ub<uint32_t>(kWork + 256), Ub<uint32_t>(kWork), 1, 8, 1);
        pipe_barrier(PIPE_V);
        vsub(Ub<float>(kOut), Ub<float>(0), Ub<float>(kWork + 256), 1, 1, 1, 0, 8, 8, 0);
        pipe_barrier(PIPE_V);
        vexp(Ub<float>(kOut), Ub<float>(kOut), 1, 1, 1, 8, 8);
        pipe_barrier(PIPE_V);
        vcadd(Ub<float>(kWork), Ub<float>(kOut), 1, 1, 1, 8);
        pipe_barrier(PIPE_V);
        vbrcb(Ub<uint32_t>(kWork + 256), Ub<uint32_t>(kWork), 1, 8, 1);
        pipe_barrier(PIPE_V);
        vdiv(Ub<float>(kOut), Ub<float>(kOut), Ub<float>(kWork + 256), 1, 1, 1, 0, 8, 8, 0);
    });
}

__global__ __aicore__ void quantise(GM_ADDR x, GM_ADDR y) {
    RawTiles(x, y, 512, 128, [] {
        set_vector_mask(0, kAll);
        vmuls(Ub<float>(kWork), Ub<float>(0), 0.5f, 2, 1, 1, 8, 8);
        pipe_barrier(PIPE_V);
        vconv_f322f16(Ub<half>(kWork + 1024), Ub<float>(kWork), 2, 1, 1, 4, 8);
        pipe_barrier(PIPE_V);
        set_vector_mask(kAll, kAll);
        vconv_f162s8a(Ub<int8_t>(kOut), Ub<half>(kWork + 1024), 1, 1, 1, 4, 8);
    });
}

// Four sorted lists of 32 to one of 128 pairs, descending; `packed`: the older form.
template <bool packed>
void SortMerge(GM_ADDR x, GM_ADDR y) {
    RawTiles(x, y, 1024, 1024, [] {
        vbitsort(Ub<float>(kWork), Ub<float>(0), Ub<uint32_t>(512), 4);
        pipe_barrier(PIPE_V);
        float* lists[4] = {Ub<float>(kWork), Ub<float>(kWork + 256), Ub<float>(kWork + 512), Ub<float>(kWork + 768)};
        if (packed) {
            vmrgsort4(Ub<float>(kOut), lists, uint64_t{32} << 48 | uint64_t{32} << 32 | 32u << 16 | 32u, 1u | 15u << 8);
        } else {
            vmrgsort4(Ub<float>(kOut), lists, 1, 32, 32, 32, 32, false, 15);
        }
    });
}
__global__ __aicore__ void sort_merge_named(GM_ADDR x, GM_ADDR y) {
    NamedTiles(x, y, 1024, 1024, [] {
        const auto list = [](uint32_t i) { return UbTensor<float>(kWork + 256 * i); };
        Sort32(list(0), UbTensor<float>(), UbTensor<uint32_t>(512), 4);
        PipeBarrier<PIPE_V>();
        const uint16_t lengths[4] = {32, 32, 32, 32};
        MrgSort(UbTensor<float>(kOut), MrgSortSrcList<float>(list(0), list(1), list(2), list(3)),
                MrgSort4Info(lengths, false, 15, 1));
    });
}

__global__ __aicore__ void transpose(GM_ADDR x, GM_ADDR y) {
    RawTiles(x, y, 512, 512, [] { vtranspose(Ub<uint16_t>(kOut), Ub<uint16_t>(0)); });
}
__global__ __aicore__ void transpose_named(GM_ADDR x, GM_ADDR y) {
    NamedTiles(x, y, 512, 512, [] { Transpose(UbTensor<uint16_t>(kOut), UbTensor<uint16_t>()); });
}
// The same by lists of blocks, which pointers and offsets name alike.
__global__ __aicore__ void transpose_blocks(GM_ADDR x, GM_ADDR y) {
    RawTiles(x, y, 512, 512, [] {
        uint64_t to[16], from[16];
        for (uint32_t i = 0; i < 16; ++i) {
            to[i] = reinterpret_cast<uint64_t>(Ub<uint16_t>(kOut + 32 * i));
            from[i] = 32 * i;
        }
        set_va_reg_sb(VA0, to);
        set_va_reg_sb(VA1, to + 8);
        set_va_reg_sb(VA4, from);
        set_va_reg_sb(VA5, from + 8);
        scatter_vnchwconv_b16(VA0, VA4, 1, 0, 0);
    });
}

// The input backwards, by byte offsets from the end of a block of 64.
__global__ __aicore__ void gather(GM_ADDR x, GM_ADDR y) {
    for (int32_t i = 0; i < 64; ++i) Ub<uint32_t>(kWork)[i] = static_cast<uint32_t>(4 * (63 - i));
    set_flag(PIPE_S, PIPE_V, EVENT_ID1);
    wait_flag(PIPE_S, PIPE_V, EVENT_ID1);
    RawTiles(x, y, 256, 256, [] {
        set_vector_mask(0, kAll);
        auto* source = Ub<float>(0);
        vgather(Ub<float>(kOut), Ub<uint32_t>(kWork), (uint32_t)(uint64_t)source, 8, 1);
    });
}

// The sum of two repeats by the register, and that by a store of the scalar unit.
__global__ __aicore__ void accumulated(GM_ADDR x, GM_ADDR y) {
    RawTiles(x, y, 512, 32, [] {
        set_vector_mask(0, kAll);
        vector_dup(Ub<float>(kOut), 0.0f, 1, 1, 1, 8, 8);
        vcadd(nullptr, Ub<float>(0), 2, 1, 1, 8, true);
        pipe_barrier(PIPE_ALL);
        const int64_t bits = get_acc_val();
        *Ub<float>(kOut) = *reinterpret_cast<const float*>(&bits);
        pipe_barrier(PIPE_ALL);
    });
}

__global__ __aicore__ void reductions(GM_ADDR x, GM_ADDR y) {
    RawTiles(x, y, 512, 256, [] {
        set_vector_mask(0, kAll);
        vector_dup(Ub<float>(kOut), 0.0f, OneWord(1, 1, 1, 8, 8));
        pipe_barrier(PIPE_V);
        vcgadd(Ub<float>(kOut), Ub<float>(0), 1, 1, 1, 8);
        vcgmax(Ub<float>(kOut + 32), Ub<float>(0), 1, 1, 1, 8);
        vcgmin(Ub<float>(kOut + 64), Ub<float>(0), 1, 1, 1, 8);
        vcpadd(Ub<float>(kOut + 96), Ub<float>(0), uint64_t{1} << 56 | uint64_t{8} << 32 | 1u << 16 | 1u);
        vcmin(Ub<float>(kOut + 224), Ub<float>(0), 2, 1, 1, 8);
    });
}

__global__ __aicore__ void reductions_named(GM_ADDR x, GM_ADDR y) {
    NamedTiles(x, y, 512, 256, [] {
        const auto in = UbTensor<float>();
        const auto out = [](uint32_t at) { return UbTensor<float>(kOut + at); };
        SetVectorMask<float>(0, kAll);
        Duplicate<float, false>(out(0), 0.0f, MASK_PLACEHOLDER, 1, 1, 8);
        PipeBarrier<PIPE_V>();
        BlockReduceSum<float, false>(out(0), in, 1, MASK_PLACEHOLDER, 1, 1, 8);
        BlockReduceMax<float, false>(out(32), in, 1, MASK_PLACEHOLDER, 1, 1, 8);
        BlockReduceMin<float, false>(out(64), in, 1, MASK_PLACEHOLDER, 1, 1, 8);
        PairReduceSum<float, false>(out(96), in, 1, MASK_PLACEHOLDER, 1, 1, 8);
        WholeReduceMin<float, false>(out(224), in, MASK_PLACEHOLDER, 2, 1, 1, 8);
    });
}

// Elements 0 and 2 of each 4 of 64: fixed pattern 1 takes the even ones, bits of the program the same.
__global__ __aicore__ void squeezed(GM_ADDR x, GM_ADDR y) {
    Ub<uint32_t>(kWork)[0] = Ub<uint32_t>(kWork)[1] = 0x55555555;
    set_flag(PIPE_S, PIPE_V, EVENT_ID1);
    wait_flag(PIPE_S, PIPE_V, EVENT_ID1);
    RawTiles(x, y, 256, 256, [] {
        vreducev2(Ub<uint32_t>(kOut), Ub<uint32_t>(0), nullptr, 1, 1, 1, 8, 0);
        vreducev2(Ub<uint32_t>(kOut + 128), Ub<uint32_t>(0), Ub<uint32_t>(kWork), 1, 1, 0, 8, 8);
    });
}

// The larger of x and 3, by the register of comparisons, which goes through UB.
__global__ __aicore__ void compared(GM_ADDR x, GM_ADDR y) {
    RawTiles(x, y, 256, 256, [] {
        set_vector_mask(0, kAll);
        vector_dup(Ub<float>(kWork), 3.0f, 1, 1, 1, 8, 8);
        pipe_barrier(PIPE_V);
        vcmp_gt(Ub<float>(0), Ub<float>(kWork), 1, 1, 1, 1, 8, 8, 8);
        pipe_barrier(PIPE_V);
        get_cmpmask(Ub<uint8_t>(kWork + 512));
        pipe_barrier(PIPE_V);
        set_cmpmask(Ub<uint8_t>(kWork + 512));
        pipe_barrier(PIPE_V);
        vsel(Ub<float>(kOut), Ub<float>(0), Ub<float>(kWork), 1, 1, 1, 1, 8, 8, 8, 0);
    });
}

__global__ __aicore__ void compared_named(GM_ADDR x, GM_ADDR y) {
    NamedTiles(x, y, 256, 256, [] {
        const auto in = UbTensor<float>(), threes = UbTensor<float>(kWork);
        SetVectorMask<float>(0, kAll);
        Duplicate<float, false>(threes, 3.0f, MASK_PLACEHOLDER, 1, 1, 8);
        PipeBarrier<PIPE_V>();
        Compare<float, false>(in, threes, CMPMODE::GT, MASK_PLACEHOLDER, BinaryRepeatParams());
        PipeBarrier<PIPE_V>();
        GetCmpMask(UbTensor<uint8_t>(kWork + 512));
        PipeBarrier<PIPE_V>();
        SetCmpMask(UbTensor<uint8_t>(kWork + 512));
        PipeBarrier<PIPE_V>();
        Select<float, SELMODE::VSEL_CMPMASK_SPR>(UbTensor<float>(kOut), in, threes, 1, BinaryRepeatParams());
    });
}

__global__ __aicore__ void quantise_named(GM_ADDR x, GM_ADDR y) {
    NamedTiles(x, y, 512, 128, [] {
        const auto scaled = UbTensor<float>(kWork);
        const auto halves = UbTensor<half>(kWork + 1024);
        SetVectorMask<float>(0, kAll);
        Muls<float, false>(scaled, UbTensor<float>(), 0.5f, MASK_PLACEHOLDER, 2, {1, 1, 8, 8});
        PipeBarrier<PIPE_V>();
        Cast<half, float, false>(halves, scaled, RoundMode::CAST_NONE, MASK_PLACEHOLDER, 2, {1, 1, 4, 8});
        PipeBarrier<PIPE_V>();
        SetVectorMask<half>(kAll, kAll);
        Cast<int8_t, half, false>(UbTensor<int8_t>(kOut), halves, RoundMode::CAST_ROUND, MASK_PLACEHOLDER, 1,
                                  {1, 1, 4, 8});
    });
}

__global__ __aicore__ void to_int4(GM_ADDR x, GM_ADDR y) {
    RawTiles(x, y, 256, 64, [] {
        set_vector_mask(kAll, kAll);
        vconv_f162s4r(Ub<uint8_t>(kOut), Ub<half>(0), 1, 1, 1, 2, 8);
    });
}

// x / 2 rounded, and 2 x + x x: a shift, an Axpy and a multiply-add.
__global__ __aicore__ void shifted(GM_ADDR x, GM_ADDR y) {
    RawTiles(x, y, 256, 256, [] {
        set_vector_mask(0, kAll);
        vshr(Ub<int32_t>(kOut), Ub<int32_t>(0), 1, 1, 1, 1, 8, 8, true);
        pipe_barrier(PIPE_V);
        vshl(Ub<uint32_t>(kOut), Ub<uint32_t>(kOut), 2, OneWord(1, 1, 1, 8, 8));
    });
}
__global__ __aicore__ void multiplied(GM_ADDR x, GM_ADDR y) {
    RawTiles(x, y, 256, 256, [] {
        set_vector_mask(0, kAll);
        vector_dup(Ub<float>(kOut), 1.0f, 1, 1, 1, 8, 8);
        pipe_barrier(PIPE_V);
        vaxpy(Ub<float>(kOut), Ub<float>(0), 2.0f, 1, 1, 1, 8, 8);
        pipe_barrier(PIPE_V);
        vmla(Ub<float>(kOut), Ub<float>(0), Ub<float>(0), 1, 1, 1, 1, 8, 8, 8);
    });
}

std::vector<float> Applied(const std::vector<float>& x, float (*f)(float)) {
    std::vector<float> y;
    for (const float v : x) y.push_back(f(v));
    return y;
}

RawProgram SoftmaxRow() {
    std::vector<float> x = Floats(64 * kTiles, -3, 0, 200, 3), y;
    for (uint32_t row = 0; row < kTiles; ++row) {
        // A power of two of largest elements.
        for (uint32_t i = 0; i < 64; ++i) x[64 * row + i] = i % 16 == row ? 500.0f : x[64 * row + i];
        for (uint32_t i = 0; i < 64; ++i) y.push_back(i % 16 == row ? 0.25f : 0.0f);
    }
    return Tiles("raw_softmax_row", kA2, In(x), Out(y), softmax_row);
}

RawProgram Quantise() {
    const std::vector<float> x = Floats(128 * kTiles, -200, 200, 1, 4);
    std::vector<int8_t> y;
    for (const float v : x) y.push_back(static_cast<int8_t>(std::round(v / 2)));
    return Tiles("raw_quantise", kTwo, In(x), Out(y), quantise, quantise_named);
}

RawProgram SortMerge(bool packed) {
    // A tile: 128 scores, 128 indices.
    std::vector<uint32_t> x, y;
    Values values(5);
    for (uint32_t tile = 0; tile < kTiles; ++tile) {
        std::vector<std::pair<float, uint32_t>> pairs;
        for (uint32_t i = 0; i < 128; ++i) pairs.emplace_back(static_cast<float>(values.Integer(-50000, 50000)), i);
        for (const auto& [score, index] : pairs) x.push_back(__builtin_bit_cast(uint32_t, score));
        for (const auto& [score, index] : pairs) x.push_back(index);
        std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        for (const auto& [score, index] : pairs) y.push_back(__builtin_bit_cast(uint32_t, score)), y.push_back(index);
    }
    return Tiles(packed ? "raw_sort_merge_words" : "raw_sort_merge", kA2, In(x), Out(y),
                 packed ? SortMerge<true> : SortMerge<false>, sort_merge_named);
}

RawProgram Transposed(const char* name, void (*raw)(GM_ADDR, GM_ADDR), void (*named)(GM_ADDR, GM_ADDR)) {
    const auto x = Integers<uint16_t>(256 * kTiles, 0, 60000, 6);
    std::vector<uint16_t> y(x.size());
    for (uint32_t i = 0; i < x.size(); ++i) y[i / 256 * 256 + i % 16 * 16 + i / 16 % 16] = x[i];
    return Tiles(name, kTwo, In(x), Out(y), raw, named);
}

RawProgram Gathered() {
    const auto x = Integers<uint32_t>(64 * kTiles, 0, 1000000, 7);
    std::vector<uint32_t> y;
    for (uint32_t i = 0; i < x.size(); ++i) y.push_back(x[i / 64 * 64 + 63 - i % 64]);
    return Tiles("raw_gather", kTwo, In(x), Out(y), gather);
}

RawProgram Accumulated() {
    const std::vector<float> x = Floats(128 * kTiles, -9, 9, 0.5, 8);
    std::vector<float> y;
    for (uint32_t tile = 0; tile < kTiles; ++tile) {
        float sum = 0;
        for (uint32_t i = 0; i < 128; ++i) sum += x[128 * tile + i];
        y.push_back(sum);
        y.insert(y.end(), 7, 0.0f);
    }
    return Tiles("raw_accumulated", kA2, In(x), Out(y), accumulated);
}

RawProgram Reductions() {
    const std::vector<float> x = Floats(128 * kTiles, -9000, 9000, 0.5, 9);
    std::vector<float> y;
    for (uint32_t tile = 0; tile < kTiles; ++tile) {
        const float* first = &x[128 * tile];
        for (int kind = 0; kind < 3; ++kind) {
            for (int block = 0; block < 8; ++block) {
                const float *at = first + 8 * block, *end = at + 8;
                float sum = 0;
                for (const float* p = at; p < end; ++p) sum += *p;
                y.push_back(kind == 0 ? sum : kind == 1 ? *std::max_element(at, end) : *std::min_element(at, end));
            }
        }
        for (int i = 0; i < 32; ++i) y.push_back(first[2 * i] + first[2 * i + 1]);
        for (const float* repeat : {first, first + 64}) {
            const float* least = std::min_element(repeat, repeat + 64);
            y.push_back(*least);
            y.push_back(__builtin_bit_cast(float, static_cast<uint32_t>(least - repeat)));
        }
        y.insert(y.end(), 4, 0.0f);
    }
    return Tiles("raw_reductions", kA2, In(x), Out(y), reductions, reductions_named);
}

RawProgram Squeezed() {
    const auto x = Integers<uint32_t>(64 * kTiles, 0, 1000000, 10);
    std::vector<uint32_t> y;
    for (uint32_t tile = 0; tile < kTiles; ++tile) {
        for (int twice = 0; twice < 2; ++twice) {
            for (uint32_t i = 0; i < 32; ++i) y.push_back(x[64 * tile + 2 * i]);
        }
    }
    return Tiles("raw_squeezed", kTwo, In(x), Out(y), squeezed);
}

RawProgram ToInt4() {
    const auto x = Halves(128 * kTiles, -12, 12, 0.75, 11);
    std::vector<uint8_t> y;
    for (size_t i = 0; i < x.size(); i += 2) {
        const auto nibble = [&](size_t k) {
            return static_cast<int>(std::clamp(std::nearbyint(HalfValue(x[k])), -8.0, 7.0)) & 15;
        };
        y.push_back(static_cast<uint8_t>(nibble(i) | nibble(i + 1) << 4));
    }
    return Tiles("raw_to_int4", kA2, In(x), Out(y), to_int4);
}

RawProgram Shifted() {
    const auto x = Integers<int32_t>(64 * kTiles, -90000, 90000, 12);
    std::vector<int32_t> y;
    for (const int32_t v : x) y.push_back(((v >> 1) + (v & 1)) * 4);
    return Tiles("raw_shifted", kA2, In(x), Out(y), shifted);
}

}  // namespace

std::vector<RawProgram> RawVectorPrograms() {
    const std::vector<float> x = Floats(128 * kTiles, -900, 900, 0.25, 1), one = Floats(64 * kTiles, -9, 9, 1, 2);
    return {
        Tiles("raw_words_of_strides", kAllChips, In(x), Out(Applied(x, [](float v) { return 2 * v + 1; })),
              words_of_strides, words_of_strides_named),
        SoftmaxRow(),
        Quantise(),
        SortMerge(false),
        SortMerge(true),
        Transposed("raw_transpose", transpose, transpose_named),
        Transposed("raw_transpose_blocks", transpose_blocks, nullptr),
        Gathered(),
        Accumulated(),
        Reductions(),
        Squeezed(),
        Tiles("raw_compared", kTwo, In(one), Out(Applied(one, [](float v) { return std::max(v, 3.0f); })), compared,
              compared_named),
        ToInt4(),
        Shifted(),
        Tiles("raw_multiplied", kTwo, In(one), Out(Applied(one, [](float v) { return 1 + 2 * v + v * v; })),
              multiplied),

    };
}

}  // namespace sfumato::frontends_test
