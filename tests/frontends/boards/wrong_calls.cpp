// SPDX-License-Identifier: Apache-2.0
// Calls that a board lacks or has in part: types, round modes, atomic stores, high-level calls.
#include "wrong.h"

namespace sfumato::boards {
namespace {

template <class T>
LocalTensor<T> Room(TPipe& pipe, TBuf<>& buffer, uint32_t count) {
    pipe.InitBuffer(buffer, count * sizeof(T));
    return buffer.Get<T>();
}

void RoundModeOfAnotherChip(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TBuf<> a, b;
    const auto in = Room<half>(pipe, a, 128);
    const auto out = Room<int8_t>(pipe, b, 128);
    DataCopy(in, Gm<half>(x, 128), 128);
    Order<HardEvent::MTE2_V>();
    Cast(out, in, wrong ? RoundMode::CAST_RINT : RoundMode::CAST_NONE, 128);
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<int8_t>(y, 128), out, 128);
}

// Ids of 64 bits as numbers: their low words are read as int32_t instead.
void IdsAsNumbers(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TBuf<> a, b;
    const auto ids = Room<int64_t>(pipe, a, 32);
    const auto numbers = Room<int32_t>(pipe, b, 32);
    DataCopy(ids, Gm<int64_t>(x, 32), 32);
    Order<HardEvent::MTE2_V>();
    uint64_t kept = 0;
    if (wrong)
        Cast(numbers, ids, RoundMode::CAST_NONE, 32);
    else
        GatherMask(numbers, ids.ReinterpretCast<int32_t>(), 1, false, 0, {1, 1, 8, 0}, kept);
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<int32_t>(y, 32), numbers, 32);
}

void AtomicSumOfIntegers(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TBuf<> a;
    const auto counts = Room<float>(pipe, a, 64);
    const auto integers = counts.ReinterpretCast<int32_t>();
    DataCopy(counts, Gm<float>(x, 64), 64);
    Order<HardEvent::MTE2_MTE3>();
    if (wrong) {
        SetAtomicAdd<int32_t>();
        DataCopy(Gm<int32_t>(y, 64), integers, 64);
    } else {
        SetAtomicAdd<float>();
        DataCopy(Gm<float>(y, 64), counts, 64);
    }
    SetAtomicNone();
}

void SortOfAnotherBoard(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TBuf<> a, b, c;
    const auto in = Room<float>(pipe, a, 32);
    const auto index = Room<uint32_t>(pipe, b, 32);
    const auto out = Room<float>(pipe, c, 256);
    DataCopy(in, Gm<float>(x, 32), 32);
    DataCopy(index, Gm<uint32_t>(x, 64)[32], 32);
    Order<HardEvent::MTE2_V>();
    Duplicate(out, 0.0f, 256);
    if (wrong) {
        Sort32(out, in, index, 1);
    } else {
        ProposalConcat(out, in, 2, 4);
        RpSort16(out, out, 2);
    }
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(y, 256), out, 256);
}

// A block for each number.
void BlocksByBrcb(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TBuf<> a, b;
    const auto in = Room<float>(pipe, a, 8), out = Room<float>(pipe, b, 64);
    DataCopy(in, Gm<float>(x, 8), 8);
    Order<HardEvent::MTE2_V>();
    if (wrong) {
        Brcb(out, in, 1, {1, 8});
    } else {
        Order<HardEvent::V_S>();
        for (uint32_t i = 0; i < 8; ++i) Duplicate(out[i * 8], in.GetValue(i), 8);
    }
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(y, 64), out, 64);
}

// LayerNorm is made of Brcb, which Ascend310B lacks; Ascend310P has it.
template <bool layer_norm>
void NormOfAnotherBoard(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    TBuf<> a, b, c, d, e, f;
    auto in = Room<float>(pipe, a, 256), out = Room<float>(pipe, b, 256), gamma = Room<float>(pipe, c, 64);
    auto mean = Room<float>(pipe, d, 16), work = Room<float>(pipe, f, 64);
    DataCopy(in, Gm<float>(x, 512), 256);
    DataCopy(gamma, Gm<float>(x, 512)[256], 64);
    Order<HardEvent::MTE2_V>();
    if constexpr (layer_norm) {
        const ge::Shape shape({1, 4, 64});
        LayerNormTiling plan;
        uint32_t most = 0, least = 0;
        GetLayerNormMaxMinTmpSize(shape, 4, false, most, least);
        GetLayerNormNDTilingInfo(shape, least, 4, false, plan);
        auto tmp = Room<uint8_t>(pipe, e, least);
        auto variance = mean[8];
        LayerNorm<float>(out, mean, variance, in, gamma, gamma, tmp, 0.5f, plan);
    } else {
        for (uint32_t r = 0; r < 4; ++r) {
            ReduceSum(mean, in[r * 64], work, 64);
            Order<HardEvent::V_S>();
            Adds(out[r * 64], in[r * 64], -mean.GetValue(0) / 64, 64);
        }
    }
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(y, 256), out, 256);
}
void LayerNormOn310B(GM_ADDR x, GM_ADDR y, bool wrong) {
    wrong ? NormOfAnotherBoard<true>(x, y) : NormOfAnotherBoard<false>(x, y);
}

// rows x 64 floats.
template <class Call>
void Softmaxed(GM_ADDR x, GM_ADDR y, uint32_t tmp_bytes, const Call& call) {
    TPipe pipe;
    TBuf<> a, b, c, d;
    auto in = Room<float>(pipe, a, 1024), out = Room<float>(pipe, b, 1024), sides = Room<float>(pipe, c, 256);
    auto tmp = Room<uint8_t>(pipe, d, tmp_bytes);
    auto sum = sides[0], max = sides[128];
    DataCopy(in, Gm<float>(x, 1024), 1024);
    Order<HardEvent::MTE2_V>();
    call(out, sum, max, in, tmp);
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(y, 1024), out, 1024);
}
uint32_t Least() { return GetSoftMaxMinTmpSize(ge::Shape({16, 64}), 4, false); }
void SoftmaxInLittleRoom(GM_ADDR x, GM_ADDR y, bool wrong) {
    Softmaxed(x, y, wrong ? 64 : Least(), [](auto& out, auto& sum, auto& max, auto& in, auto& tmp) {
        SoftMax<float>(out, sum, max, in, tmp, SoftMaxTiling(), SoftMaxShapeInfo{16, 64, 16, 64});
    });
}
void SoftmaxOfFractals(GM_ADDR x, GM_ADDR y, bool wrong) {
    Softmaxed(x, y, Least(), [=](auto& out, auto& sum, auto& max, auto& in, auto& tmp) {
        const SoftMaxShapeInfo shape{16, 64, 16, 64};
        if (wrong)
            SoftMax<float, false, false, true>(out, sum, max, in, tmp, SoftMaxTiling(), shape);
        else
            SoftMax<float>(out, sum, max, in, tmp, SoftMaxTiling(), shape);
    });
}
void SoftmaxOfOtherShape(GM_ADDR x, GM_ADDR y, bool wrong) {
    Softmaxed(x, y, Least(), [=](auto& out, auto& sum, auto& max, auto& in, auto& tmp) {
        const uint32_t columns = wrong ? 60 : 64;
        SoftMax<float>(out, sum, max, in, tmp, SoftMaxTiling(), SoftMaxShapeInfo{16, columns, 16, columns});
    });
}

// Nothing is lent, and nothing is left.
void SoftmaxWithoutRoom(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TBuf<> a, b, c, rest;
    auto in = Room<float>(pipe, a, 1024), out = Room<float>(pipe, b, 1024), sides = Room<float>(pipe, c, 256);
    auto sum = sides[0], max = sides[128];
    pipe.InitBuffer(rest, 248 * 1024 - 9 * 1024 - (wrong ? 0 : Least()));
    DataCopy(in, Gm<float>(x, 1024), 1024);
    Order<HardEvent::MTE2_V>();
    SoftMax<float>(out, sum, max, in, SoftMaxTiling(), SoftMaxShapeInfo{16, 64, 16, 64});
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(y, 1024), out, 1024);
}

void TypeOfAnotherChip(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TBuf<> a;
    pipe.InitBuffer(a, 256);
    if (wrong)
        DataCopy(a.Get<bfloat16_t>(), Gm<bfloat16_t>(x, 128), 128);
    else
        DataCopy(a.Get<half>(), Gm<half>(x, 128), 128);
    Order<HardEvent::MTE2_MTE3>();
    DataCopy(Gm<half>(y, 128), a.Get<half>(), 128);
}

// Samples as floats: by half, which holds these exactly.
void SamplesAsFloats(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TBuf<> a, b, c;
    const auto samples = Room<int16_t>(pipe, a, 128);
    const auto halves = Room<half>(pipe, b, 128);
    const auto floats = Room<float>(pipe, c, 128);
    DataCopy(samples, Gm<int16_t>(x, 128), 128);
    Order<HardEvent::MTE2_V>();
    if (wrong) {
        Cast(floats, samples, RoundMode::CAST_NONE, 128);
    } else {
        Cast(halves, samples, RoundMode::CAST_NONE, 128);
        Cast(floats, halves, RoundMode::CAST_NONE, 128);
    }
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(y, 128), floats, 128);
}

// reduceMode counts the elements of the whole call on Ascend310P, of a repeat elsewhere.
void MaskOfWholeTile(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TBuf<> a, b, c;
    const auto in = Room<float>(pipe, a, 256), out = Room<float>(pipe, b, 256);
    const auto bits = Room<uint32_t>(pipe, c, 8);
    DataCopy(in, Gm<float>(x, 256), 256);
    Order<HardEvent::MTE2_V>();
    Duplicate(bits.ReinterpretCast<int32_t>(), 0x55555555, 8);
    Duplicate(out, 0.0f, 256);
    uint64_t kept = 0, found = 0;
    if (wrong) {
        GatherMask(out, in, bits, true, 256, {1, 1, 8, 8}, kept);
    } else {
        for (uint32_t i = 0; i < 4; ++i, found += kept)
            GatherMask(out[found], in[i * 64], bits, true, 64, {1, 1, 8, 8}, kept);
    }
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(y, 256), out, 256);
}

// Ascend310B has one core: blocks run one after another, and the first waits for one that has not begun.
void CoresThatMeet(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TBuf<> a;
    const auto in = Room<float>(pipe, a, 64);
    DataCopy(in, Gm<float>(x, 64), 64);
    Order<HardEvent::MTE2_MTE3>();
    DataCopy(Gm<float>(y, 256)[GetBlockIdx() * 64], in, 64);
    if (wrong) SyncAll();
}

// Of a kernel for Ascend910B, whose units are cores of their own.
void FlagBetweenUnits(GM_ADDR x, GM_ADDR y, bool wrong) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    TPipe pipe;
    TBuf<> a;
    const auto in = Room<float>(pipe, a, 64);
    DataCopy(in, Gm<float>(x, 64), 64);
    Order<HardEvent::MTE2_MTE3>();
    DataCopy(Gm<float>(y, 64), in, 64);
    if (wrong) CrossCoreSetFlag<2, PIPE_MTE3>(1);
}

}  // namespace

std::vector<Wrong> WrongCalls() {
    return {
        {"round_mode_of_another_chip", kOn310P, RoundModeOfAnotherChip},
        {"ids_as_numbers", kOn310P, IdsAsNumbers},
        {"atomic_sum_of_integers", kOn310P, AtomicSumOfIntegers},
        {"sort_of_another_board", kOn310P, SortOfAnotherBoard},
        {"blocks_by_brcb", kOn310B, BlocksByBrcb},
        {"layer_norm_on_310b", kOn310B, LayerNormOn310B},
        {"softmax_in_little_room", kOn310B, SoftmaxInLittleRoom},
        {"softmax_without_room", kOn310B, SoftmaxWithoutRoom},
        {"type_of_another_chip", kOn310P, TypeOfAnotherChip},
        {"samples_as_floats", kOn310P, SamplesAsFloats},
        {"softmax_of_fractals", kOn310B, SoftmaxOfFractals},
        {"softmax_of_other_shape", kOn310P, SoftmaxOfOtherShape},
        {"mask_of_whole_tile", kOn310P, MaskOfWholeTile},
        {"flag_between_units", kOn310P, FlagBetweenUnits},
        {"cores_that_meet", kOn310B, CoresThatMeet, {"eager", "", 4}},
    };
}

}  // namespace sfumato::boards
