// SPDX-License-Identifier: Apache-2.0
#ifndef COLUMN_SUMS_TILING_H
#define COLUMN_SUMS_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(MatrixShape)
TILING_DATA_FIELD_DEF(uint32_t, m);
TILING_DATA_FIELD_DEF(uint32_t, n);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(MatrixShapeOp, MatrixShape)

BEGIN_TILING_DATA_DEF(ColumnSumsTilingData)
TILING_DATA_FIELD_DEF_STRUCT(MatrixShape, shape);
TILING_DATA_FIELD_DEF(uint32_t, tile);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ColumnSums, ColumnSumsTilingData)

class TilingDataColumnSums : public ColumnSumsTilingData {
public:
    void set_shape(uint32_t m, uint32_t n) {
        this->shape.set_m(m);
        this->shape.set_n(n);
        this->set_tile(1024);
    }
};
}  // namespace optiling
#endif
