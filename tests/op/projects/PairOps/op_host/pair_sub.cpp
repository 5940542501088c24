// SPDX-License-Identifier: Apache-2.0
#include "pair_common.h"

namespace pair_ops {
IMPL_OP_OPTILING(PairSub).Tiling(PairTiling).TilingParse<PairCompileInfo>(PairTilingParse);
IMPL_OP_INFERSHAPE(PairSub).InferShape(PairInferShape);
}  // namespace pair_ops

namespace ops {
class PairSub : public pair_ops::PairDef {
public:
    explicit PairSub(const char* name) : PairDef(name, "pair_sub") {}
};
OP_ADD(PairSub);
}  // namespace ops
