// SPDX-License-Identifier: Apache-2.0
// What the tiling classes of Matmul do: settings, the plan made of them, and the limits of a TCubeTiling (adv.md 3).
// Errors are texts for people: the classes of host programs say them and return -1, Python raises them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sfumato/tiling/cube_depth.h"
#include "sfumato/tiling/cube_scope.h"

namespace sfumato::tiling {

// Sizes of a chip in bytes, and its cores.
struct CubeMachine {
    std::string chip;                                            // a product, "Ascend910B1"
    uint64_t l1 = 0, l0a = 0, l0b = 0, l0c = 0, ub = 0, bt = 0;  // bt 0: the chip has no bias table
    uint32_t cube_cores = 0, vector_cores = 0;
    bool through_ub = false;  // C leaves L0C through UB: transLength
    // The most cores that may share a Matmul: vector cores in MIX kernels, else cube cores.
    uint32_t Cores() const { return cube_cores > vector_cores ? cube_cores : vector_cores; }
};
// Throws UnsupportedError for an unknown chip, Error for one without a cube unit or without Ascend C.
SFUMATO_API CubeMachine CubeMachineOf(std::string_view chip);

// A constraint of adv.md 3.2 that a tiling breaks.
struct CubeLimit {
    std::string found, legal;  // with numbers: "baseM is 24", "it is a multiple of 16"; empty: none is broken
    explicit operator bool() const { return !found.empty(); }
    std::string Text() const { return found.empty() ? "" : found + "; " + legal; }
};
// The first of them.
SFUMATO_API CubeLimit BrokenCubeLimit(const TCubeTiling& tiling, const CubeTypes& types, const CubeMachine& machine);

// Three sizes or limits; -1: not given.
struct CubeSizes {
    int32_t m = -1, n = -1, k = -1;
};
struct CubeLayout {
    bool given = false;
    int32_t b = 0, s = 0, n = 0, g = 0, d = 0;
};

enum class CubeOperand : uint8_t { kA, kB, kC, kBias };

// All settings. The names of the calls in its texts are those of the classes.
class SFUMATO_API CubePlanner {
public:
    CubePlanner(CubeMachine machine, CubeScope scope) : machine_(std::move(machine)), scope_(scope) {}

    // Setters check what can be judged alone and throw Error.
    void SetType(CubeOperand operand, AscendC::TPosition position, AscendC::CubeFormat format, DataType type,
                 bool transposed = false);
    void SetShape(int32_t m, int32_t n, int32_t k);
    void SetOrgShape(int32_t m, int32_t n, int32_t ka, int32_t kb);
    void SetSingleShape(CubeSizes sizes);
    void SetSingleRange(CubeSizes most, CubeSizes least);
    void SetAlignSplit(CubeSizes units);
    void SetDim(int32_t dim);
    void SetFixSplit(CubeSizes base);
    void SetSplitRange(CubeSizes most, CubeSizes least);  // no effect, as the page says
    void SetBias(bool bias) { bias_ = bias; }
    void SetBufferSpace(int32_t l1, int32_t l0c, int32_t ub, int32_t bt);
    void SetTraverse(int32_t traverse);                           // 0 not set, 1 M first, 2 N first
    void SetConfigType(int32_t type);                             // 0 Norm, 1 MDL
    void SetThreeBuffers(bool three) { three_buffers_ = three; }  // scheduleType N_BUFFER_33
    void SetLayout(CubeOperand operand, CubeLayout layout);
    void SetBatchNum(int32_t number);
    void SetBatchInfoForNormal(int32_t batch_a, int32_t batch_b, int32_t m, int32_t n, int32_t k);
    void SetSplitK(bool split) { split_k_ = split; }
    void SetSparse(bool sparse) const;

    // The tiling (adv.md 3.4). Throws Error with the constraint that cannot be met.
    TCubeTiling Plan();

    // Of the last plan. Throws Error before one.
    const TCubeTiling& Planned(const char* call) const;
    int32_t pieces_m() const { return pieces_.m; }
    int32_t pieces_n() const { return pieces_.n; }
    const CubeMachine& machine() const { return machine_; }
    CubeScope scope() const { return scope_; }

private:
    struct Buffers {
        uint64_t l1, l0c, ub, bt;
    };
    void CheckTypes() const;
    void CheckShapes() const;
    CubeSizes Whole() const;                     // what is to be computed
    void ChoosePiece(TCubeTiling& tiling);       // step 1
    void ChooseBase(TCubeTiling& tiling) const;  // step 2
    void SplitOverCores(const CubeSizes& whole, CubeSizes& piece) const;
    void CopyBatch(TCubeTiling& tiling) const;
    Buffers Limits() const;
    CubeSizes Units() const;  // what pieces and base blocks of M and N are multiples of

    CubeMachine machine_;
    CubeScope scope_;
    CubeTypes types_;
    CubeSizes shape_, single_, most_, least_, units_, base_, pieces_;
    int32_t org_m_ = -1, org_n_ = -1, org_ka_ = -1, org_kb_ = -1;
    int32_t dim_ = 1, batches_ = 0;
    int32_t space_[4] = {-1, -1, -1, -1};  // L1, L0C, UB, bias table
    bool bias_ = false, split_k_ = false, three_buffers_ = false, n_first_ = false, planned_ = false;
    CubeLayout layout_[3];  // A, B, C
    TCubeTiling plan_;
};

}  // namespace sfumato::tiling
