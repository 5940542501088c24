// SPDX-License-Identifier: Apache-2.0
// SoftMaxTiling and its sisters, shared by kernels, host code and Python: SFUMATO_TILING_* rows as structs.
#pragma once

#include "sfumato/tiling/tiling_struct.h"

namespace AscendC {
namespace tiling {

#define SFUMATO_TILING_TYPE(Name) struct Name {
#define SFUMATO_TILING_FIELD(type, name) SFUMATO_TILING_MEMBER(type, name)
#define SFUMATO_TILING_END(Name) \
    SFUMATO_TILING_WHOLE(Name)   \
    }                            \
    ;
#include "sfumato/tiling/vector_tiling.inc"
#undef SFUMATO_TILING_TYPE
#undef SFUMATO_TILING_FIELD
#undef SFUMATO_TILING_END

}  // namespace tiling
}  // namespace AscendC

#define SFUMATO_TILING_FIELD(type, name)
#define SFUMATO_TILING_END(Name)
namespace AscendC {
#define SFUMATO_TILING_TYPE(Name) using tiling::Name;
#include "sfumato/tiling/vector_tiling.inc"
#undef SFUMATO_TILING_TYPE
}  // namespace AscendC
namespace optiling {
#define SFUMATO_TILING_TYPE(Name) using AscendC::tiling::Name;
#include "sfumato/tiling/vector_tiling.inc"
}  // namespace optiling
#include "sfumato/tiling/vector_tiling.inc"
#undef SFUMATO_TILING_TYPE
#undef SFUMATO_TILING_FIELD
#undef SFUMATO_TILING_END
