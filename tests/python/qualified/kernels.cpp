// SPDX-License-Identifier: Apache-2.0
// Kernels with qualifiers in brackets, arrays in local memory and numbers as addresses; each block has 128 floats.
// clang-format off
#include "kernel_operator.h"
#include "words.h"

constexpr uint32_t kCount = 128;

template <class T>
inline [aicore] void Load(UB T* to, __gm__ T* from, event_t id = EVENT_ID0) {
    copy_gm_to_ubuf(to, from + uint32_t(AscendC::GetBlockIdx()) * kCount, 0, 1, kCount * sizeof(T) / 32, 0, 0);
    Wait(PIPE_MTE2, PIPE_V, id);
}
template <class T>
inline [aicore] void Store(__gm__ T* to, UB T* from) {
    Wait(PIPE_V, PIPE_MTE3);
    copy_ubuf_to_gm(to + uint32_t(AscendC::GetBlockIdx()) * kCount, from, 0, 1, kCount * sizeof(T) / 32, 0, 0);
}

// Two arrays, one of a macro.
KERNEL void add(__gm__ float* x, __gm__ float* y, __gm__ float* z) {
    __ubuf__ float a[kCount]; BUFFER(float, b, kCount);
    Load(a, x), Load(b, y, EVENT_ID1);
    vadd(a, a, b, 2, 1, 1, 1, 8, 8, 8);
    Store(z, a);
}

// A class whose members are qualified; the array lies in its method.
template <class T, int n>
class Scale {
public:
    [aicore] Scale(__gm__ T* x, __gm__ T* z) : x_(x), z_(z) {}
    [aicore] void Run(T factor) {
        static UB T a[n];
        Load(a, x_);
        vmuls(a, a, factor, n * sizeof(T) / 256, 1, 1, 8, 8);
        Store(z_, a);
    }

private:
    __gm__ T *x_, *z_;
};
KERNEL void scale(__gm__ float* x, __gm__ float* y, __gm__ float* z) {
    Scale<float, kCount> op(x, z);
    op.Run(words::Power<3>::Of(2.0f));
}

// Addresses by hand.
KERNEL void maximum(__gm__ float* x, __gm__ float* y, __gm__ float* z) {
    UB float* a = (__ubuf__ float*)(0x400);
    uint64_t second = 0x800;
    auto* b = reinterpret_cast<__ubuf__ float*>((uintptr_t)second);
    Load(a, x), Load(b, y, EVENT_ID1);
    vmax((__ubuf__ float*)0, (UB float*)(uint64_t)a, b, 2, 1, 1, 1, 8, 8, 8);
    Store(z, (__ubuf__ float*)0);
}

// A struct of arrays.
struct Pair {
    float first[kCount];
    float second[kCount];
};
KERNEL void subtract(__gm__ float* x, __gm__ float* y, __gm__ float* z) {
    __ubuf__ Pair s{};
    Load(s.first, x), Load(s.second, y, EVENT_ID1);
    vsub(s.first, s.first, s.second, 2, 1, 1, 1, 8, 8, 8);
    Store(z, s.first);
}

// Halves, one after the other in two buffers.
KERNEL void halves(__gm__ float* x, __gm__ float* y, __gm__ float* z) {
    __ubuf__ float a[2][kCount / 2];
    const uint32_t begin = uint32_t(AscendC::GetBlockIdx()) * kCount;
#pragma unroll
    for (uint32_t i = 0; i < 2; ++i) {
        const auto id = static_cast<event_t>(i);
        copy_gm_to_ubuf(a[i], x + begin + i * kCount / 2, 0, 1, 8, 0, 0);
        set_flag(PIPE_MTE2, PIPE_V, id);
        wait_flag(PIPE_MTE2, PIPE_V, id);
        vadds(a[i], a[i], float(i), 1, 1, 1, 8, 8);
        set_flag(PIPE_V, PIPE_MTE3, id);
        wait_flag(PIPE_V, PIPE_MTE3, id);
        copy_ubuf_to_gm(z + begin + i * kCount / 2, a[i], 0, 1, 8, 0, 0);
    }
}

// Names that are no qualifiers.
KERNEL void names(__gm__ float* x, __gm__ float* y, __gm__ float* z) {
    int32_t host = 3, aicore = 1, table[4] = {10, 20, 30, 40};
    auto sum = [host, aicore](int32_t n) { return host + aicore + n; };
    auto again = [aicore] { return aicore; };
    const bool both = table[aicore] and table[host];
    struct { int32_t a, b; } pair = {5, 6};
    int32_t total = sum(table[host]) + again() + Twice(table[aicore]) + (both ? 100 : 0);
    { auto [host, aicore] = pair; total += host * aicore; }
    BUFFER(float, a, kCount);
    vector_dup(a, float(total), 2, 1, 1, 8, 8);
    Store(z, a);
}

// Elements of an array, by the scalar unit.
KERNEL void scalars(__gm__ float* x, __gm__ float* y, __gm__ float* z) {
    __ubuf__ float a[kCount];
    Load(a, x);
    Wait(PIPE_MTE2, PIPE_S, EVENT_ID1);
    Wait(PIPE_V, PIPE_S);
    asm volatile("" ::: "memory");
    for (uint32_t i = 0; i < kCount; ++i) a[i] = a[i] * 2 + float(i);
    asm volatile("" ::: "memory");
    Wait(PIPE_S, PIPE_MTE3);
    copy_ubuf_to_gm(z + uint32_t(AscendC::GetBlockIdx()) * kCount, a, 0, 1, kCount / 8, 0, 0);
}

// One array for each instance of a template.
template <int n>
[aicore] UB float* Temporary() {
    __ubuf__ float t[n];
    return t;
}
KERNEL void instances(__gm__ float* x, __gm__ float* y, __gm__ float* z) {
    UB float *a = Temporary<kCount>(), *b = Temporary<kCount + 8>();
    Load(a, x), Load(Temporary<kCount + 8>(), y, EVENT_ID1);
    vmul(a, Temporary<kCount>(), b, 2, 1, 1, 1, 8, 8, 8);
    Store(z, a);
}

// Operators, conversions and a trailing return type of a header; where arrays lie.
KERNEL void places(__gm__ float* x, __gm__ float* y, __gm__ float* z) {
    constexpr words::Shape shape(2, 3);
    const words::Shape four = shape * 2;
    UB half first[3]; UB int8_t second[33], third[1];
    const auto begin = (uint64_t)(UB void*)first;
    const float values[] = {float(uint32_t(four)), float(four.Bytes<half>()), four == words::Shape(4, 3) ? 1.0f : 0.0f,
                            float((uint64_t)second - begin), float((uint64_t)third - begin)};
    BUFFER(float, a, kCount);
    for (uint32_t i = 0; i < kCount; ++i) a[i] = values[i % 5];
    Wait(PIPE_S, PIPE_V);
    Store(z, a);
}

// A tensor of the framework on an array.
KERNEL void tensors(__gm__ float* x, __gm__ float* y, __gm__ float* z) {
    AscendC::InitSocState();
    __ubuf__ float a[kCount]; __ubuf__ float b[kCount];
    Load(a, x);
    vadds(a, a, 1.0f, 2, 1, 1, 8, 8);
    AscendC::LocalTensor<float> from(AscendC::TPosition::VECCALC, 0, kCount);
    AscendC::LocalTensor<float> to(AscendC::TPosition::VECCALC, sizeof(a), kCount);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Muls(to, from, 3.0f, kCount);
    Store(z, b);
    AscendC::PipeBarrier<PIPE_ALL>();
}
