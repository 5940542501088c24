// SPDX-License-Identifier: Apache-2.0
// Matmul of half with int8_t on Ascend310P: B becomes (B + offset) x scale in half, each step rounded, under every
// schedule (adv.md 2.12).
#include "matmul_support.h"

namespace sfumato::matmul_test {
namespace {

struct Case {
    Shape shape;
    bool trans, nz, row;  // B stored as N x K; in NZ; an offset and a scale for each column
};

// Columns of 32 elements of the matrix as it is stored.
std::vector<int8_t> ToNz(const Matrix<int8_t>& m) {
    const int32_t rows = m.transposed ? m.columns : m.rows, columns = m.transposed ? m.rows : m.columns;
    std::vector<int8_t> nz(m.stored.size());
    for (int32_t r = 0; r < rows; ++r) {
        for (int32_t c = 0; c < columns; ++c)
            nz[static_cast<size_t>(c / 32 * rows * 32 + r * 32 + c % 32)] =
                m.stored[static_cast<size_t>(r * columns + c)];
    }
    return nz;
}

template <bool trans, CubeFormat format>
void Run(const Case& c, const std::string& schedule) {
    const Shape s = c.shape;
    const Matrix<half> a = RandomMatrix<half>(s.m, s.k, false, 1);
    const Matrix<int8_t> b = RandomMatrix<int8_t>(s.k, s.n, trans, 2);
    auto offset = Random<half>(static_cast<size_t>(s.n), 3), scale = Random<half>(static_cast<size_t>(s.n), 4);
    const auto bias = Random<float>(static_cast<size_t>(s.n), 5);
    if (!c.row) std::fill(offset.begin(), offset.end(), half(-3.5f)), std::fill(scale.begin(), scale.end(), half(0.3f));
    Matrix<half> wide{s.k, s.n, false, {}};
    for (int32_t k = 0; k < s.k; ++k) {
        for (int32_t n = 0; n < s.n; ++n) {
            const half moved(ToFloat(b.At(k, n)) + ToFloat(offset[static_cast<size_t>(n)]));
            wide.stored.push_back(half(ToFloat(moved) * ToFloat(scale[static_cast<size_t>(n)])));
        }
    }
    std::vector<float> want;
    for (int32_t m = 0; m < s.m; ++m) {
        for (int32_t n = 0; n < s.n; ++n) want.push_back(Sum<float>(a, wide, m, n, bias[static_cast<size_t>(n)]));
    }
    const std::vector<int8_t> stored = format == CubeFormat::NZ ? ToNz(b) : b.stored;
    GlobalMemory memory;
    uint8_t *gm_a = Put(memory, a.stored, "a"), *gm_b = Put(memory, stored, "b"), *gm_bias = Put(memory, bias, "bias");
    uint8_t *gm_offset = Put(memory, offset, "offset"), *gm_scale = Put(memory, scale, "scale");
    uint8_t* gm_c = memory.Allocate(want.size() * 4, "c");
    LaunchOptions options = Options(schedule, CoreChoice::kDefault);
    options.chip = "Ascend310P3";
    const LaunchResult told = Launch(options, 1, memory, [&] {
        TPipe pipe;
        TCubeTiling tiling = Tiling(s, 32, 32, 32);
        tiling.isBias = 1;
        Matmul<MatmulType<TPosition::GM, CubeFormat::ND, half>, MatmulType<TPosition::GM, format, int8_t, trans>,
               MatmulType<TPosition::GM, CubeFormat::ND, float>>
            mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        TBuf<TPosition::VECCALC> scratch, rows;
        pipe.InitBuffer(scratch, 32 * 32 * 4);
        pipe.InitBuffer(rows, 1024);
        mm.SetLocalWorkspace(scratch.Get<uint8_t>());
        mm.SetTensorA(Gm<half>(gm_a, a.stored.size()));
        mm.SetTensorB(Gm<int8_t>(gm_b, stored.size()), trans);
        mm.SetBias(Gm<float>(gm_bias, bias.size()));
        const auto all = rows.Get<half>();
        if (c.row) {
            DataCopy(all, Gm<half>(gm_offset, offset.size()), static_cast<uint32_t>(s.n));
            DataCopy(all[256], Gm<half>(gm_scale, scale.size()), static_cast<uint32_t>(s.n));
            mm.SetAntiQuantVector(all, all[256]);
        } else {
            mm.SetAntiQuantScalar(half(-3.5f), half(0.3f));
        }
        mm.IterateAll(Gm<float>(gm_c, want.size()));
        mm.End();
    });
    ASSERT_EQ(Told(told), "") << schedule;
    ASSERT_TRUE(SameBytes(Get<float>(gm_c, want.size()), want, s.n)) << schedule;
}

void Check(const Case& c) {
    for (const std::string& schedule : Schedules()) {
        SCOPED_TRACE(schedule);
        if (c.nz) {
            c.trans ? Run<true, CubeFormat::NZ>(c, schedule) : Run<false, CubeFormat::NZ>(c, schedule);
        } else {
            c.trans ? Run<true, CubeFormat::ND>(c, schedule) : Run<false, CubeFormat::ND>(c, schedule);
        }
    }
}

TEST(MatmulWidened, OneScale) {
    for (const bool trans : {false, true}) {
        for (const bool nz : {false, true}) Check({{48, 64, 96}, trans, nz, false});
        Check({{40, 48, 70}, trans, false, false});
    }
}
TEST(MatmulWidened, AScaleForEachColumn) {
    for (const bool trans : {false, true}) {
        for (const bool nz : {false, true}) Check({{48, 64, 96}, trans, nz, true});
        Check({{40, 48, 70}, trans, false, true});
    }
}

}  // namespace
}  // namespace sfumato::matmul_test
