// SPDX-License-Identifier: Apache-2.0
// Moves between rows and fractals, and Fill (cube.md 6, framework.md 3.5 and 3.9).
#include "check/parameters.h"

namespace sfumato::check {
namespace {

using isa::BlockFill;
using isa::Dn2Nz;
using isa::Nd2Nz;
using isa::Nz2Nd;
using isa::Record;

constexpr Parameter<Nd2Nz> kNd2Nz[] = {
    {"ndNum", "nd_num", SFUMATO_VALUE(Nd2Nz, nd_count), 1, 4095, true},
    {"nValue", "nd_n", SFUMATO_VALUE(Nd2Nz, n), 1, 16384, true},
    {"dValue", "nd_d", SFUMATO_VALUE(Nd2Nz, d), 1, 65535, true},
    {"srcNdMatrixStride", "src_nd_stride", SFUMATO_VALUE(Nd2Nz, src_nd_stride), 0, 65535, false,
     SFUMATO_USED(Nd2Nz, s.nd_count > 1)},
    {"srcDValue", "src_n_stride", SFUMATO_VALUE(Nd2Nz, src_d), 1, 65535, false, SFUMATO_USED(Nd2Nz, s.n > 1)},
    {"dstNzC0Stride", "dst_c0_stride", SFUMATO_VALUE(Nd2Nz, dst_c0_stride), 1, 16384, false,
     SFUMATO_USED(Nd2Nz, s.d > isa::C0Of(r.dst().type))},
    {"dstNzNStride", "dst_n_stride", SFUMATO_VALUE(Nd2Nz, dst_n_stride), 1, 16384, false, SFUMATO_USED(Nd2Nz, s.n > 1)},
    {"dstNzMatrixStride", "dst_nd_stride", SFUMATO_VALUE(Nd2Nz, dst_nd_stride), 0, 65535, false,
     SFUMATO_USED(Nd2Nz, s.nd_count > 1)},
};

// No page gives ranges: counts and the side of L1 as of Nd2Nz, strides in global memory as of other moves of the chip
// (decided).
constexpr auto kMostGmStride = static_cast<int64_t>(isa::kMostGmStride);
constexpr Parameter<Dn2Nz> kDn2Nz[] = {
    {"dnNum", nullptr, SFUMATO_VALUE(Dn2Nz, dn_count), 1, 4095, true},
    {"nValue", nullptr, SFUMATO_VALUE(Dn2Nz, n), 1, 16384, true},
    {"dValue", nullptr, SFUMATO_VALUE(Dn2Nz, d), 1, 65535, true},
    {"srcDnMatrixStride", nullptr, SFUMATO_WIDE_VALUE(Dn2Nz, src_dn_stride), 0, kMostGmStride, false,
     SFUMATO_USED(Dn2Nz, s.dn_count > 1)},
    {"srcDValue", nullptr, SFUMATO_WIDE_VALUE(Dn2Nz, src_d), 1, kMostGmStride, false, SFUMATO_USED(Dn2Nz, s.d > 1)},
    {"dstNzC0Stride", nullptr, SFUMATO_VALUE(Dn2Nz, dst_c0_stride), 1, 16384, false,
     SFUMATO_USED(Dn2Nz, s.d > isa::C0Of(r.dst().type))},
    {"dstNzNStride", nullptr, SFUMATO_VALUE(Dn2Nz, dst_n_stride), 1, 16384, false, SFUMATO_USED(Dn2Nz, s.n > 1)},
    {"dstNzMatrixStride", nullptr, SFUMATO_VALUE(Dn2Nz, dst_dn_stride), 0, 65535, false,
     SFUMATO_USED(Dn2Nz, s.dn_count > 1)},
};

constexpr Parameter<Nz2Nd> kNz2Nd[] = {
    {"ndNum", nullptr, SFUMATO_VALUE(Nz2Nd, nd_count), 1, 4095, true},
    {"nValue", nullptr, SFUMATO_VALUE(Nz2Nd, n), 1, 8192, true},
    {"dValue", nullptr, SFUMATO_VALUE(Nz2Nd, d), 1, 8192, true},
    {"srcNStride", nullptr, SFUMATO_VALUE(Nz2Nd, src_n_stride), 0, 4096, false,
     SFUMATO_USED(Nz2Nd, s.d > isa::kL0CColumns)},
    {"dstDStride", nullptr, SFUMATO_VALUE(Nz2Nd, dst_d_stride), 1, 65535, false, SFUMATO_USED(Nz2Nd, s.n > 1)},
};

// Between matrices; one matrix needs none.
constexpr Parameter<Nz2Nd> kNz2NdMatrices[] = {
    {"srcNdMatrixStride", nullptr, SFUMATO_VALUE(Nz2Nd, src_nd_stride), 1, 512},
    {"dstNdMatrixStride", nullptr, SFUMATO_VALUE(Nz2Nd, dst_nd_stride), 1, 65535},
};

constexpr Parameter<BlockFill> kBlockFill[] = {
    {"repeatTimes", nullptr, SFUMATO_VALUE(BlockFill, repeats), 1, 32767, true},
    {"blockNum", nullptr, SFUMATO_VALUE(BlockFill, blocks), 1, 32767, true},
    {"dstGap", nullptr, SFUMATO_VALUE(BlockFill, dst_gap), 0, 32767, false, SFUMATO_USED(BlockFill, s.repeats > 1)},
};

}  // namespace

bool Check(const Record& r, const isa::Nd2Nz& s, const Context& c) {
    return CheckTypes(r, c) && CheckPath(r, c) && CheckParameters(r, c, s, kNd2Nz) && CheckRanges(r, c);
}

bool Check(const Record& r, const isa::Dn2Nz& s, const Context& c) {
    return CheckTypes(r, c) && CheckPath(r, c) && CheckParameters(r, c, s, kDn2Nz) && CheckRanges(r, c);
}

bool Check(const Record& r, const isa::Nz2Nd& s, const Context& c) {
    if (!CheckTypes(r, c) || !CheckPath(r, c) || !CheckParameters(r, c, s, kNz2Nd)) return false;
    if (s.nd_count > 1 && !CheckParameters(r, c, s, kNz2NdMatrices)) return false;
    if (s.d % isa::kL0CColumns != 0) return ParameterAlignment(r, c, "dValue", s.d, isa::kL0CColumns, "");
    return CheckAtomic(r, c) && CheckRanges(r, c);
}

bool Check(const Record& r, const isa::BlockFill& s, const Context& c) {
    return CheckTypes(r, c) && CheckPath(r, c) && CheckParameters(r, c, s, kBlockFill) && CheckRanges(r, c);
}

}  // namespace sfumato::check
