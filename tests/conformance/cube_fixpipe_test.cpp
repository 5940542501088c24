// SPDX-License-Identifier: Apache-2.0
// Fixpipe against the oracle: every conversion, layout and atomic mode, every SIMD target.
#include "conformance/cube_out.h"

namespace sfumato::conformance {
namespace {

using isa::Memory;
using isa::Quant;

constexpr uint64_t kCases = 400;

struct FixpipeTypes {
    DataType src, dst;
    Quant quant;
};
std::string Name(const FixpipeTypes& t) {
    return std::string(CName(t.src)) + "_" + CName(t.dst) + "_" + isa::Name(t.quant);
}

class Fixpipe : public Out, public testing::WithParamInterface<FixpipeTypes> {
protected:
    bool DrawLayout(isa::Fixpipe& p) {
        const FixpipeTypes& t = GetParam();
        const uint32_t size = BitsOf(t.dst) / 8;
        to_l1_ = t.quant != Quant::kNone && random_.Chance(30);
        p.row_major = !to_l1_ && random_.Chance(60);
        p.channel_split = !p.row_major && t.dst == DataType::kFloat && random_.Chance(50);
        p.m = random_.Pick<uint32_t>({1, 15, 16, 17, random_.Number(1, 100), random_.Number(1, 600)});
        p.n = random_.Pick<uint32_t>({1, 15, 16, 17, 32, 48, random_.Number(1, 100), random_.Number(1, 600)});
        if (!p.row_major) p.n = static_cast<uint32_t>(oracle::CeilTo(p.n, p.channel_split ? 8 : 16));
        p.src_stride =
            random_.Pick<uint32_t>({(p.m + 15) / 16 * 16, (p.m + 15) / 16 * 16, p.m, p.m + random_.Number(0, 40)});
        p.nd_count = p.row_major ? random_.Pick<uint32_t>({1, 1, 2, random_.Number(0, 5)}) : 1;
        p.src_nd_stride = p.row_major ? random_.Stratum(0, 40) : 0;
        uint64_t matrix = 0;  // bytes of dst
        if (p.row_major) {
            p.dst_stride = p.n + random_.Pick<uint32_t>({0, 0, 1, random_.Number(0, 50)});
            p.dst_nd_stride = p.m * p.dst_stride + random_.Pick<uint32_t>({0, 3});
            if (p.nd_count > 1 && p.dst_nd_stride > 65535) return false;
            if (p.nd_count < 2) p.dst_nd_stride = random_.Stratum(0, 65535);
            matrix =
                (uint64_t{p.nd_count} * (p.nd_count < 2 ? 0 : p.dst_nd_stride) + uint64_t{p.m} * p.dst_stride) * size;
        } else {
            const uint32_t column = size == 1 || p.channel_split ? 32 : 16 * size;  // bytes of a row of a column block
            p.dst_stride = p.m * column / 32 + random_.Pick<uint32_t>({0, 0, 1, 5});
            matrix = uint64_t{p.dst_stride} * 32 * oracle::CeilDiv(p.n, p.channel_split ? 8 : 16);
        }
        src_bytes_ = 4 * (uint64_t{p.nd_count} * p.src_nd_stride * 256 + oracle::CeilDiv(p.n, 16) * p.src_stride * 16 +
                          p.m * 16);
        dst_bytes_ = matrix;
        return src_bytes_ <= runner_.Size(Memory::kL0C) && dst_bytes_ <= runner_.Size(Memory::kGm) &&
               uint64_t{p.m} * p.n < 60000;
    }

    void One() {
        const FixpipeTypes& t = GetParam();
        isa::Fixpipe p;
        if (!DrawLayout(p)) return;
        const Memory dst = to_l1_ ? Memory::kL1 : Memory::kGm;
        isa::Record r =
            Record(isa::Opcode::fixpipe,
                   runner_.Operand(dst, t.dst, runner_.Place(dst, dst_bytes_, p.row_major ? BitsOf(t.dst) / 8 : 32)),
                   runner_.Operand(Memory::kL0C, t.src, runner_.Place(Memory::kL0C, src_bytes_, 64)));
        FillL0C(t.src, r.src0().offset, src_bytes_);
        p.quant = t.quant;
        p.relu = random_.Chance(35);
        p.unit_flag = random_.Pick<uint8_t>({0, 2, 3});
        const bool shifts = t.src == DataType::kInt32;
        p.word = DrawWord(t.dst, p.relu, shifts);
        uint64_t words_at = 0;
        const Memory words = to_l1_ ? Memory::kFb : Memory::kL1;
        if (isa::IsVectorQuant(p.quant)) {
            if (uint64_t{p.n} * 8 > runner_.Size(words)) return;
            words_at = runner_.Place(words, uint64_t{p.n} * 8, words == Memory::kFb ? 128 : 32);
            for (uint64_t n = 0; n < p.n; ++n) {
                oracle::Put(runner_.Before(words), words_at, n, 64, DrawWord(t.dst, p.relu, shifts));
            }
            r.operand_count = 3;
            r.operand[2] = runner_.Operand(words, DataType::kUint64, words_at);
        }
        oracle::OutCase c{t.src, t.dst, r.control.overflow, {}, {runner_.Before(words), words_at}};
        if (dst == Memory::kGm && t.dst != DataType::kUint8 && random_.Chance(30)) {
            c.atomic = DrawAtomic(r);
        }
        r.Set(p);
        runner_.Run(r, [&] { return oracle::ExpectFixpipe(p, c, runner_.From(r.src0()), runner_.To(r.dst())); });
    }

    bool to_l1_ = false;
    uint64_t src_bytes_ = 0, dst_bytes_ = 0;
};

TEST_P(Fixpipe, AgreesWithTheOracle) {
    ExpectNoDifference(RunCases(runner_, "Fixpipe " + Name(GetParam()), kCases, [&] { One(); }));
}

using enum DataType;
INSTANTIATE_TEST_SUITE_P(
    Cube, Fixpipe,
    testing::Values(FixpipeTypes{kFloat, kFloat, Quant::kNone}, FixpipeTypes{kInt32, kInt32, Quant::kNone},
                    FixpipeTypes{kFloat, kHalf, Quant::kF322F16}, FixpipeTypes{kFloat, kBfloat16, Quant::kF322BF16},
                    FixpipeTypes{kInt32, kHalf, Quant::kDeqF16}, FixpipeTypes{kInt32, kHalf, Quant::kVDeqF16},
                    FixpipeTypes{kFloat, kInt8, Quant::kQF322B8}, FixpipeTypes{kFloat, kUint8, Quant::kQF322B8},
                    FixpipeTypes{kFloat, kInt8, Quant::kVQF322B8}, FixpipeTypes{kFloat, kUint8, Quant::kVQF322B8},
                    FixpipeTypes{kInt32, kInt8, Quant::kReq8}, FixpipeTypes{kInt32, kUint8, Quant::kReq8},
                    FixpipeTypes{kInt32, kInt8, Quant::kVReq8}, FixpipeTypes{kInt32, kUint8, Quant::kVReq8}),
    [](const auto& parameter) { return Name(parameter.param); });

}  // namespace
}  // namespace sfumato::conformance
