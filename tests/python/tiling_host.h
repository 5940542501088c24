// SPDX-License-Identifier: Apache-2.0
// A tiling header of a host, which the kernel of tiling_host.cpp does not include.
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(HostTiling)
TILING_DATA_FIELD_DEF(uint32_t, count);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Host, HostTiling)

BEGIN_TILING_DATA_DEF(HostTilingOfSeven)
TILING_DATA_FIELD_DEF(uint32_t, unused);
TILING_DATA_FIELD_DEF(uint32_t, count);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Host_7, HostTilingOfSeven)
}  // namespace optiling
