// SPDX-License-Identifier: Apache-2.0
// Raw kernels of the cube unit.
#include "frontends/kernels_raw.h"

namespace sfumato::frontends_test {
namespace {

using namespace AscendC;

constexpr uint32_t kSide = 32;
constexpr uint32_t kElements = kSide * kSide;
const std::vector<std::string> kA2 = {"Ascend910B"};

template <class T>
T* L1(uint32_t at) {
    return RawAt<T>(TPosition::A1, at);
}
template <class T>
T* L0A() {
    return RawAt<T>(TPosition::A2, 0);
}
template <class T>
T* L0B() {
    return RawAt<T>(TPosition::B2, 0);
}
template <class T>
T* L0C() {
    return RawAt<T>(TPosition::CO1, 0);
}

// What one stage of a product hands to the next.
void Join(pipe_t from, pipe_t to) {
    set_flag(from, to, EVENT_ID0);
    wait_flag(from, to, EVENT_ID0);
}

// Rows of half to rows of float: fractals by nd2nz, A by 2D loads of each column of fractals, B transposed.
__global__ __aicore__ void product(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    for (int64_t tile = get_block_idx(); tile < kTiles; tile += get_block_num()) {
        auto* a = (__gm__ half*)x + tile * kElements;
        auto* b = (__gm__ half*)y + tile * kElements;
        auto* c = (__gm__ float*)z + tile * kElements;
        copy_gm_to_cbuf_multi_nd2nz_b16(L1<half>(0), a, 0, 1, kSide, kSide, 0, kSide, kSide, 1, 0);
        copy_gm_to_cbuf_multi_nd2nz_b16(L1<half>(4096), b, 0, 1, kSide, kSide, 0, kSide, kSide, 1, 0);
        Join(PIPE_MTE2, PIPE_MTE1);
        // L1 holds columns of fractals: L0A wants rows of them (Zz), L0B rows of transposed ones (Zn).
        for (uint16_t row = 0; row < 2; ++row) {
            load_cbuf_to_ca(L0A<half>() + row * 512, L1<half>(0), row, 2, 2, 0, 0, false, inc);
            load_cbuf_to_cb(L0B<half>() + row * 512, L1<half>(4096), row, 2, 2, 0, 0, true, inc);
        }
        Join(PIPE_MTE1, PIPE_M);
        mad(L0C<float>(), L0A<half>(), L0B<half>(), kSide, kSide, kSide, 0, false, false, true);
        Join(PIPE_M, PIPE_FIX);
        set_nd_para(1);
        copy_matrix_cc_to_gm(c, L0C<float>(), 0, kSide, kSide, kSide, kSide, 0, QuantMode_t::NoQuant, 0, false, true);
        Join(PIPE_FIX, PIPE_M);
        pipe_barrier(PIPE_ALL);
    }
}
__global__ __aicore__ void product_named(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    const auto a1 = Local<half>(TPosition::A1, 0, 1024), b1 = Local<half>(TPosition::A1, 4096, 1024),
               a2 = Local<half>(TPosition::A2, 0, 1024), b2 = Local<half>(TPosition::B2, 0, 1024);
    const auto c1 = Local<float>(TPosition::CO1, 0, 1024);
    for (int64_t tile = GetBlockIdx(); tile < kTiles; tile += GetBlockNum()) {
        GlobalTensor<half> a, b;
        GlobalTensor<float> c;
        a.SetGlobalBuffer((__gm__ half*)x + tile * kElements, kElements);
        b.SetGlobalBuffer((__gm__ half*)y + tile * kElements, kElements);
        c.SetGlobalBuffer((__gm__ float*)z + tile * kElements, kElements);
        DataCopy(a1, a, Nd2NzParams(1, kSide, kSide, 0, kSide, kSide, 1, 0));
        DataCopy(b1, b, Nd2NzParams(1, kSide, kSide, 0, kSide, kSide, 1, 0));
        SetFlag<HardEvent::MTE2_MTE1>(0), WaitFlag<HardEvent::MTE2_MTE1>(0);
        for (uint16_t row = 0; row < 2; ++row) {
            LoadData(a2[row * 512], a1, LoadData2DParams(row, 2, 2, 0, 0, false, 0));
            LoadData(b2[row * 512], b1, LoadData2DParams(row, 2, 2, 0, 0, true, 0));
        }
        SetFlag<HardEvent::MTE1_M>(0), WaitFlag<HardEvent::MTE1_M>(0);
        Mmad(c1, a2, b2, MmadParams(kSide, kSide, kSide, 0, false, true));
        SetFlag<HardEvent::M_FIX>(0), WaitFlag<HardEvent::M_FIX>(0);
        SetFixpipeNz2ndFlag(1, 0, 0);
        DataCopy(c, c1, DataCopyCO12DstParams(kSide, kSide, kSide, kSide, NoQuant, 0, false, true));
        SetFlag<HardEvent::FIX_M>(0), WaitFlag<HardEvent::FIX_M>(0);
        PipeBarrier<PIPE_ALL>();
    }
}

// Fractals as they lie, by the forms of earlier chips, out through UB.
__global__ __aicore__ void older_product(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    for (int64_t tile = get_block_idx(); tile < kTiles; tile += get_block_num()) {
        copy_gm_to_cbuf(L1<void>(0), (__gm__ void*)(x + 2 * tile * kElements), 0, 1, 64, 0, 0, PAD_NONE);
        copy_gm_to_cbuf(L1<void>(4096), (__gm__ void*)(y + 2 * tile * kElements), 0, 1, 64, 0, 0);
        Join(PIPE_MTE2, PIPE_MTE1);
        load_cbuf_to_ca(L0A<half>(), L1<half>(0), 0, 4, 1, 0, false);
        load_cbuf_to_cb(L0B<half>(), L1<half>(4096), 0, 4, 1, 0, false);
        Join(PIPE_MTE1, PIPE_M);
        mad(L0C<float>(), L0A<half>(), L0B<half>(), kSide, kSide, kSide, true);
        Join(PIPE_M, PIPE_V);
        auto* out = (__ubuf__ float*)get_imm(0);
        copy_matrix_cc_to_ubuf(out, L0C<float>(), 0, 1, 4, 0, 0, CRMODE_NONE);
        Join(PIPE_V, PIPE_MTE3);
        copy_ubuf_to_gm((__gm__ void*)(z + 4 * tile * kElements), (__ubuf__ void*)out, 0, 1, 128, 0, 0);
        pipe_barrier(PIPE_ALL);
    }
}

// int4 by the forms of void pointers; C in fractals.
__global__ __aicore__ void int4_product(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    for (int64_t tile = get_block_idx(); tile < kTiles; tile += get_block_num()) {
        copy_gm_to_cbuf(L1<void>(0), x + tile * 512, 0, 1, 16, 0, 0, PAD_NONE);
        copy_gm_to_cbuf(L1<void>(4096), y + tile * 512, 0, 1, 16, 0, 0, PAD_NONE);
        Join(PIPE_MTE2, PIPE_MTE1);
        load_cbuf_to_ca_s4(L0A<void>(), L1<void>(0), 0, 1, 1, 0, 0, false, inc);
        load_cbuf_to_cb_s4(L0B<void>(), L1<void>(4096), 0, 1, 1, 0, 0, false, inc);
        Join(PIPE_MTE1, PIPE_M);
        mad_s4(L0C<int32_t>(), L0A<void>(), L0B<void>(), 16, 64, 16, 0, 0, 0, false, false, false, true);
        Join(PIPE_M, PIPE_FIX);
        copy_matrix_cc_to_gm((__gm__ int32_t*)z + tile * 256, L0C<int32_t>(), 0, 16, 16, 16, 16, 0, NoQuant, 0, false,
                             false);
        pipe_barrier(PIPE_ALL);
    }
}

// A bias, and int32 to half by a scale: C starts from the row in the bias table.
__global__ __aicore__ void scaled_product(GM_ADDR x, GM_ADDR y, GM_ADDR bias, GM_ADDR z) {
    set_quant_pre(__builtin_bit_cast(uint32_t, 0.5f));
    for (int64_t tile = get_block_idx(); tile < kTiles; tile += get_block_num()) {
        copy_gm_to_cbuf(L1<int8_t>(0), x + tile * 512, 0, 1, 16, 0, 0, PAD_NONE);
        copy_gm_to_cbuf(L1<int8_t>(4096), y + tile * 512, 0, 1, 16, 0, 0, PAD_NONE);
        copy_gm_to_cbuf(L1<int32_t>(8192), (__gm__ int32_t*)bias, 0, 1, 2, 0, 0, PAD_NONE);
        Join(PIPE_MTE2, PIPE_MTE1);
        load_cbuf_to_ca(L0A<int8_t>(), L1<int8_t>(0), 0, 1, 1, 0, 0, false, inc);
        load_cbuf_to_cb(L0B<int8_t>(), L1<int8_t>(4096), 0, 1, 1, 0, 0, false, inc);
        copy_cbuf_to_bt(0, L1<int32_t>(8192), 0, 1, 1, 0, 0);
        Join(PIPE_MTE1, PIPE_M);
        mad(L0C<int32_t>(), L0A<int8_t>(), L0B<int8_t>(), 16, 32, 16, 0, false, true, false);
        Join(PIPE_M, PIPE_FIX);
        set_nd_para(uint64_t{1});
        copy_matrix_cc_to_gm((__gm__ void*)(z + tile * 512), L0C<int32_t>(), 0, 16, 16, 16, 16, 0, DEQF16, 1, false,
                             true);
        pipe_barrier(PIPE_ALL);
    }
}

// A scale for each column: words in the Fixpipe buffer, behind those of ReLU.
__global__ __aicore__ void scaled_columns(GM_ADDR x, GM_ADDR y, GM_ADDR words, GM_ADDR z) {
    auto* buffer = RawAt<void>(TPosition::C2PIPE2GM, 128);
    copy_gm_to_cbuf(L1<void>(8192), words, 0, 1, 4, 0, 0, PAD_NONE);
    pipe_barrier(PIPE_ALL);
    copy_cbuf_to_fbuf(buffer, L1<void>(8192), 1, 1, 0, 0);
    set_fpc((reinterpret_cast<uint64_t>(buffer) >> 7) << 8);
    pipe_barrier(PIPE_ALL);
    for (int64_t tile = get_block_idx(); tile < kTiles; tile += get_block_num()) {
        copy_gm_to_cbuf(L1<int8_t>(0), x + tile * 512, 0, 1, 16, 0, 0, PAD_NONE);
        copy_gm_to_cbuf(L1<int8_t>(4096), y + tile * 512, 0, 1, 16, 0, 0, PAD_NONE);
        Join(PIPE_MTE2, PIPE_MTE1);
        load_cbuf_to_ca(L0A<int8_t>(), L1<int8_t>(0), 0, 1, 1, 0, 0, false, inc);
        load_cbuf_to_cb(L0B<int8_t>(), L1<int8_t>(4096), 0, 1, 1, 0, 0, false, inc);
        Join(PIPE_MTE1, PIPE_M);
        mad(L0C<int32_t>(), L0A<int8_t>(), L0B<int8_t>(), 16, 32, 16, 0, false, false, true);
        Join(PIPE_M, PIPE_FIX);
        set_nd_para(1);
        copy_matrix_cc_to_gm((__gm__ half*)z + tile * 256, L0C<int32_t>(), 0, 16, 16, 16, 16, 0, VDEQF16, 0, false,
                             true);
        pipe_barrier(PIPE_ALL);
    }
}

// A 3 x 3 filter over 6 x 6 of 16 channels with pads of 1, by img2col; B holds ones where k is a multiple of 16.
__global__ __aicore__ void windows(GM_ADDR x, GM_ADDR z) {
    set_fmatrix(uint64_t{6} | uint64_t{6} << 16 | uint64_t{0x01010101} << 32);
    set_padding(half(2.0f));
    set_l3d_rpt(uint64_t{1} << 16);
    set_l1_3d_size(0);
    for (int64_t tile = get_block_idx(); tile < kTiles; tile += get_block_num()) {
        copy_gm_to_cbuf(L1<half>(0), x + tile * 1152, 0, 1, 36, 0, 0, PAD_NONE);
        copy_gm_to_cbuf(L1<half>(4096), x + kTiles * 1152, 0, 1, 144, 0, 0, PAD_NONE);
        Join(PIPE_MTE2, PIPE_MTE1);
        img2colv2_cbuf_to_ca(L0A<half>(), L1<half>(0), 144, 16, 0, 8, 1, 1, 3, 3, 1, 1, false, false, false, false, 16);
        load_cbuf_to_cb(L0B<half>(), L1<half>(4096), 0, 9, 1, 0, 0, false, inc);
        Join(PIPE_MTE1, PIPE_M);
        mad(L0C<float>(), L0A<half>(), L0B<half>(), 16, 144, 16, 0, false, false, true);
        Join(PIPE_M, PIPE_FIX);
        set_nd_para(1);
        copy_matrix_cc_to_gm((__gm__ float*)z + tile * 256, L0C<float>(), 0, 16, 16, 16, 16, 0, NoQuant, 0, false,
                             true);
        pipe_barrier(PIPE_ALL);
    }
}

RawProgram Product() {
    const Matrices a = RandomMatrices(kTiles, kSide, 1), b = RandomMatrices(kTiles, kSide, 2);
    RawProgram p;
    p.program = {
        "raw_product",
        kA2,
        {In(HalvesIn(Order::kRows, a)), In(HalvesIn(Order::kRows, b)), Out(FloatsIn(Order::kRows, Multiply(a, b)))},
        [](uint8_t* const* gm) { product(gm[0], gm[1], gm[2]); },
        false,
        CoreChoice::kCube};
    p.named = [](uint8_t* const* gm) { product_named(gm[0], gm[1], gm[2]); };
    return p;
}

RawProgram OlderProduct() {
    const Matrices a = RandomMatrices(kTiles, kSide, 3), b = RandomMatrices(kTiles, kSide, 4);
    RawProgram p;
    p.program = {"raw_older_product",
                 kWithoutFixpipe,
                 {In(HalvesIn(Order::kZz, a)), In(HalvesIn(Order::kZn, b)), Out(FloatsIn(Order::kNz, Multiply(a, b)))},
                 [](uint8_t* const* gm) { older_product(gm[0], gm[1], gm[2]); },
                 false};
    return p;
}

// m x k and n x k bytes, k in `bits`; sums of products of integers.
struct Small {
    std::vector<uint8_t> a, b;
    std::vector<int32_t> c;
};
Small SmallProduct(uint32_t k, bool nibbles, uint64_t seed) {
    Values values(seed);
    Small s;
    for (uint32_t tile = 0; tile < kTiles; ++tile) {
        std::vector<int> a(16 * k), b(16 * k);
        for (int& v : a) v = static_cast<int>(values.Integer(-7, 7));
        for (int& v : b) v = static_cast<int>(values.Integer(-7, 7));
        for (uint32_t i = 0; i < a.size(); i += nibbles ? 2 : 1) {
            const auto pack = [&](const std::vector<int>& v) {
                return static_cast<uint8_t>(nibbles ? (v[i] & 15) | (v[i + 1] & 15) << 4 : v[i]);
            };
            s.a.push_back(pack(a)), s.b.push_back(pack(b));
        }
        for (uint32_t m = 0; m < 16; ++m) {
            for (uint32_t n = 0; n < 16; ++n) {
                int sum = 0;
                for (uint32_t i = 0; i < k; ++i) sum += a[m * k + i] * b[n * k + i];
                s.c.push_back(sum);
            }
        }
    }
    return s;
}

RawProgram Int4Product() {
    const Small s = SmallProduct(64, true, 5);
    RawProgram p;
    p.program = {"raw_int4_product",
                 kA2,
                 {In(s.a), In(s.b), Out(s.c)},
                 [](uint8_t* const* gm) { int4_product(gm[0], gm[1], gm[2]); },
                 false,
                 CoreChoice::kCube};
    return p;
}

RawProgram ScaledProduct() {
    const Small s = SmallProduct(32, false, 6);
    const auto bias = Integers<int32_t>(16, -50, 50, 7);
    std::vector<uint16_t> c;
    for (size_t i = 0; i < s.c.size(); ++i) c.push_back(HalfBits(std::max(0.0, (s.c[i] + bias[i % 16]) * 0.5)));
    RawProgram p;
    p.program = {"raw_scaled_product",
                 kA2,
                 {In(s.a), In(s.b), In(bias), Out(c)},
                 [](uint8_t* const* gm) { scaled_product(gm[0], gm[1], gm[2], gm[3]); },
                 false,
                 CoreChoice::kCube};
    return p;
}

RawProgram ScaledColumns() {
    const Small s = SmallProduct(32, false, 9);
    std::vector<uint64_t> words;
    for (int i = 0; i < 16; ++i) words.push_back(__builtin_bit_cast(uint32_t, static_cast<float>(i % 4 + 1) / 4));
    std::vector<uint16_t> c;
    for (size_t i = 0; i < s.c.size(); ++i) c.push_back(HalfBits(s.c[i] * (static_cast<double>(i % 4) + 1) / 4));
    RawProgram p;
    p.program = {"raw_scaled_columns",
                 kA2,
                 {In(s.a), In(s.b), In(words), Out(c)},
                 [](uint8_t* const* gm) { scaled_columns(gm[0], gm[1], gm[2], gm[3]); },
                 false,
                 CoreChoice::kCube};
    return p;
}

RawProgram Windows() {
    std::vector<uint16_t> x;
    const auto values = Integers<int>(kTiles * 576, -4, 4, 8);
    for (const int v : values) x.push_back(HalfBits(v));
    // B in fractals, n by k: column n sums channel n of the window.
    for (uint32_t position = 0; position < 9; ++position) {
        for (uint32_t n = 0; n < 16; ++n) {
            for (uint32_t channel = 0; channel < 16; ++channel) x.push_back(HalfBits(channel == n ? position + 1 : 0));
        }
    }
    std::vector<float> z;
    for (uint32_t tile = 0; tile < kTiles; ++tile) {
        for (int m = 8; m < 24; ++m) {
            for (int n = 0; n < 16; ++n) {
                int sum = 0;
                for (int position = 0; position < 9; ++position) {
                    const int row = m / 6 + position / 3 - 1, column = m % 6 + position % 3 - 1;
                    const bool inside = row >= 0 && row < 6 && column >= 0 && column < 6;
                    const int v = inside ? values[tile * 576 + static_cast<uint32_t>((row * 6 + column) * 16 + n)] : 2;
                    sum += v * (position + 1);
                }
                z.push_back(static_cast<float>(sum));
            }
        }
    }
    RawProgram p;
    p.program = {"raw_windows",    kA2, {In(x), Out(z)}, [](uint8_t* const* gm) { windows(gm[0], gm[1]); }, false,
                 CoreChoice::kCube};
    return p;
}

}  // namespace

std::vector<RawProgram> RawCubePrograms() {
    return {Product(), OlderProduct(), Int4Product(), ScaledProduct(), ScaledColumns(), Windows()};
}

}  // namespace sfumato::frontends_test
