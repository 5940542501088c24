// SPDX-License-Identifier: Apache-2.0
// A whole Cast kernel, GM to UB to GM, on 8 cores, against memcpy on as many threads. Bytes read and written count
// alike.
#include <cstring>
#include <thread>
#include <vector>

#include "kernel_operator.h"
#include "pairs.h"

namespace sfumato::bench {
namespace {

constexpr uint32_t kBlocks = 8;
constexpr uint64_t kElements = uint64_t{64} << 20;
constexpr uint32_t kTile = 4096;

template <class Dst, class Src>
class CastKernel {
public:
    CastKernel(GM_ADDR src, GM_ADDR dst) {
        constexpr uint64_t kPerBlock = kElements / kBlocks;
        src_.SetGlobalBuffer(reinterpret_cast<Src*>(src) + AscendC::GetBlockIdx() * kPerBlock, kPerBlock);
        dst_.SetGlobalBuffer(reinterpret_cast<Dst*>(dst) + AscendC::GetBlockIdx() * kPerBlock, kPerBlock);
        pipe_.InitBuffer(in_, 2, kTile * sizeof(Src));
        pipe_.InitBuffer(out_, 2, kTile * sizeof(Dst));
    }
    void Process() {
        for (uint64_t at = 0; at < kElements / kBlocks; at += kTile) {
            CopyIn(at);
            Compute();
            CopyOut(at);
        }
    }

private:
    void CopyIn(uint64_t at) {
        auto src = in_.template AllocTensor<Src>();
        AscendC::DataCopy(src, src_[at], kTile);
        in_.EnQue(src);
    }
    void Compute() {
        auto src = in_.template DeQue<Src>();
        auto dst = out_.template AllocTensor<Dst>();
        AscendC::Cast(dst, src, AscendC::RoundMode::CAST_RINT, kTile);
        out_.EnQue(dst);
        in_.FreeTensor(src);
    }
    void CopyOut(uint64_t at) {
        auto dst = out_.template DeQue<Dst>();
        AscendC::DataCopy(dst_[at], dst, kTile);
        out_.FreeTensor(dst);
    }

    AscendC::TPipe pipe_;
    AscendC::TQue<AscendC::TPosition::VECIN, 2> in_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 2> out_;
    AscendC::GlobalTensor<Src> src_;
    AscendC::GlobalTensor<Dst> dst_;
};

template <class Dst, class Src>
void WholeKernel(benchmark::State& state, double bound) {
    GlobalMemory memory;
    constexpr uint64_t kSrcBytes = kElements * sizeof(Src), kDstBytes = kElements * sizeof(Dst);
    uint8_t* src = memory.Allocate(kSrcBytes, "src");
    uint8_t* dst = memory.Allocate(kDstBytes, "dst");
    std::memset(src, 0x3C, kSrcBytes);  // ordinary numbers
    const auto ours = [&] { LaunchOrFail(state, kBlocks, memory, [&] { CastKernel<Dst, Src>(src, dst).Process(); }); };
    constexpr uint64_t kCopied = kSrcBytes < kDstBytes ? kSrcBytes : kDstBytes;
    const auto native = [&] {
        std::vector<std::thread> threads;
        for (uint32_t t = 0; t < kBlocks; ++t) {
            threads.emplace_back(
                [=] { std::memcpy(dst + t * (kCopied / kBlocks), src + t * (kCopied / kBlocks), kCopied / kBlocks); });
        }
        for (auto& thread : threads) thread.join();
    };
    MeasurePairs(state, {Measure::kSpeed, bound}, Clock::kProcess, {ours, kSrcBytes + kDstBytes},
                 {native, 2.0 * kCopied}, 1);
}

void FloatToHalf(benchmark::State& state) { WholeKernel<half, float>(state, 0.5); }
void HalfToInt32(benchmark::State& state) { WholeKernel<int32_t, half>(state, 0.4); }
BENCHMARK(FloatToHalf)->Name("kernel_float_to_half")->UseManualTime()->MinTime(2);
BENCHMARK(HalfToInt32)->Name("kernel_half_to_int32")->UseManualTime()->MinTime(2);

}  // namespace
}  // namespace sfumato::bench
