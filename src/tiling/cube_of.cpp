// SPDX-License-Identifier: Apache-2.0
// The tiling of Matmul from words: the planner behind the classes of host code.
#include "tiling/cube_of.h"

#include "sfumato/letters.h"
#include "soc/chip.h"

namespace sfumato::tiling {
namespace {

using AscendC::CubeFormat;
using AscendC::TPosition;

constexpr std::pair<std::string_view, CubeFormat> kFormats[] = {{"nd", CubeFormat::ND},
                                                                {"nz", CubeFormat::NZ},
                                                                {"vector", CubeFormat::VECTOR},
                                                                {"scalar", CubeFormat::SCALAR},
                                                                {"nd_align", CubeFormat::ND_ALIGN}};
constexpr std::pair<std::string_view, TPosition> kPositions[] = {
    {"gm", TPosition::GM},           {"vecin", TPosition::VECIN}, {"vecout", TPosition::VECOUT},
    {"veccalc", TPosition::VECCALC}, {"tscm", TPosition::TSCM},   {"co1", TPosition::CO1}};

// A matrix as words in any order: "half", "half NZ transposed VECOUT".
void SetMatrix(Settings& settings, CubePlanner& planner, const char* key, CubeOperand operand) {
    const auto text = settings.Word(key);
    if (!text) return;
    std::optional<DataType> type;
    CubeFormat format = CubeFormat::ND;
    TPosition position = TPosition::GM;
    bool transposed = false;
    for (const std::string& word : Split(*text, " :/")) {
        const std::string lower = Lower(word);
        bool known = false;
        if (const auto named = TypeNamed(word)) type = named, known = true;
        for (const auto& [name, value] : kFormats) {
            if (lower == name) format = value, known = true;
        }
        for (const auto& [name, value] : kPositions) {
            if (lower == name) position = value, known = true;
        }
        if (lower == "transposed" && (operand == CubeOperand::kA || operand == CubeOperand::kB))
            transposed = known = true;
        if (!known) {
            Refuse(
                "{}: {} is '{}': '{}' is no element type, no format (ND, NZ, VECTOR, SCALAR, ND_ALIGN), no position "
                "(GM, "
                "VECIN, VECOUT, VECCALC, TSCM, CO1){}",
                settings.call(), key, *text, word,
                operand == CubeOperand::kA || operand == CubeOperand::kB ? " and not 'transposed'" : "");
        }
    }
    if (!type) Refuse("{}: {} is '{}': its element type is missing", settings.call(), key, *text);
    planner.SetType(operand, position, format, *type, transposed);
}

// Three numbers of an axis each: prefix_m, prefix_n, prefix_k.
CubeSizes Sizes(Settings& settings, const std::string& prefix) {
    CubeSizes sizes;
    sizes.m = settings.Number(prefix + "_m", -1);
    sizes.n = settings.Number(prefix + "_n", -1);
    sizes.k = settings.Number(prefix + "_k", -1);
    return sizes;
}
bool Any(const CubeSizes& sizes) { return sizes.m != -1 || sizes.n != -1 || sizes.k != -1; }

void SetBatches(Settings& settings, CubePlanner& planner, const CubeSizes& shape) {
    const auto layout = [&](const char* key, CubeOperand operand) {
        const Dimensions axes = settings.Shape(key, {});
        if (axes.empty()) return;
        if (axes.size() != 5) Refuse("{}: {} has {} numbers; it has b, s, n, g, d", settings.call(), key, axes.size());
        const auto axis = [&axes](size_t i) { return static_cast<int32_t>(axes[i]); };
        planner.SetLayout(operand, {true, axis(0), axis(1), axis(2), axis(3), axis(4)});
    };
    layout("a_layout", CubeOperand::kA), layout("b_layout", CubeOperand::kB), layout("c_layout", CubeOperand::kC);
    if (const int32_t batch = settings.Number("batch", 0)) planner.SetBatchNum(batch);
    const int32_t a = settings.Number("batch_a", 0), b = settings.Number("batch_b", 0);
    if (a || b) planner.SetBatchInfoForNormal(a, b, shape.m, shape.n, shape.k);
}

}  // namespace

TCubeTiling CubeTilingOf(const std::string& chip, Settings& settings) {
    const CubeSizes shape{settings.Number("m"), settings.Number("n"), settings.Number("k")};
    const bool batches = settings.Word("batch") || settings.Word("batch_a") || settings.Word("batch_b");
    const bool cores = settings.Word("cores").has_value();
    if (batches && cores) Refuse("{}: cores and batches: a plan of batches is for one core", settings.call());
    CubePlanner planner(CubeMachineOf(chip), batches ? CubeScope::kBatch
                                             : cores ? CubeScope::kManyCores
                                                     : CubeScope::kOneCore);
    planner.SetShape(shape.m, shape.n, shape.k);
    SetMatrix(settings, planner, "a", CubeOperand::kA);
    SetMatrix(settings, planner, "b", CubeOperand::kB);
    SetMatrix(settings, planner, "c", CubeOperand::kC);
    SetMatrix(settings, planner, "bias", CubeOperand::kBias);
    planner.SetBias(settings.Word("bias").has_value());
    const int32_t org_m = settings.Number("org_m", shape.m), org_n = settings.Number("org_n", shape.n);
    const int32_t org_ka = settings.Number("org_ka", shape.k), org_kb = settings.Number("org_kb", shape.k);
    planner.SetOrgShape(org_m, org_n, org_ka, org_kb);
    if (cores) planner.SetDim(settings.Number("cores"));
    if (const CubeSizes single = Sizes(settings, "single"); Any(single)) planner.SetSingleShape(single);
    if (const CubeSizes units = Sizes(settings, "align"); Any(units)) planner.SetAlignSplit(units);
    planner.SetFixSplit({settings.Number("base_m", -1), settings.Number("base_n", -1), -1});
    planner.SetBufferSpace(settings.Number("l1", -1), settings.Number("l0c", -1), settings.Number("ub", -1),
                           settings.Number("bt", -1));
    const std::string first = settings.Word("first").value_or("m");
    if (first != "m" && first != "n") Refuse("{}: first is '{}'; legal are m and n", settings.call(), first);
    planner.SetTraverse(first == "n" ? 2 : 1);
    planner.SetSplitK(settings.Flag("split_k"));
    SetBatches(settings, planner, shape);
    settings.Done();
    return planner.Plan();
}

}  // namespace sfumato::tiling
