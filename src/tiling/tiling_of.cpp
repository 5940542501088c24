// SPDX-License-Identifier: Apache-2.0
// Tilings from words: which call, its settings, the struct with its fields; several and numbers as one struct.
#include "sfumato/tiling/tiling_of.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <type_traits>

#include "sfumato/letters.h"
#include "sfumato/round_up.h"
#include "soc/chip.h"
#include "tiling/cube_of.h"
#include "tiling/vector_words.h"

namespace sfumato::tiling {
namespace {

struct StructOf {
    std::string name;
    std::vector<TilingField> fields;
};
const std::vector<StructOf>& Structs() {
    static const std::vector<StructOf> structs = {
        {"TCubeTiling",
         {
#define SFUMATO_FIELD(name) {"int32_t", #name},
             SFUMATO_CUBE_TILING_FIELDS(SFUMATO_FIELD)
#undef SFUMATO_FIELD
         }},
#define SFUMATO_TILING_TYPE(Name) {#Name, {
#define SFUMATO_TILING_FIELD(type, name) {#type, #name},
#define SFUMATO_TILING_END(Name) \
    }                            \
    }                            \
    ,
#include "sfumato/tiling/vector_tiling.inc"
#undef SFUMATO_TILING_TYPE
#undef SFUMATO_TILING_FIELD
#undef SFUMATO_TILING_END
    };
    return structs;
}

template <class Tiling>
TilingValue Value(const char* name, const Tiling& tiling) {
    const auto it = std::find_if(Structs().begin(), Structs().end(), [&](const StructOf& s) { return s.name == name; });
    TilingValue value{name, it->fields, std::string(sizeof(tiling), '\0')};
    std::memcpy(value.bytes.data(), &tiling, sizeof(tiling));
    return value;
}

// The temporary buffer that was named, else all that is of use.
uint32_t Workspace(Settings& settings, const TmpSizes& sizes) {
    const int32_t given = settings.Number("workspace", -1);
    if (given < -1) Refuse("{}: workspace is {}; it is a number of bytes", settings.call(), given);
    return given < 0 ? sizes.max : static_cast<uint32_t>(given);
}

TilingValue Matmul(const char* tiling, const std::string& chip, Settings& settings) {
    return Value(tiling, CubeTilingOf(chip, settings));
}
TilingValue SoftMax(const char* tiling, const std::string&, Settings& settings) {
    const Dimensions shape = settings.Shape("shape");
    const DataType type = settings.Type("type"), sum = settings.Type("sum_type", type);
    const uint32_t size = BitsOf(type) / 8;
    const SoftmaxUse use = FlashV2Use(size, BitsOf(sum) / 8, true);
    const uint32_t workspace = Workspace(settings, SoftmaxTmp(settings.call(), shape, use));
    settings.Done();
    return Value(tiling, PlanSoftMax(settings.call(), shape, use, workspace));
}
TilingValue LayerNorm(const char* tiling, const std::string&, Settings& settings) {
    const Dimensions shape = settings.Shape("shape");
    const uint32_t size = settings.TypeSize("type");
    const Dimensions stored(shape.begin(), shape.begin() + std::min<std::ptrdiff_t>(3, std::ssize(shape)));
    const uint32_t workspace = Workspace(settings, NormTmp(settings.call(), stored, size, false));
    settings.Done();
    return Value(tiling, PlanLayerNorm(settings.call(), shape, workspace, size));
}
TilingValue TopK(const char* tiling, const std::string& chip, Settings& settings) {
    TopKProblem problem;
    problem.inner = settings.Number("inner");
    problem.outter = settings.Number("outter", 1);
    problem.k = settings.Number("k");
    problem.type_size = settings.TypeSize("type");
    problem.init_index = settings.Flag("init_index");
    problem.small = settings.Flag("small");
    problem.proposals = soc::FindChip(chip).name == "Ascend310P";
    settings.Done();
    return Value(tiling, PlanTopK(settings.call(), problem));
}
TilingValue Transpose(const char* tiling, const std::string&, Settings& settings) {
    const Dimensions shape = settings.Shape("shape");
    const uint32_t size = settings.TypeSize("type");
    const auto kind = static_cast<uint32_t>(settings.Number("kind"));
    const uint32_t workspace = Workspace(settings, TransposeTmp(settings.call(), shape, size, kind));
    settings.Done();
    return Value(tiling, PlanTranspose(settings.call(), shape, workspace, size, kind));
}

TilingValue LogSoftMax(const char* tiling, const std::string&, Settings& settings) {
    const Dimensions shape = settings.Shape("shape");
    const uint32_t size = settings.TypeSize("type");
    const uint32_t workspace = Workspace(settings, SoftmaxTmp(settings.call(), shape, LogSoftMaxUse(size)));
    settings.Done();
    return Value(tiling, PlanLogSoftMax(settings.call(), shape, size, workspace));
}
TilingValue GroupNorm(const char* tiling, const std::string&, Settings& settings) {
    const Dimensions shape = settings.Shape("shape");
    const auto groups = static_cast<uint32_t>(settings.Number("groups"));
    const uint32_t size = settings.TypeSize("type");
    const uint32_t workspace = Workspace(settings, GroupNormTmp(settings.call(), shape, groups, size));
    settings.Done();
    return Value(tiling, PlanGroupNorm(settings.call(), shape, groups, workspace, size));
}
// Of a call whose settings are a shape, where it is padded the one before, and a type. The temporary buffer counts in
// bytes, or in elements.
template <auto Tmp, auto Plan, bool in_elements = false, auto... more>
TilingValue OfShape(const char* tiling, const std::string&, Settings& settings) {
    constexpr bool padded = std::is_invocable_v<decltype(Plan), const std::string&, const Dimensions&,
                                                const Dimensions&, uint32_t, uint32_t>;
    const Dimensions shape = settings.Shape("shape"), original = padded ? settings.Shape("original", shape) : shape;
    const uint32_t size = settings.TypeSize("type");
    const uint32_t bytes = Workspace(settings, Tmp(settings.call(), shape, size, more...));
    const uint32_t workspace = in_elements ? bytes / size : bytes;
    settings.Done();
    if constexpr (padded)
        return Value(tiling, Plan(settings.call(), shape, original, workspace, size));
    else
        return Value(tiling, Plan(settings.call(), shape, workspace, size));
}

struct Call {
    const char *name, *tiling;
    TilingValue (*of)(const char* tiling, const std::string& chip, Settings& settings);
};
constexpr Call kCalls[] = {
    {"matmul", "TCubeTiling", Matmul},
    {"softmax", "SoftMaxTiling", SoftMax},
    {"layernorm", "LayerNormTiling", LayerNorm},
    {"layernormrstd", "LayerNormSeparateTiling", OfShape<NormTmp, PlanLayerNormSeparate, false, false>},
    {"rmsnorm", "RmsNormTiling", OfShape<NormTmp, PlanRmsNorm, false, true>},
    {"topk", "TopkTiling", TopK},
    {"transpose", "ConfusionTransposeTiling", Transpose},
    {"pad", "PadTiling", OfShape<PadTmp, PlanPad>},
    {"unpad", "UnPadTiling", OfShape<PadTmp, PlanUnPad>},
    {"logsoftmax", "LogSoftMaxTiling", LogSoftMax},
    {"deepnorm", "DeepNormTiling", OfShape<NormTmp, PlanDeepNorm, false, false>},
    {"groupnorm", "GroupNormTiling", GroupNorm},
    {"batchnorm", "BatchNormTiling", OfShape<BatchNormTmp, PlanBatchNorm>},
    {"layernormgrad", "LayerNormGradTiling", OfShape<NormGradientTmp, PlanLayerNormGrad, true, false>},
    {"layernormgradbeta", "LayerNormGradBetaTiling", OfShape<NormGradientTmp, PlanLayerNormGradBeta, true, true>}};

std::string Trimmed(std::string_view text) {
    const size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return "";
    return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

// Pieces between separators outside of parentheses and brackets.
std::vector<std::string> Pieces(const std::string& text, char separator) {
    std::vector<std::string> pieces;
    int depth = 0;
    size_t begin = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : separator;
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (i == text.size() || (depth == 0 && c == separator)) {
            pieces.push_back(Trimmed(std::string_view(text).substr(begin, i - begin)));
            begin = i + 1;
        }
    }
    return pieces;
}

// "uint32:4", "float:0.5"
TilingValue Number(const std::string& piece) {
    const size_t colon = piece.find(':');
    const auto type = colon == std::string::npos ? std::nullopt : TypeNamed(piece.substr(0, colon));
    if (!type || BitsOf(*type) < 8 || *type == DataType::kHalf || *type == DataType::kBfloat16) {
        Refuse("'{}' is no tiling NAME(KEY=VALUE, ...) and no number TYPE:VALUE of an integer type or float", piece);
    }
    const std::string word = piece.substr(colon + 1);
    char* end = nullptr;
    std::string bytes(BitsOf(*type) / 8, '\0');
    if (*type == DataType::kFloat) {
        const float value = std::strtof(word.c_str(), &end);
        std::memcpy(bytes.data(), &value, sizeof(value));
    } else {
        errno = 0;
        const bool minus = word.starts_with('-'), is_signed = CName(*type)[0] == 'i';
        const uint64_t value =
            minus ? static_cast<uint64_t>(std::strtoll(word.c_str(), &end, 0)) : std::strtoull(word.c_str(), &end, 0);
        // Of a negative number the bits that are no digits are as the sign.
        const bool negative = minus && value;
        const uint64_t most = ~uint64_t{0} >> (64 - BitsOf(*type) + is_signed), digits = negative ? ~value : value;
        if (errno == ERANGE || digits > most || (negative && !is_signed)) {
            Refuse("'{}': {} does not fit {}", piece, word, CName(*type));
        }
        std::memcpy(bytes.data(), &value, bytes.size());
    }
    if (word.empty() || *end) Refuse("'{}': '{}' is no number", piece, word);
    return {"", {{CName(*type), ""}}, bytes};
}

TilingValue Piece(const std::string& chip, const std::string& piece) {
    const size_t open = piece.find('(');
    if (open == std::string::npos || !piece.ends_with(')')) return Number(piece);
    TilingSettings settings;
    for (const std::string& pair : Pieces(piece.substr(open + 1, piece.size() - open - 2), ',')) {
        if (pair.empty()) continue;
        const size_t equals = pair.find('=');
        if (equals == std::string::npos) Refuse("'{}': a setting is KEY=VALUE", pair);
        settings.emplace_back(Trimmed(pair.substr(0, equals)), Trimmed(pair.substr(equals + 1)));
    }
    return TilingOf(chip, Trimmed(piece.substr(0, open)), settings);
}

size_t AlignmentOf(const TilingValue& value) {
    size_t alignment = 1;
    for (const TilingField& field : value.fields) {
        const auto type = TypeNamed(field.type);  // none: bool, a byte
        if (type) alignment = std::max<size_t>(alignment, BitsOf(*type) / 8);
    }
    return alignment;
}

}  // namespace

TilingValue TilingOf(const std::string& chip, const std::string& call, const TilingSettings& given) {
    const std::string name = Lower(call);
    for (const Call& row : kCalls) {
        if (name != row.name) continue;
        Settings settings(name, given);
        return row.of(row.tiling, chip, settings);
    }
    std::string names;
    for (const Call& row : kCalls) names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
    Refuse("no tiling has the name '{}'; there are {}", call, names);
}

TilingValue TilingOf(const std::string& chip, const std::string& text) {
    const std::vector<std::string> pieces = Pieces(text, '+');
    if (pieces.size() == 1) return Piece(chip, pieces.front());
    TilingValue whole;
    size_t most = 1;
    const auto pad = [&whole](size_t alignment) { whole.bytes.resize(RoundUpTo(whole.bytes.size(), alignment)); };
    for (const std::string& piece : pieces) {
        const TilingValue part = Piece(chip, piece);
        const size_t alignment = AlignmentOf(part);
        pad(alignment);
        most = std::max(most, alignment);
        whole.bytes += part.bytes;
        whole.fields.insert(whole.fields.end(), part.fields.begin(), part.fields.end());
    }
    pad(most);
    return whole;
}

TmpSizes TmpSizesOf(const std::string& call, const Dimensions& shape, const std::string& type) {
    const auto named = TypeNamed(type);
    if (!named) Refuse("{}: '{}' is no element type", call, type);
    return ElementwiseTmp(call, call, shape, BitsOf(*named) / 8);
}

}  // namespace sfumato::tiling
