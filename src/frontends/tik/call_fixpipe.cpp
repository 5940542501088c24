// SPDX-License-Identifier: Apache-2.0
// fixpipe: one instruction where the chip has it, else a way through UB (TIK page fixpipe, cube.md 5).
#include <fmt/format.h>

#include <algorithm>

#include "frontends/tik/steps.h"

namespace sfumato::tik {
namespace {

using isa::Memory;
using isa::Operand;
using isa::Record;

constexpr int kDst = 0, kSrc = 1;

// The items of extend_params, which arrives as a list of keys and values, a dict in it among them.
struct Extensions {
    explicit Extensions(const CallValues& v) {
        const CallArgument* list = v.Find(Param::extend_params);
        if (!list) return;
        if (list->kind != CallArgument::Kind::kList) {
            Refuse({Rule::kParameterType, "extend_params", "extend_params must be a dict", v.Given(list),
                    "a dict or None", ""});
        }
        for (int i = 0; i + 1 < list->count; i += 2) Take(v, v.Item(*list, i), v.Item(*list, i + 1));
    }

    const CallArgument *bias = nullptr, *mode = nullptr, *mode_param = nullptr, *relu = nullptr, *addend = nullptr;

private:
    void Take(const CallValues& v, const CallArgument& key, const CallArgument& value) {
        const std::string_view name = key.kind == CallArgument::Kind::kText
                                          ? std::string_view(Nth(v.call().texts, key.value))
                                          : std::string_view();
        const CallArgument* given = value.value < 0 ? nullptr : &value;  // None
        const std::pair<std::string_view, const CallArgument**> keys[] = {{"bias", &bias},
                                                                          {"mode", &mode},
                                                                          {"mode_param", &mode_param},
                                                                          {"relu", &relu},
                                                                          {"element-wise-add", &addend}};
        for (const auto& [known, place] : keys) {
            if (known != name) continue;
            *place = given;
            return;
        }
        if (name == "quantize_params" && !given) return;
        Refuse({Rule::kFixpipeKey, "extend_params", "the key does not exist, or its value has another type",
                fmt::format("'{}'", name),
                "'bias', 'quantize_params' ({'mode': ..., 'mode_param': ...}), 'relu', 'element-wise-add'", ""});
    }
};

// A Tensor among the extensions.
Operand TensorOf(const CallValues& v, const CallArgument& a, const char* key) {
    if (a.kind == CallArgument::Kind::kRef) return v.OperandOf(a.value);
    Refuse({Rule::kParameterType, "extend_params", fmt::format("'{}' must be a Tensor", key), v.Given(&a),
            "a Tensor or None", ""});
}

// The conversion that quantize_params names has to be the one of the types.
void RequireMode(const CallValues& v, const Extensions& e) {
    const DataType src = v.Operand(kSrc).type, dst = v.Operand(kDst).type;
    std::string_view wanted = "None";
    if (src == DataType::kFloat && dst == DataType::kHalf) wanted = "fp322fp16";
    if (src == DataType::kInt32 && dst == DataType::kHalf) wanted = "int322fp16";
    if (wanted == "None" && dst != src) {
        Refuse({Rule::kConversionUnsupported, "dst", "there is no such conversion of results",
                fmt::format("{} to {}", NumpyName(src), NumpyName(dst)),
                "float32 to float32 or float16, int32 to int32 or float16", ""});
    }
    std::string mode = v.Given(e.mode);
    if (e.mode && e.mode->kind == CallArgument::Kind::kText) mode = Nth(v.call().texts, e.mode->value);
    if (mode != wanted) {
        Refuse({Rule::kQuantMode, "extend_params", "the mode of quantize_params is not the one of the types",
                fmt::format("{} for {} to {}", mode, NumpyName(src), NumpyName(dst)), std::string(wanted),
                "choose it by the types of src and dst"});
    }
    if (wanted == "int322fp16" && !e.mode_param) {
        Refuse({Rule::kQuantScale, "extend_params", "the conversion needs a scale", "no mode_param",
                "quantize_params {'mode': 'int322fp16', 'mode_param': scale}", ""});
    }
}

// The result as column blocks of 16: dst [blocks, m, 16] with a gap, src [blocks, rows * 16, 16] with another.
struct Columns {
    explicit Columns(const CallValues& v) {
        const Operand src = v.Operand(kSrc), dst = v.Operand(kDst);
        if (src.type != DataType::kFloat && src.type != DataType::kInt32) {
            Refuse({Rule::kDtype, "src", "the type is not one of a result", NumpyName(src.type), "int32, float32", ""});
        }
        const auto count = [&](Param param, int64_t least, int64_t most) {
            return static_cast<uint32_t>(RequireRange(v.Integer(param, 0), Name(param), {Name(param), least, most}));
        };
        blocks = count(Param::cburst_num, 1, 4095);
        const uint32_t length = count(Param::burst_len, 1, 65535);
        src_row = BytesOf(src.type, kSide);
        dst_row = BytesOf(dst.type, kSide);
        const auto units = static_cast<uint32_t>(src_row / isa::kBlockBytes);
        if (length % units != 0) {
            Refuse({Rule::kParameterAlignment, "burst_len", "a burst must be whole rows of 16 elements",
                    fmt::format("{}", length), fmt::format("a multiple of {}", units), ""});
        }
        m = length / units;
        rows = CeilDiv(m, kSide);
        pitch = rows + count(Param::src_stride, 0, 65535);
        gap = count(Param::dst_stride, 0, 65535);
        RequireTensor(src, "src", Memory::kL0C, (uint64_t{blocks - 1} * pitch + rows) * isa::kL0CFractal,
                      "[cburst_num, M, 16]");
    }

    uint32_t blocks = 0, m = 0, rows = 0;
    uint32_t pitch = 0;  // fractals from column block to column block in L0C
    uint32_t gap = 0;    // 32 bytes of dst
    uint64_t src_row = 0, dst_row = 0;
};

bool Relu(const CallValues& v, const Extensions& e) { return e.relu && v.Integer(*e.relu) != 0; }

void AddFixpipe(const CallValues& v, const Columns& c, const Extensions& e, Steps* steps) {
    for (const auto& [given, key, hint] : {std::tuple{e.bias, "bias", "give the bias to matmul, conv2d or mmad"},
                                           std::tuple{e.addend, "element-wise-add", "add it with vec_add"}}) {
        if (!given) continue;
        Refuse({Rule::kParameterUnsupported, "extend_params",
                fmt::format("{} has no '{}' in fixpipe", v.chip().name, key), "a Tensor", "None", hint});
    }
    const Operand dst = v.Operand(kDst), src = v.Operand(kSrc);
    isa::Fixpipe s;
    s.n = c.blocks * kSide;
    s.m = c.m;
    s.src_stride = c.pitch * kSide;
    s.dst_stride = c.m * static_cast<uint32_t>(c.dst_row / isa::kBlockBytes) + c.gap;
    s.row_major = false;
    s.relu = Relu(v, e);
    if (dst.type == src.type) {
        steps->Add(isa::Opcode::fixpipe, isa::Pipe::kFix, {dst, src}).Set(s);
    } else if (src.type == DataType::kFloat) {
        s.quant = isa::Quant::kF322F16;
        steps->Add(isa::Opcode::fixpipe, isa::Pipe::kFix, {dst, src}).Set(s);
    } else if (e.mode_param->kind == CallArgument::Kind::kRef) {
        s.quant = isa::Quant::kVDeqF16;
        const Operand words = v.OperandOf(e.mode_param->value);
        RequireTensor(words, "mode_param", Memory::kL1, uint64_t{c.blocks} * kSide, "a word for each column");
        steps->Add(isa::Opcode::fixpipe, isa::Pipe::kFix, {dst, src, words}).Set(s);
    } else {
        s.quant = isa::Quant::kDeqF16;
        s.word = v.Bits(*e.mode_param, DataType::kFloat);
        steps->Add(isa::Opcode::fixpipe, isa::Pipe::kFix, {dst, src}).Set(s);
    }
}

// L0C to UB in pieces of column blocks, and from there to dst. A bias is added in UB and goes back to L0C, so that one
// instruction converts all results.
class ThroughUb {
public:
    ThroughUb(const CallValues& v, const Columns& c, const Extensions& e, Steps* steps)
        : v_(v), c_(c), e_(e), steps_(*steps), dst_(v.Operand(kDst)), src_(v.Operand(kSrc)) {}

    void Run() {
        Divide();
        LoadScales();
        for (uint32_t block = 0; block < c_.blocks; ++block) {
            if (e_.bias) LoadBias(block);
            for (uint32_t row = 0; row < c_.rows; row += piece_) Piece(block, row, std::min(piece_, c_.rows - row));
        }
    }

private:
    static constexpr uint32_t kMostFractals = 63;  // additions of 255 repeats, 4 a fractal

    // Places in UB: the scales, the rows of the bias, the results, what is added to them.
    void Divide() {
        const Memory ub = Memory::kUb;
        uint64_t at = 0;
        const auto take = [&](uint64_t bytes) {
            at += bytes;
            return at - bytes;
        };
        const bool vector = e_.mode_param && e_.mode_param->kind == CallArgument::Kind::kRef;
        if (vector) {
            const Operand given = v_.OperandOf(e_.mode_param->value);
            if (given.type != DataType::kHalf) {
                Refuse({Rule::kDtype, "mode_param", "the type is not one of scales", NumpyName(given.type), "float16",
                        ""});
            }
            const uint64_t has = given.limit > given.offset ? (given.limit - given.offset) / sizeof(uint16_t) : 0;
            scale_blocks_ = has >= uint64_t{c_.blocks} * kSide ? c_.blocks : 1;
            RequireTensor(given, "mode_param", given.memory, kSide, "a scale for each of 16 columns");
            scales_ = take(uint64_t{scale_blocks_} * kSide * sizeof(uint16_t));
        }
        const uint64_t sum = e_.bias ? isa::kRepeatBytes : 0;
        const uint64_t each = std::max(c_.src_row, c_.dst_row) + (e_.addend ? c_.dst_row : 0);
        const uint64_t room = steps_.Room(ub), fixed = at + sum;
        steps_.RequireRoom(ub, fixed + each * kSide);
        piece_ = std::min({c_.rows, static_cast<uint32_t>((room - fixed) / (each * kSide)), kMostFractals});
        if (e_.bias) {
            const uint64_t fractal = BytesOf(src_.type, isa::kL0CFractal);
            steps_.RequireRoom(Memory::kL0C, fractal);
            piece_ = std::min(piece_, static_cast<uint32_t>(steps_.Room(Memory::kL0C) / fractal));
        }
        bias_ = take(sum);
        result_ = take(std::max(c_.src_row, c_.dst_row) * kSide * piece_);
        addend_ = at;
    }

    Operand Ub(DataType type, uint64_t at) const { return steps_.Scratch(Memory::kUb, type, at); }

    void LoadScales() {
        if (scale_blocks_ == 0) return;
        const Operand given = v_.OperandOf(e_.mode_param->value);
        steps_.Move(Ub(given.type, scales_), given, uint64_t{scale_blocks_} * kSide * sizeof(uint16_t));
    }

    // A repeat's rows, all of them the bias of the block's columns.
    void LoadBias(uint32_t block) {
        const Operand bias = TensorOf(v_, *e_.bias, "bias");
        if (bias.type != src_.type) {
            Refuse({Rule::kTypeMismatch, "bias", "the bias has another type than src", NumpyName(bias.type),
                    NumpyName(src_.type), ""});
        }
        RequireTensor(bias, "bias", bias.memory, uint64_t{c_.blocks} * kSide, "one for each column");
        for (uint64_t at = 0; at < isa::kRepeatBytes; at += c_.src_row) {
            steps_.Move(Ub(src_.type, bias_ + at), Later(bias, block * c_.src_row), c_.src_row);
        }
    }

    void Convert(const Operand& dst, const Operand& src, uint32_t fractals, bool last, uint32_t block) {
        auto& s = steps_.Add(isa::Opcode::tensor_mov, isa::Pipe::kV, {dst, src}).As<isa::MatrixMove>();
        s.block_len = fractals;
        if (!last) return;
        s.relu = Relu(v_, e_);
        if (src.type != DataType::kInt32 || dst.type == src.type) return;
        if (scale_blocks_ > 0) {
            s.deq = isa::MatrixMove::Deq::kVDeq;
            const uint64_t bytes = kSide * sizeof(uint16_t);
            s.word = Ub(DataType::kHalf, scales_ + (scale_blocks_ > 1 ? block * bytes : 0)).offset;
        } else {
            s.deq = isa::MatrixMove::Deq::kDeq;
            s.word = v_.Bits(*e_.mode_param, DataType::kHalf);
        }
    }

    // dst += what lies at `src`, `rows` rows of 16; the same repeat again and again, or one after another.
    void Sum(const Operand& dst, Operand src, uint32_t rows, bool again) {
        const auto lanes = static_cast<uint32_t>(isa::kRepeatBytes * 8 / BitsOf(dst.type)),
                   whole = rows * kSide / lanes;
        const uint32_t rest = rows * kSide % lanes;
        if (again) src.repeat_stride = 0;
        const auto add = [&](uint32_t done, uint32_t repeats, uint32_t count) {
            if (repeats == 0 || count == 0) return;
            const uint64_t at = uint64_t{done} * isa::kRepeatBytes;
            const Operand to = Later(dst, at);
            Record& r = steps_.Add(isa::Opcode::vadd, isa::Pipe::kV, {to, to, again ? src : Later(src, at)});
            r.mask = {isa::MaskMode::kContinuous, count, {}};
            r.repeat = repeats;
        };
        add(0, whole, lanes);
        add(whole, 1, rest);
    }

    void Piece(uint32_t block, uint32_t row, uint32_t fractals) {
        const uint64_t fractal = BytesOf(src_.type, isa::kL0CFractal);
        const uint32_t rows = std::min(fractals * kSide, c_.m - row * kSide);
        Operand from = Later(src_, (uint64_t{block} * c_.pitch + row) * fractal);
        if (e_.bias) {
            const Operand sums = Ub(src_.type, result_), back = steps_.Scratch(Memory::kL0C, src_.type);
            Convert(sums, from, fractals, false, block);
            Sum(sums, Ub(src_.type, bias_), rows, true);
            Convert(back, sums, fractals, false, block);
            from = back;
        }
        const Operand result = Ub(dst_.type, result_);
        Convert(result, from, fractals, true, block);
        const uint64_t packed = (uint64_t{block} * c_.m + uint64_t{row} * kSide) * c_.dst_row;
        if (e_.addend) {
            const Operand given = TensorOf(v_, *e_.addend, "element-wise-add");
            if (given.type != dst_.type) {
                Refuse({Rule::kTypeMismatch, "element-wise-add", "what is added has another type than dst",
                        NumpyName(given.type), NumpyName(dst_.type), ""});
            }
            RequireTensor(given, "element-wise-add", given.memory, uint64_t{c_.blocks} * c_.m * kSide,
                          "[cburst_num, m, 16]");
            const Operand addend = Ub(dst_.type, addend_);
            steps_.Move(addend, Later(given, packed), rows * c_.dst_row);
            Sum(result, addend, rows, false);
        }
        const uint64_t gaps = uint64_t{block} * c_.gap * isa::kBlockBytes;
        steps_.Move(Later(dst_, packed + gaps), result, rows * c_.dst_row);
    }

    const CallValues& v_;
    const Columns& c_;
    const Extensions& e_;
    Steps& steps_;
    const Operand dst_, src_;
    uint32_t piece_ = 0;         // fractals
    uint32_t scale_blocks_ = 0;  // column blocks that have scales of their own; 0 = one scale for all
    uint64_t scales_ = 0, bias_ = 0, result_ = 0, addend_ = 0;
};

}  // namespace

void ExpandFixpipe(const CallValues& v, const Record& first, std::vector<Record>* out) {
    const Columns columns(v);
    const Extensions extensions(v);
    RequireMode(v, extensions);
    Steps steps(v, first, out);
    if (v.chip().fixpipe.empty()) {
        ThroughUb(v, columns, extensions, &steps).Run();
    } else {
        AddFixpipe(v, columns, extensions, &steps);
    }
}

}  // namespace sfumato::tik
