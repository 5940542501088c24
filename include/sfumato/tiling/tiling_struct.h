// SPDX-License-Identifier: Apache-2.0
// A struct of tiling data that is plain in kernels and has the host's accessors (adv.md 3, framework.md 4.6): one type
// under AscendC::tiling and optiling, so that a header both sides include names one struct.
#pragma once

#include <cstdint>

#include "sfumato/tiling_data.h"

// A member with its accessors, 0 at first.
#define SFUMATO_TILING_MEMBER(type, name)                           \
    type name = 0;                                                  \
    SFUMATO_CONSTEXPR void set_##name(type value) { name = value; } \
    constexpr type get_##name() const { return name; }

// What the host does with the whole.
#define SFUMATO_TILING_WHOLE(Name)                                                                              \
    size_t GetDataSize() const { return sizeof(Name); }                                                         \
    void SaveToBuffer(void* buffer, size_t capacity, ::sfumato::Where where = ::sfumato::Where::Here()) const { \
        ::sfumato::tiling::Save(this, sizeof(Name), #Name, buffer, capacity, where);                            \
    }
