// SPDX-License-Identifier: Apache-2.0
// Operators of Matmul objects: on Ascend310B all matrices lie in global memory; on Ascend310P a program lends UB, and
// the plan of its host is for several cores.
#include "operators.h"
#include "oracle/call_oracle.h"

namespace sfumato::boards {
namespace {

struct Size {
    int32_t m, n, k;
};
template <class T, CubeFormat format = CubeFormat::ND, bool trans = false, LayoutMode layout = LayoutMode::NONE>
using InGm = MatmulType<TPosition::GM, format, T, trans, layout>;

using matmul_tiling::DataType;
// What a host asks for: the types, and how the whole is split on this board.
TCubeTiling PlanOf(const Board& board, const Size& s, std::tuple<DataType, DataType, DataType> types, bool bias,
                   bool trans_b = false, bool many = false) {
    using matmul_tiling::TPosition, matmul_tiling::CubeFormat;
    fe::PlatFormInfos info{board.chip};
    const platform_ascendc::PlatformAscendC platform(&info);
    const auto given = [&](auto plan) {
        const auto [in_a, in_b, out] = types;
        plan.SetAType(TPosition::GM, CubeFormat::ND, in_a);
        plan.SetBType(TPosition::GM, CubeFormat::ND, in_b, trans_b);
        plan.SetCType(TPosition::GM, CubeFormat::ND, out);
        if (bias) plan.SetBiasType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
        plan.SetShape(s.m, s.n, s.k);
        plan.SetOrgShape(s.m, s.n, s.k);
        plan.EnableBias(bias);
        plan.SetBufferSpace(-1, -1, -1);
        optiling::TCubeTiling tiling;
        if constexpr (requires { plan.SetDim(1); }) plan.SetDim(static_cast<int32_t>(board.cores));
        EXPECT_NE(plan.GetTiling(tiling), -1);
        return TCubeTiling(tiling);
    };
    return many ? given(matmul_tiling::MultiCoreMatmulTiling(platform))
                : given(matmul_tiling::MatmulApiTiling(platform));
}
constexpr auto kFloat = DataType::DT_FLOAT, kHalf = DataType::DT_FLOAT16;
constexpr auto kInt8 = DataType::DT_INT8;

// --- kernels

// The scratch of Ascend310P, as its host planned it.
template <class M>
__aicore__ inline void Lend(TPipe& pipe, TBuf<>& scratch, M& mm, const TCubeTiling& t) {
    if (t.transLength == 0) return;
    pipe.InitBuffer(scratch, static_cast<uint32_t>(t.transLength));
    mm.SetLocalWorkspace(scratch.Get<uint8_t>());
}

// The parts of the plan go round the blocks.
__global__ __aicore__ void linear(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR workspace, TCubeTiling t) {
    TPipe pipe;
    TBuf<> scratch;
    Matmul<InGm<half>, InGm<half>, InGm<float>, InGm<float>> mm;
    REGIST_MATMUL_OBJ(&pipe, workspace, mm, &t);
    Lend(pipe, scratch, mm, t);
    const int32_t down = (t.M + t.singleCoreM - 1) / t.singleCoreM;
    const auto from_a = Gm<half>(a, t.M * t.Ka), from_b = Gm<half>(b, t.Kb * t.N);
    const auto row = Gm<float>(bias, t.N), to = Gm<float>(c, t.M * t.N);
    for (auto i = static_cast<int32_t>(GetBlockIdx()); i < t.usedCoreNum; i += static_cast<int32_t>(GetBlockNum())) {
        const int32_t m = i % down * t.singleCoreM, n = i / down * t.singleCoreN;
        mm.SetTensorA(from_a[m * t.Ka]);
        mm.SetTensorB(from_b[n]);
        mm.SetBias(row[n]);
        mm.SetTail(std::min(t.singleCoreM, t.M - m), std::min(t.singleCoreN, t.N - n));
        mm.IterateAll(to[m * t.N + n]);
    }
    mm.End();
}

// int8_t x int8_t, each sum times a scale, as halves; a block after another by Iterate.
__global__ __aicore__ void linear_int8(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace, TCubeTiling t,
                                       uint64_t scale) {
    TPipe pipe;
    TBuf<> scratch;
    Matmul<InGm<int8_t>, InGm<int8_t>, InGm<half>, InGm<int32_t>> mm;
    REGIST_MATMUL_OBJ(&pipe, workspace, mm, &t);
    Lend(pipe, scratch, mm, t);
    mm.SetTensorA(Gm<int8_t>(a, t.M * t.Ka));
    mm.SetTensorB(Gm<int8_t>(b, t.Kb * t.N));
    mm.SetQuantScalar(scale);
    const auto to = Gm<half>(c, t.M * t.N);
    while (mm.Iterate()) mm.GetTensorC(to);
    mm.End();
}

// half x int8_t, widened by an offset and a scale.
__global__ __aicore__ void linear_weights(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace, TCubeTiling t,
                                          half offset, half scale) {
    TPipe pipe;
    TBuf<> scratch;
    Matmul<InGm<half>, InGm<int8_t>, InGm<float>> mm;
    REGIST_MATMUL_OBJ(&pipe, workspace, mm, &t);
    Lend(pipe, scratch, mm, t);
    mm.SetTensorA(Gm<half>(a, t.M * t.Ka));
    mm.SetTensorB(Gm<int8_t>(b, t.Kb * t.N));
    mm.SetAntiQuantScalar(offset, scale);
    mm.IterateAll(Gm<float>(c, t.M * t.N));
    mm.End();
}

// Products one behind the other: one call on Ascend310P, a call each on Ascend310B.
__global__ __aicore__ void batch_matmul_call(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace, TCubeTiling t,
                                             int32_t batch) {
    constexpr auto kNormal = LayoutMode::NORMAL;
    TPipe pipe;
    TBuf<> scratch;
    Matmul<InGm<half, CubeFormat::ND, false, kNormal>, InGm<half, CubeFormat::ND, false, kNormal>,
           InGm<float, CubeFormat::ND, false, kNormal>>
        mm;
    REGIST_MATMUL_OBJ(&pipe, workspace, mm, &t);
    Lend(pipe, scratch, mm, t);
    mm.SetTensorA(Gm<half>(a, batch * t.M * t.Ka));
    mm.SetTensorB(Gm<half>(b, batch * t.Kb * t.N));
    mm.IterateBatch(Gm<float>(c, batch * t.M * t.N), batch, batch, false);
    mm.End();
}
__global__ __aicore__ void batch_matmul(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace, TCubeTiling t,
                                        uint32_t batch) {
    TPipe pipe;
    TBuf<> scratch;
    Matmul<InGm<half>, InGm<half>, InGm<float>> mm;
    REGIST_MATMUL_OBJ(&pipe, workspace, mm, &t);
    Lend(pipe, scratch, mm, t);
    const Part part = PartOf(batch);
    for (uint32_t i = part.first; i < part.first + part.count; ++i) {
        mm.SetTensorA(Gm<half>(a, batch * t.M * t.Ka)[i * t.M * t.Ka]);
        mm.SetTensorB(Gm<half>(b, batch * t.Kb * t.N)[i * t.Kb * t.N]);
        mm.IterateAll(Gm<float>(c, batch * t.M * t.N)[i * t.M * t.N]);
    }
    mm.End();
}

// One head of attention, keys in tiles: scores and products go through global memory, which both boards allow.
struct AttentionTiling {
    TCubeTiling scores, values;
    SoftMaxTiling softmax;
    uint32_t rows, keys, tile, width;
    float scale;
};
class Attention {
public:
    __aicore__ inline Attention(GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR y, GM_ADDR workspace, const AttentionTiling& t)
        : t_(t) {
        REGIST_MATMUL_OBJ(&pipe_, workspace, scores_, &t_.scores, values_, &t_.values);
        const auto bytes = static_cast<uint32_t>(std::max(t.scores.transLength, t.values.transLength));
        if (bytes != 0) {
            pipe_.InitBuffer(scratch_, bytes);
            scores_.SetLocalWorkspace(scratch_.Get<uint8_t>());
            values_.SetLocalWorkspace(scratch_.Get<uint8_t>());
        }
        const uint64_t part = GetBlockIdx() * uint64_t{t.rows};
        q_ = Gm<half>(q, GetBlockNum() * t.rows * t.width)[part * t.width];
        y_ = Gm<float>(y, GetBlockNum() * t.rows * t.width)[part * t.width];
        k_ = Gm<half>(k, t.keys * t.width), v_ = Gm<half>(v, t.keys * t.width);
        GM_ADDR own = workspace + GetBlockIdx() * (t.rows * (t.tile + t.width) * 4 + t.rows * t.tile * 2);
        s_gm_ = Gm<float>(own, t.rows * t.tile);
        o_gm_ = Gm<float>(own + t.rows * t.tile * 4, t.rows * t.width);
        p_gm_ = Gm<half>(own + t.rows * (t.tile + t.width) * 4, t.rows * t.tile);
        for (auto [buffer, size] : {std::pair{&s_, t.tile}, {&p_, t.tile}, {&o_, t.width}, {&sum_, t.width}})
            pipe_.InitBuffer(*buffer, t.rows * size * 4);
        pipe_.InitBuffer(sides_, 3 * t.rows * 32);
    }
    __aicore__ inline void Process() {
        const auto total = sum_.Get<float>();
        const auto count = static_cast<int32_t>(t_.rows * t_.width);
        Duplicate(total, 0.0f, count);
        for (uint32_t at = 0; at < t_.keys; at += t_.tile) {
            scores_.SetTensorA(q_);
            scores_.SetTensorB(k_[at * t_.width], true);
            scores_.IterateAll(s_gm_);
            scores_.End();
            PipeBarrier<PIPE_ALL>();
            Softmax(at == 0);
            values_.SetTensorA(p_gm_);
            values_.SetTensorB(v_[at * t_.width]);
            values_.IterateAll(o_gm_);
            values_.End();
            PipeBarrier<PIPE_ALL>();
            const auto product = o_.Get<float>();
            DataCopy(product, o_gm_, t_.rows * t_.width);
            Order<HardEvent::MTE2_V>();
            // expMax says how much the sum so far shrinks.
            if (at != 0)
                Rows([&](const auto& row, const auto& by) { Mul(row, row, by, 64, 1, kByBlock); }, total, Side(2));
            Add(total, total, product, count);
            PipeBarrier<PIPE_ALL>();
        }
        Rows([&](const auto& row, const auto& by) { Div(row, row, by, 64, 1, kByBlock); }, total, Side(0));
        Order<HardEvent::V_MTE3>();
        DataCopy(y_, total, t_.rows * t_.width);
    }

private:
    static constexpr BinaryRepeatParams kByBlock{1, 1, 0, 8, 8, 0};
    __aicore__ inline LocalTensor<float> Side(uint32_t i) {
        return sides_.GetWithOffset<float>(t_.rows * 8, i * t_.rows * 32);
    }
    template <class Call>
    __aicore__ inline void Rows(const Call& call, const LocalTensor<float>& m, const LocalTensor<float>& side) {
        for (uint32_t r = 0; r < t_.rows; ++r) call(m[r * t_.width], side[r * 8]);
    }
    __aicore__ inline void Softmax(bool first) {
        auto s = s_.Get<float>();
        const auto p = p_.Get<half>();
        auto sum = Side(0), max = Side(1), shrink = Side(2);
        const auto count = static_cast<int32_t>(t_.rows * t_.tile);
        DataCopy(s, s_gm_, t_.rows * t_.tile);
        Order<HardEvent::MTE2_V>();
        Muls(s, s, t_.scale, count);
        const SoftMaxShapeInfo shape{t_.rows, t_.tile, t_.rows, t_.tile};
        if (first)
            SoftmaxFlashV2<float>(s, sum, max, s, shrink, sum, max, t_.softmax, shape);
        else
            SoftmaxFlashV2<float, true>(s, sum, max, s, shrink, sum, max, t_.softmax, shape);
        Cast(p, s, RoundMode::CAST_NONE, count);
        Order<HardEvent::V_MTE3>();
        DataCopy(p_gm_, p, t_.rows * t_.tile);
        PipeBarrier<PIPE_ALL>();
    }

    AttentionTiling t_;
    TPipe pipe_;
    Matmul<InGm<half>, InGm<half, CubeFormat::ND, true>, InGm<float>> scores_;
    Matmul<InGm<half>, InGm<half>, InGm<float>> values_;
    TBuf<> scratch_, s_, p_, o_, sum_, sides_;
    GlobalTensor<half> q_, k_, v_, p_gm_;
    GlobalTensor<float> y_, s_gm_, o_gm_;
};
__global__ __aicore__ void attention(GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR y, GM_ADDR workspace, AttentionTiling t) {
    Attention op(q, k, v, y, workspace, t);
    op.Process();
}

// --- what they must give: chains over k, a product and a sum rounded at each step

// Element (r, c) of a row-major matrix; transposed: stored the other way.
F At(const std::vector<uint16_t>& m, int32_t columns, int32_t r, int32_t c) {
    return Value(m[static_cast<size_t>(r * columns + c)]);
}
std::vector<float> Product(const std::vector<uint16_t>& a, const std::vector<uint16_t>& b, const Size& s,
                           const std::vector<float>& bias = {}, bool trans_b = false) {
    std::vector<float> c;
    for (int32_t m = 0; m < s.m; ++m) {
        for (int32_t n = 0; n < s.n; ++n) {
            F sum = bias.empty() ? F(0) : F(Value(bias[static_cast<size_t>(n)]));
            for (int32_t k = 0; k < s.k; ++k)
                sum = sum + At(a, s.k, m, k) * (trans_b ? At(b, s.k, n, k) : At(b, s.n, k, n));
            c.push_back(sum.Stored());
        }
    }
    return c;
}
size_t Area(int32_t a, int32_t b) { return static_cast<size_t>(a) * static_cast<size_t>(b); }
Program LinearOn(const Board& board) {
    constexpr Size s{36, 320, 70};
    const auto a = Halves(Area(s.m, s.k), -900, 900, 0.003, 81), b = Halves(Area(s.k, s.n), -900, 900, 0.002, 82);
    const auto bias = Floats(static_cast<size_t>(s.n), -900, 900, 0.01, 83);
    const TCubeTiling t = PlanOf(board, s, {kHalf, kHalf, kFloat}, true, false, true);
    return Made("linear", board, {In(a), In(b), In(bias), Out(Product(a, b, s, bias))},
                [=](auto gm) { linear(gm[0], gm[1], gm[2], gm[3], nullptr, t); });
}
Program LinearInt8On(const Board& board) {
    constexpr Size s{48, 64, 96};
    const auto a = Integers<int8_t>(Area(s.m, s.k), -128, 127, 84), b = Integers<int8_t>(Area(s.k, s.n), -128, 127, 85);
    std::vector<uint16_t> c;
    for (int32_t m = 0; m < s.m; ++m) {
        for (int32_t n = 0; n < s.n; ++n) {
            int32_t sum = 0;
            for (int32_t k = 0; k < s.k; ++k)
                sum += a[Area(m, s.k) + static_cast<size_t>(k)] * b[Area(k, s.n) + static_cast<size_t>(n)];
            c.push_back(HalfBits(sum * 0.0625));
        }
    }
    const float scale = 0.0625f;
    uint32_t bits = 0;
    std::memcpy(&bits, &scale, 4);
    const TCubeTiling t = PlanOf(board, s, {kInt8, kInt8, kHalf}, false);
    return Made("linear_int8", board, {In(a), In(b), Out(c)},
                [=](auto gm) { linear_int8(gm[0], gm[1], gm[2], nullptr, t, bits); });
}
Program LinearWeightsOn(const Board& board) {
    constexpr Size s{40, 64, 80};
    const auto a = Halves(Area(s.m, s.k), -900, 900, 0.003, 86);
    const auto b = Integers<int8_t>(Area(s.k, s.n), -128, 127, 87);
    const auto wide = Made<uint16_t>(b.size(), [&](size_t i) { return ((H(b[i]) + -3.5) * 0.3).Stored(); });
    const TCubeTiling t = PlanOf(board, s, {kHalf, kInt8, kFloat}, false);
    return Made("linear_weights", board, {In(a), In(b), Out(Product(a, wide, s))},
                [=](auto gm) { linear_weights(gm[0], gm[1], gm[2], nullptr, t, half(-3.5f), half(0.3f)); });
}
constexpr Size kOfBatch{32, 48, 40};
constexpr int32_t kBatch = 5;
Program Batches(const Board& board, const char* name,
                const std::function<void(uint8_t* const*, const TCubeTiling&)>& run) {
    constexpr Size s = kOfBatch;
    const auto a = Halves(kBatch * Area(s.m, s.k), -900, 900, 0.003, 88),
               b = Halves(kBatch * Area(s.k, s.n), -900, 900, 0.002, 89);
    std::vector<float> c;
    for (int32_t i = 0; i < kBatch; ++i) {
        const auto one = [i](const auto& all, size_t size) {
            const auto first = all.begin() + static_cast<long>(size) * i;
            return std::vector<uint16_t>(first, first + static_cast<long>(size));
        };
        const auto of_one = Product(one(a, Area(s.m, s.k)), one(b, Area(s.k, s.n)), s);
        c.insert(c.end(), of_one.begin(), of_one.end());
    }
    TCubeTiling t = PlanOf(board, s, {kHalf, kHalf, kFloat}, false);
    t.BatchNum = kBatch;
    return Made(name, board, {In(a), In(b), Out(c)}, [=](auto gm) { run(gm, t); });
}
Program BatchMatmulOn(const Board& board) {
    return Batches(board, "batch_matmul",
                   [](auto gm, const auto& t) { batch_matmul(gm[0], gm[1], gm[2], nullptr, t, kBatch); });
}
Program BatchMatmulCallOn(const Board& board) {
    return Batches(board, "batch_matmul_call",
                   [](auto gm, const auto& t) { batch_matmul_call(gm[0], gm[1], gm[2], nullptr, t, kBatch); });
}

Program AttentionOn(const Board& board) {
    AttentionTiling t{};
    t.rows = 32, t.keys = 96, t.tile = 48, t.width = 64, t.scale = 0.125f;
    const Size scores{32, 48, 64}, values{32, 64, 48};
    t.scores = PlanOf(board, scores, {kHalf, kHalf, kFloat}, false, true);
    t.values = PlanOf(board, values, {kHalf, kHalf, kFloat}, false);
    const ge::Shape shape({t.rows, t.tile});
    SoftMaxFlashV2TilingFunc(shape, 4, 4, GetSoftMaxFlashV2MinTmpSize(shape, 4, 4, true), t.softmax, true);
    const auto q = Halves(32 * 64, -900, 900, 0.002, 90), k = Halves(96 * 64, -900, 900, 0.002, 91),
               v = Halves(96 * 64, -900, 900, 0.002, 92);
    const oracle::Sheet sheet{t.rows, t.tile, t.tile};
    std::vector<float> total(32 * 64);
    oracle::Softmaxes last;
    for (uint32_t at = 0; at < t.keys; at += t.tile) {
        const auto part = [&](const auto& all) {
            return std::vector<uint16_t>(all.begin() + at * 64, all.begin() + (at + t.tile) * 64);
        };
        auto s = Product(q, part(k), scores, {}, true);
        for (float& x : s) x *= t.scale;
        last = oracle::Softmax(s, sheet, oracle::Divides::kNo, last.max, last.sum);
        const auto p = Made<uint16_t>(s.size(), [&](size_t i) { return HalfBits(Value(last.dst[i])); });
        const auto o = Product(p, part(v), values);
        for (size_t i = 0; i < total.size(); ++i)
            total[i] = ((at == 0 ? F(0) : F(Value(total[i])) * Value(last.exp_max[i / 64])) + Value(o[i])).Stored();
    }
    for (size_t i = 0; i < total.size(); ++i) total[i] = (F(Value(total[i])) / Value(last.sum[i / 64])).Stored();
    return Made("attention", board, {In(q), In(k), In(v), Out(total), Workspace(32 * (48 + 64) * 4 + 32 * 48 * 2)},
                [=](auto gm) { attention(gm[0], gm[1], gm[2], gm[3], gm[4], t); });
}

}  // namespace

std::vector<Operator> ProductOperators() {
    return {
        {"linear", kBoth, LinearOn, Blocks::kCores},
        {"linear_int8", kBoth, LinearInt8On, Blocks::kOne},
        {"linear_weights", k310P, LinearWeightsOn, Blocks::kOne},
        {"batch_matmul", kBoth, BatchMatmulOn},
        {"batch_matmul_call", k310P, BatchMatmulCallOn, Blocks::kOne},
        {"attention", kBoth, AttentionOn, Blocks::kOne},
    };
}

}  // namespace sfumato::boards
