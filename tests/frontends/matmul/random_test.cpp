// SPDX-License-Identifier: Apache-2.0
// Random products of Matmul, every byte against the stated order, in tilings and schedules that must not matter.
// SFUMATO_MATMUL_CASES: how many; SFUMATO_MATMUL_SCHEDULES: all, not one a case (target matmul-random).
#include <gtest/gtest.h>

#include <cstdlib>

#include "random_case.h"

namespace sfumato::matmul_test {
namespace {

using ascendc::mm::Kind;

// A Matmul whose types are known here, and everything else when it runs.
template <class In, class Out, class Bias>
class AnyMatmul : public MatmulImpl<MatmulType<TPosition::GM, CubeFormat::ND, In>, MatmulType<TPosition::GM, CubeFormat::ND, In>,
                                    MatmulType<TPosition::GM, CubeFormat::ND, Out>,
                                    MatmulType<TPosition::GM, CubeFormat::ND, Bias>> {
public:
    explicit AnyMatmul(const Kind* kind) : AnyMatmul::MatmulImpl(kind) {}
};

struct Memory {
    uint8_t *a, *b, *c, *bias, *words;
};

template <class T>
GlobalTensor<T> From(uint8_t* at, uint64_t count, uint64_t first) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<T*>(at), count);
    return tensor[first];
}

template <class In, class Out, class Bias>
void Kernel(const RandomCase& r, const TCubeTiling& tiling, const Memory& gm, const Kind& kind) {
    TPipe pipe;
    TCubeTiling own = tiling;
    AnyMatmul<In, Out, Bias> mm(&kind);
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &own);
    TBuf<TPosition::VECCALC> scratch;
    if (r.coupled) {
        // The block, and the words of SetQuantVector.
        const int64_t block = std::max<int64_t>(tiling.baseM * tiling.baseN * 4, tiling::kTurnBytes);
        pipe.InitBuffer(scratch, static_cast<uint32_t>(block + tiling.baseN * 8));
        mm.SetLocalWorkspace(scratch.Get<uint8_t>());
    }
    const auto core = static_cast<int32_t>(GetBlockIdx());
    if (core >= r.cores()) return;
    const int32_t part = core / (r.pieces_m * r.pieces_n), piece = core % (r.pieces_m * r.pieces_n);
    const int32_t m = piece / r.pieces_n * r.single_m, n = piece % r.pieces_n * r.single_n, k = part * r.single_k;
    mm.SetOrgShape(r.org_m, r.org_n, r.org_ka, r.org_kb, r.org_kc);
    mm.SetTail(std::min(r.single_m, r.m - m), std::min(r.single_n, r.n - n), std::min(r.single_k, r.k - k));
    mm.SetTensorA(From<In>(gm.a, r.a.count, r.a.At(m, k)), r.a.transposed);
    mm.SetTensorB(From<In>(gm.b, r.b.count, r.b.At(k, n)), r.b.transposed);
    if (r.has_bias) mm.SetBias(From<Bias>(gm.bias, r.bias.count, static_cast<uint64_t>(n)));
    if (r.quant == RandomCase::Quant::kScalar) mm.SetQuantScalar(r.words[0]);
    if (r.quant == RandomCase::Quant::kVector)
        mm.SetQuantVector(From<uint64_t>(gm.words, r.words.size(), static_cast<uint64_t>(n)));
    const GlobalTensor<Out> c = From<Out>(gm.c, r.c.count, r.c.At(m, n));
    if (r.layout != LayoutMode::NONE) {
        mm.IterateBatch(c, static_cast<uint32_t>(r.batch_a), static_cast<uint32_t>(r.batch_b), false);
    } else if (r.how == RandomCase::How::kLoop) {
        while (mm.Iterate()) mm.GetTensorC(c, r.atomic);
    } else if (r.how == RandomCase::How::kAll) {
        mm.IterateAll(c, r.atomic);
    } else {
        mm.template IterateAll<false>(c, r.atomic, false, true);
        mm.WaitIterateAll();
    }
    mm.End();
}

using Runs = void (*)(const RandomCase&, const TCubeTiling&, const Memory&, const Kind&);
template <class In, class Out>
Runs OfBias(DataType bias) {
    if constexpr (std::is_same_v<In, int8_t> || std::is_same_v<In, int4b_t>) return Kernel<In, Out, int32_t>;
    else return bias == DataType::kHalf ? Kernel<In, Out, half> : Kernel<In, Out, float>;
}
template <class In>
Runs OfOut(const RandomCase& r) {
    constexpr bool kInt8 = std::is_same_v<In, int8_t>, kInt4 = std::is_same_v<In, int4b_t>;
    if (r.out == DataType::kHalf) return OfBias<In, half>(r.bias_type);
    if constexpr (kInt8 || kInt4) {
        if constexpr (kInt8) {
            if (r.out == DataType::kInt8) return OfBias<In, int8_t>(r.bias_type);
        }
        return OfBias<In, int32_t>(r.bias_type);
    } else {
        if constexpr (!std::is_same_v<In, float>) {
            if (r.out == DataType::kInt8) return Kernel<In, int8_t, float>;
        }
        return r.out == DataType::kFloat ? OfBias<In, float>(r.bias_type) : OfBias<In, bfloat16_t>(r.bias_type);
    }
}
Runs KernelOf(const RandomCase& r) {
    switch (r.in) {
        case DataType::kHalf: return OfOut<half>(r);
        case DataType::kBfloat16: return OfOut<bfloat16_t>(r);
        case DataType::kFloat: return OfOut<float>(r);
        case DataType::kInt8: return OfOut<int8_t>(r);
        default: return OfOut<int4b_t>(r);
    }
}

constexpr const char* kSchedules[] = {"eager", "late", "ahead", "seed:1", "seed:2", "seed:3", "seed:4", "seed:5"};

void Check(const RandomCase& r, uint64_t variant, const char* schedule, const std::vector<uint8_t>& want) {
    MatmulConfig config = r.mdl ? CFG_MDL : CFG_NORM;
    config.enableRelu = r.relu;
    config.isBiasBatch = !r.one_bias;
    if (r.mdl) config.doMTE2Preload = static_cast<uint32_t>(want.size() % 3);
    const auto side = [&](CubeFormat format, DataType type, bool transposed) {
        return ascendc::mm::Side{TPosition::GM, format, type, transposed, r.layout, false};
    };
    const Kind kind{side(r.format_a, r.in, r.a.transposed),
                    side(r.format_b, r.in, r.b.transposed),
                    side(r.format_c, r.out, false),
                    side(CubeFormat::ND, r.bias_type, false),
                    &config,
                    nullptr,
                    nullptr,
                    nullptr,
                    nullptr,
                    Impl::Detail::Skipped::kNone,
                    r.direct};
    const TCubeTiling tiling = r.Tiling(variant);
    GlobalMemory memory;
    const auto put = [&memory](const auto& values, const char* name) {
        const size_t bytes = values.size() * sizeof(values[0]);
        uint8_t* at = memory.Allocate(bytes, name);
        std::memcpy(at, values.data(), bytes);
        return at;
    };
    const Memory gm{put(r.a.bytes, "a"), put(r.b.bytes, "b"), put(r.c.bytes, "c"), put(r.bias.bytes, "bias"),
                    put(r.words, "words")};
    LaunchOptions options;
    options.chip = r.chip();
    options.core = r.core;
    options.schedule = schedule;
    options.auto_sync = false;
    options.check = "races,init,sync";
    options.kernel = "kernel";
    options.system_workspace = kSystemWorkspaceBytes;
    options.workers = 2;
    const auto cores = static_cast<uint32_t>(r.cores());
    const uint32_t blocks = r.core == CoreChoice::kMix ? (cores + 1) / 2 : cores;
    const Runs kernel = KernelOf(r);
    const LaunchResult result = Launch(options, blocks, memory, [&] { kernel(r, tiling, gm, kind); });
    std::string told;
    for (const Report& report : result.findings) told += report.Text() + "\n";
    const auto where = [&] {
        return r.Text() + "; base " + std::to_string(tiling.baseM) + " x " + std::to_string(tiling.baseN) + " x " +
               std::to_string(tiling.baseK) + ", " + schedule;
    };
    ASSERT_EQ(told, "") << where();
    if (std::memcmp(gm.c, want.data(), want.size()) == 0) return;
    const auto wrong = std::mismatch(want.begin(), want.end(), gm.c).first - want.begin();
    const size_t element = static_cast<size_t>(wrong) * 8 / BitsOf(r.out), bytes = BytesOf(r.out, 1);
    const auto bits = [&](const uint8_t* from) {
        uint32_t value = 0;
        std::memcpy(&value, from + element * bytes, bytes);
        return value;
    };
    FAIL() << where() << ": element " << element << std::hex << " is 0x" << bits(gm.c) << ", not 0x" << bits(want.data());
}

uint64_t Count() {
    const char* asked = std::getenv("SFUMATO_MATMUL_CASES");
    return asked ? std::strtoull(asked, nullptr, 10) : 60;
}

class RandomMatmul : public ::testing::TestWithParam<uint64_t> {};

TEST_P(RandomMatmul, HasTheStatedBytes) {
    const RandomCase r(GetParam());
    const std::vector<uint8_t> want = r.Want();
    constexpr size_t kCount = std::size(kSchedules);
    if (std::getenv("SFUMATO_MATMUL_SCHEDULES")) {
        for (size_t i = 0; i < kCount && !HasFatalFailure(); ++i) Check(r, i % 4, kSchedules[i], want);
    } else {
        Check(r, 0, kSchedules[GetParam() % kCount], want);
        if (!HasFatalFailure()) Check(r, 1, kSchedules[(GetParam() + 1) % kCount], want);
    }
}
INSTANTIATE_TEST_SUITE_P(Drawn, RandomMatmul, ::testing::Range<uint64_t>(0, Count()));

}  // namespace
}  // namespace sfumato::matmul_test
