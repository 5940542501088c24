// SPDX-License-Identifier: Apache-2.0
// NDDMA and columns to fractals against their formulas, place by place (arch950.md 1.3).
#include "exec/load_fixture.h"

namespace sfumato::testing {
namespace {

using isa::Memory;
using isa::Opcode;

class Boxes : public Loads {
protected:
    // Places of the padded box as digits of one number.
    void Expect(DataType type, const isa::NdDma& s) {
        uint64_t places = 1;
        for (uint32_t i = 0; i < s.count; ++i) places *= s.loops[i].before + s.loops[i].size + s.loops[i].behind;
        for (uint64_t place = 0; place < places; ++place) {
            uint64_t rest = place, to = 0, from = 0;
            bool pad = false;
            for (uint32_t i = 0; i < s.count; ++i) {
                const auto& [src_stride, dst_stride, size, before, behind] = s.loops[i];
                const int64_t at = static_cast<int64_t>(rest % (before + size + behind)) - before;
                rest /= before + size + behind;
                to += static_cast<uint64_t>(at + before) * dst_stride;
                pad |= at < 0 || at >= int64_t{size};
                from += static_cast<uint64_t>(std::clamp<int64_t>(at, 0, int64_t{size} - 1)) * src_stride;
            }
            PutElement(expected_, type, to, pad && !s.nearest ? s.pad_value : ElementAt(src_, type, from));
        }
    }

    void CheckBox(DataType type, const isa::NdDma& s) {
        isa::Record r = Record(Opcode::nddma, type, Memory::kGm, Memory::kUb);
        r.Set(s);
        Expect(type, s);
        Check(r);
    }
};

constexpr DataType kWidths[] = {DataType::kInt8, DataType::kHalf, DataType::kFloat, DataType::kInt64};

TEST_F(Boxes, StridesExchangeDimensions) {
    for (DataType type : kWidths) {
        isa::NdDma s{.count = 2};
        s.loops[0] = {.src_stride = 1, .dst_stride = 9, .size = 7};
        s.loops[1] = {.src_stride = 7, .dst_stride = 1, .size = 9};
        CheckBox(type, s);
        s.loops[0].dst_stride = 1;
        s.loops[1].dst_stride = 12;
        CheckBox(type, s);
    }
}

TEST_F(Boxes, ASourceStrideOfZeroRepeats) {
    for (DataType type : kWidths) {
        isa::NdDma s{.count = 3};
        s.loops[0] = {.src_stride = 0, .dst_stride = 1, .size = 5};
        s.loops[1] = {.src_stride = 3, .dst_stride = 5, .size = 4};
        s.loops[2] = {.src_stride = 0, .dst_stride = 20, .size = 2};
        CheckBox(type, s);
    }
}

TEST_F(Boxes, PadsOfEveryDimension) {
    for (DataType type : {DataType::kInt8, DataType::kHalf, DataType::kFloat}) {
        for (bool nearest : {false, true}) {
            isa::NdDma s{.count = 3, .nearest = nearest, .pad_value = 0x5A};
            s.loops[0] = {.src_stride = 1, .dst_stride = 1, .size = 3, .before = 2, .behind = 1};
            s.loops[1] = {.src_stride = 3, .dst_stride = 8, .size = 4, .before = 0, .behind = 3};
            s.loops[2] = {.src_stride = 12, .dst_stride = 64, .size = 2, .before = 1, .behind = 0};
            CheckBox(type, s);
        }
    }
}

TEST_F(Boxes, RandomOnes) {
    std::mt19937 random(11);
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    for (int i = 0; i < 400; ++i) {
        const DataType type = kWidths[below(4)];
        isa::NdDma s{.count = 1 + below(5), .nearest = below(2) != 0, .pad_value = below(100)};
        uint32_t reach = 1, order[isa::NdDma::kMostLoops] = {0, 1, 2, 3, 4};
        std::shuffle(order, order + s.count, random);
        for (uint32_t n = 0; n < s.count; ++n) {
            isa::NdDma::Loop& loop = s.loops[order[n]];
            const auto pad = [&] { return static_cast<uint16_t>(below(2) ? 0 : below(3)); };
            loop = {below(30), reach + below(2), 1 + below(4), pad(), pad()};
            reach = loop.dst_stride * static_cast<uint32_t>(loop.places());
        }
        if (uint64_t{reach} * BytesOf(type, 1) < kBytes) CheckBox(type, s);
    }
}

TEST_F(Loads, ColumnsToFractals) {
    std::mt19937 random(5);
    for (DataType type : {DataType::kInt8, DataType::kHalf, DataType::kFloat}) {
        const uint64_t bytes = BytesOf(type, 1), c0 = 32 / bytes;
        for (uint32_t n : {1u, 15u, 16u, 37u}) {
            for (uint32_t d : {1u, 8u, 15u, 32u, 33u, 61u}) {
                isa::Dn2Nz p{.dn_count = 2, .n = n, .d = d};
                p.src_dn_stride = random() % 500;
                p.src_d = n + random() % 5;
                p.dst_n_stride = 1 + static_cast<uint32_t>(random() % 2);
                p.dst_c0_stride = n * p.dst_n_stride + static_cast<uint32_t>(random() % 3);
                p.dst_dn_stride = static_cast<uint32_t>(256 + random() % 4096) / 32 * 32;
                isa::Record r = Record(Opcode::dn2nz, type, Memory::kGm, Memory::kL1, 5);
                r.Set(p);
                for (uint64_t q = 0; q < 2; ++q) {
                    for (uint64_t row = 0; row < n; ++row) {
                        for (uint64_t i = 0; i < (d + c0 - 1) / c0 * c0; ++i) {
                            const uint64_t to = q * p.dst_dn_stride + i / c0 * p.dst_c0_stride * c0 +
                                                row * p.dst_n_stride * c0 + i % c0;
                            const uint64_t from = 5 + (q * p.src_dn_stride + i * p.src_d + row) * bytes;
                            PutElement(expected_, type, to, 0);
                            for (uint64_t b = 0; i < d && b < bytes; ++b) expected_[to * bytes + b] = src_[from + b];
                        }
                    }
                }
                Check(r);
            }
        }
    }
}

}  // namespace
}  // namespace sfumato::testing
