// SPDX-License-Identifier: Apache-2.0
// The tiling classes of Matmul for host programs (adv.md 3.3). Setters return 0, or -1 with a message that
// aclGetRecentErrMsg returns and that is printed when the program ends unread; GetTiling too.
#pragma once

#include <cstdint>

#include "sfumato/ascendc/matmul/schedule.h"
#include "sfumato/ascendc/position.h"
#include "sfumato/host/platform.h"
#include "sfumato/tiling/cube_format.h"
#include "sfumato/tiling/cube_scope.h"
#include "sfumato/tiling/cube_tiling.h"
#include "sfumato/type_numbers.h"
#include "sfumato/type_macros_off.inc"

namespace sfumato {
namespace tiling {
class CubePlanner;
}
}  // namespace sfumato

namespace matmul_tiling {

using AscendC::CubeFormat;
using AscendC::ScheduleType;
using AscendC::TPosition;

// The numbers are those of the graph engine's types.
enum class DataType : int32_t {
#define SFUMATO_X(word, number, type, numpy) DT_##word = number,
    SFUMATO_TYPE_NUMBERS(SFUMATO_X)
#undef SFUMATO_X
        DT_BFLOAT16 = DT_BF16
};
enum class MatrixTraverse : int32_t { NOSET = 0, FIRSTM = 1, FIRSTN = 2 };
enum class MatrixMadType : int32_t { NORMAL = 0, HF32 = 1 };
enum class DequantType : int32_t { SCALAR = 0, TENSOR = 1 };

struct MatmulConfigParams {
    int32_t mmConfigType;  // 0 Norm, 1 MDL
    bool enableL1CacheUB;
    ScheduleType scheduleType;
    MatrixTraverse traverse;
    bool enVecND2NZ;
    MatmulConfigParams(int32_t config = 1, bool l1_cache_ub = false,
                       ScheduleType schedule = ScheduleType::INNER_PRODUCT,
                       MatrixTraverse order = MatrixTraverse::NOSET, bool vec_nd2nz = false)
        : mmConfigType(config),
          enableL1CacheUB(l1_cache_ub),
          scheduleType(schedule),
          traverse(order),
          enVecND2NZ(vec_nd2nz) {}
};

// Sizes in bytes; 0: that of the chip.
struct PlatformInfo {
    platform_ascendc::SocVersion socVersion = platform_ascendc::SocVersion::ASCEND910B;
    uint64_t l1Size = 0, l0CSize = 0, ubSize = 0, l0ASize = 0, l0BSize = 0;
};

// What a Matmul with a tiling takes besides, in bytes.
struct SysTilingTempBufSize {
    int32_t ubSize = 0, l1Size = 0, l0cSize = 0;
};

class SFUMATO_API MatmulApiTilingBase {
public:
    MatmulApiTilingBase(const MatmulApiTilingBase& other);
    MatmulApiTilingBase& operator=(const MatmulApiTilingBase& other);
    // Here, so that its table is a program's own: the libraries of the vendor's names have functions only.
    virtual ~MatmulApiTilingBase() { Forget(); }

    int32_t SetAType(TPosition position, CubeFormat format, DataType type, bool isTrans = false);
    int32_t SetBType(TPosition position, CubeFormat format, DataType type, bool isTrans = false);
    int32_t SetCType(TPosition position, CubeFormat format, DataType type);
    int32_t SetBiasType(TPosition position, CubeFormat format, DataType type);
    // What is computed: by all cores together with MultiCoreMatmulTiling, else by one.
    int32_t SetShape(int32_t m, int32_t n, int32_t k);
    // The whole matrices.
    int32_t SetOrgShape(int32_t orgM, int32_t orgN, int32_t orgK) { return SetOrgShape(orgM, orgN, orgK, orgK); }
    int32_t SetOrgShape(int32_t orgM, int32_t orgN, int32_t orgKa, int32_t orgKb);
    // Base sizes; -1: chosen. baseK is always chosen.
    int32_t SetFixSplit(int32_t baseM = -1, int32_t baseN = -1, int32_t baseK = -1);
    // No effect, as the page says.
    int32_t SetSplitRange(int32_t maxBaseM = -1, int32_t maxBaseN = -1, int32_t maxBaseK = -1, int32_t minBaseM = -1,
                          int32_t minBaseN = -1, int32_t minBaseK = -1);
    int32_t EnableBias(bool isBias) { return SetBias(isBias); }
    int32_t SetBias(bool isBias);
    // Bytes that may be used; -1: all.
    int32_t SetBufferSpace(int32_t l1Size = -1, int32_t l0CSize = -1, int32_t ubSize = -1, int32_t btSize = -1);
    int32_t SetTraverse(MatrixTraverse traverse);
    // No effect, as the page says.
    int32_t SetMadType(MatrixMadType type);
    // Reserved by the page: no effect.
    int32_t SetDoubleBuffer(bool a, bool b, bool c, bool bias, bool transND2NZ = true, bool transNZ2ND = true);
    // Must match SetQuantScalar or SetQuantVector of the kernel; no effect on the plan.
    int32_t SetDequantType(DequantType type);
    void SetMatmulConfigParams(int32_t mmConfigType = 1, bool enableL1CacheUB = false,
                               ScheduleType scheduleType = ScheduleType::INNER_PRODUCT,
                               MatrixTraverse traverse = MatrixTraverse::NOSET, bool enVecND2NZ = false);
    void SetMatmulConfigParams(const MatmulConfigParams& params);
    int32_t SetALayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d);
    int32_t SetBLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d);
    int32_t SetCLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d);
    int32_t SetBatchNum(int32_t batch);
    int32_t SetBatchInfoForNormal(int32_t batchA, int32_t batchB, int32_t m, int32_t n, int32_t k);
    int32_t SetSparse(bool isSparse);

    // -1, and the tiling untouched, when there is none.
    int64_t GetTiling(AscendC::tiling::TCubeTiling& tiling);
    // After GetTiling; -1 before.
    int32_t GetBaseM() const;
    int32_t GetBaseN() const;
    int32_t GetBaseK() const;

protected:
    using Scope = sfumato::tiling::CubeScope;
    explicit MatmulApiTilingBase(Scope scope);
    MatmulApiTilingBase(const platform_ascendc::PlatformAscendC& platform, Scope scope);
    MatmulApiTilingBase(const PlatformInfo& platform, Scope scope);

    int32_t SetSingle(int32_t m, int32_t n, int32_t k);
    int32_t SetRange(int32_t maxM, int32_t maxN, int32_t maxK, int32_t minM, int32_t minN, int32_t minK);
    int32_t SetUnits(int32_t m, int32_t n, int32_t k);
    int32_t SetCores(int32_t dim);
    void SplitK(bool split);
    int32_t Single(int32_t& m, int32_t& n, int32_t& k) const;
    int32_t Cores(int32_t& dim, int32_t& m, int32_t& n) const;

private:
    void Forget();

    sfumato::tiling::CubePlanner* planner_;  // owned
};

class SFUMATO_API MatmulApiTiling : public MatmulApiTilingBase {
public:
    MatmulApiTiling() : MatmulApiTilingBase(Scope::kOneCore) {}
    explicit MatmulApiTiling(const platform_ascendc::PlatformAscendC& platform)
        : MatmulApiTilingBase(platform, Scope::kOneCore) {}
    explicit MatmulApiTiling(const PlatformInfo& platform) : MatmulApiTilingBase(platform, Scope::kOneCore) {}
};

class SFUMATO_API MultiCoreMatmulTiling : public MatmulApiTilingBase {
public:
    MultiCoreMatmulTiling() : MatmulApiTilingBase(Scope::kManyCores) {}
    explicit MultiCoreMatmulTiling(const platform_ascendc::PlatformAscendC& platform)
        : MatmulApiTilingBase(platform, Scope::kManyCores) {}
    explicit MultiCoreMatmulTiling(const PlatformInfo& platform) : MatmulApiTilingBase(platform, Scope::kManyCores) {}

    // Cores that may be used: vector cores in MIX kernels, else cube cores.
    int32_t SetDim(int32_t dim) { return SetCores(dim); }
    int32_t SetSingleShape(int32_t singleM = -1, int32_t singleN = -1, int32_t singleK = -1) {
        return SetSingle(singleM, singleN, singleK);
    }
    int32_t SetSingleRange(int32_t maxM = -1, int32_t maxN = -1, int32_t maxK = -1, int32_t minM = -1,
                           int32_t minN = -1, int32_t minK = -1) {
        return SetRange(maxM, maxN, maxK, minM, minN, minK);
    }
    int32_t SetAlignSplit(int32_t alignM, int32_t alignN, int32_t alignK) { return SetUnits(alignM, alignN, alignK); }
    void EnableMultiCoreSplitK(bool flag) { SplitK(flag); }
    int32_t SetSplitK(bool flag) {
        SplitK(flag);
        return 0;
    }
    int32_t GetSingleShape(int32_t& m, int32_t& n, int32_t& k) const { return Single(m, n, k); }
    // dim = mDim x nDim (x the parts of K).
    int32_t GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim) const { return Cores(dim, mDim, nDim); }
};

// Plans the batches of one core (adv.md 3.4, decided): the program shares them out.
class SFUMATO_API BatchMatmulTiling : public MatmulApiTilingBase {
public:
    BatchMatmulTiling() : MatmulApiTilingBase(Scope::kBatch) {}
    explicit BatchMatmulTiling(const platform_ascendc::PlatformAscendC& platform)
        : MatmulApiTilingBase(platform, Scope::kBatch) {}

    int32_t SetSingleShape(int32_t singleM = -1, int32_t singleN = -1, int32_t singleK = -1) {
        return SetSingle(singleM, singleN, singleK);
    }
    int32_t GetSingleShape(int32_t& m, int32_t& n, int32_t& k) const { return Single(m, n, k); }
    int32_t GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim, int32_t& batchCoreM, int32_t& batchCoreN) const {
        batchCoreM = batchCoreN = 1;
        return Cores(dim, mDim, nDim);
    }
};

}  // namespace matmul_tiling

// Bytes that the plan of a tiling takes. 0, or -1 with a message for a tiling that no GetTiling made.
SFUMATO_API int32_t MatmulGetTmpBufSize(AscendC::tiling::TCubeTiling& tiling,
                                        matmul_tiling::SysTilingTempBufSize& bufSize);
SFUMATO_API int32_t MultiCoreMatmulGetTmpBufSize(AscendC::tiling::TCubeTiling& tiling,
                                                 matmul_tiling::SysTilingTempBufSize& bufSize);
SFUMATO_API int32_t BatchMatmulGetTmpBufSize(AscendC::tiling::TCubeTiling& tiling,
                                             matmul_tiling::SysTilingTempBufSize& bufSize);
// The same of the plain struct, which here is the same struct.
inline int32_t MatmulGetTmpBufSizeV2(AscendC::tiling::TCubeTiling& tiling,
                                     matmul_tiling::SysTilingTempBufSize& bufSize) {
    return MatmulGetTmpBufSize(tiling, bufSize);
}
inline int32_t MultiCoreMatmulGetTmpBufSizeV2(AscendC::tiling::TCubeTiling& tiling,
                                              matmul_tiling::SysTilingTempBufSize& bufSize) {
    return MultiCoreMatmulGetTmpBufSize(tiling, bufSize);
}
inline int32_t BatchMatmulGetTmpBufSizeV2(AscendC::tiling::TCubeTiling& tiling,
                                          matmul_tiling::SysTilingTempBufSize& bufSize) {
    return BatchMatmulGetTmpBufSize(tiling, bufSize);
}
namespace matmul_tiling {
using ::BatchMatmulGetTmpBufSize;
using ::MatmulGetTmpBufSize;
using ::MultiCoreMatmulGetTmpBufSize;
}  // namespace matmul_tiling

#ifdef SFUMATO_TYPE_MACROS
#include "sfumato/type_macros.h"
#endif
