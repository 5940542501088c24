// SPDX-License-Identifier: Apache-2.0
#include "pair_common.h"

namespace pair_ops {
IMPL_OP_OPTILING(PairMax).Tiling(PairTiling).TilingParse<PairCompileInfo>(PairTilingParse);
IMPL_OP_INFERSHAPE(PairMax).InferShape(PairInferShape);
}  // namespace pair_ops

namespace ops {
class PairMax : public pair_ops::PairDef {
public:
    explicit PairMax(const char* name) : PairDef(name, "pair_max") {}
};
OP_ADD(PairMax);
}  // namespace ops
