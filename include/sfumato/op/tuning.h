// SPDX-License-Identifier: Apache-2.0
// Structs that a tuner fills with tilings it has found. Nothing tunes here: the structs are there, and nobody
// registers.
#pragma once

#include <cstdint>

#include "sfumato/op/types.h"

namespace tuningtiling {

class TuningTilingDef {
public:
    virtual ~TuningTilingDef() = default;
};

}  // namespace tuningtiling

#define BEGIN_TUNING_TILING_DEF(name)                     \
    class name : public ::tuningtiling::TuningTilingDef { \
    public:
#define TUNING_TILING_DATA_FIELD_DEF(type, name) type name = type();
#define END_TUNING_TILING_DEF }
#define FIELD(type, name) static_cast<void>(sizeof(static_cast<type*>(nullptr)->name))
#define DECLARE_SCHEMA(type, ...) static_assert(sizeof(type) != 0, "a struct of a tuner");
#define REGISTER_TUNING_TILING_CLASS(op_type, type) static_assert(sizeof(type) != 0, "a struct of a tuner");
#define DECLARE_STRUCT_RELATE_WITH_OP(op_type, type, ...) static_assert(sizeof(type) != 0, "a key of a tuner");
#define REGISTER_OP_BANK_KEY_CONVERT_FUN(op_type, function) static_assert(sizeof(&function) != 0, "of a tuner");
#define REGISTER_OP_BANK_KEY_PARSE_FUN(op_type, parse, load) \
    static_assert(sizeof(&parse) != 0 && sizeof(&load) != 0, "of a tuner");
