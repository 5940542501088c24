// SPDX-License-Identifier: Apache-2.0
// Definitions that contradict themselves; each stands on a line of its own.
#include <stdexcept>

#include "register/op_def_registry.h"

// A case a line.
// clang-format off
#define DEFINE(name, ...)                                              \
    class name : public OpDef {                                        \
    public:                                                            \
        explicit name(const char* type) : OpDef(type) { __VA_ARGS__; } \
    };                                                                 \
    OP_ADD(name)
#define X Input("x").DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
#define Z Output("z").DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
#define CHIP AICore().AddConfig("ascend910b")

namespace ops {
#line 1 "definitions.cpp"
DEFINE(TwoLengths, X; Output("z").DataType({ge::DT_FLOAT}); CHIP);
DEFINE(FormatLength, X.Format({ge::FORMAT_ND}); Z; CHIP);
DEFINE(EmptyTypes, Input("x").DataType({}); Z; CHIP);
DEFINE(EmptyFree, X; Output("z").DataTypeList({}); CHIP);
DEFINE(NoTypes, X; Output("z"); CHIP);
DEFINE(TwoInputs, X; X; Z; CHIP);
DEFINE(TwoAttrs, X; Z; Attr("a").Int(); Attr("a").Bool(); CHIP);
DEFINE(AttrWithoutType, X; Z; Attr("a"); CHIP);
DEFINE(NoConfig, X; Z);
DEFINE(Nothing, CHIP);
DEFINE(Unnamed, Input("").DataType({ge::DT_FLOAT}); Z; CHIP);
DEFINE(Virtual, X.ParamType(VIRTUAL); Z; CHIP);
DEFINE(FollowsNothing, X; Output("z").Follow("y"); CHIP);
DEFINE(Initials, X; Z.InitValue({ScalarVar(ScalarType::FLOAT32, 1.0f), ScalarVar(ScalarType::FLOAT32, 2.0f)}); CHIP);
DEFINE(Throws, throw std::runtime_error("out of luck"));
DEFINE(Talks, X; Z; MC2().HcclGroup("group"); CHIP);
DEFINE(TooMany, for (int i = 0; i < 17; ++i) Input(std::to_string(i).c_str()).DataTypeList({ge::DT_FLOAT, ge::DT_INT8}); CHIP);
DEFINE(Twice, X; Z; CHIP);
namespace again { DEFINE(Twice, X; Z; CHIP); }
DEFINE(A3, X; Z; AICore().AddConfig("ascend910_93"));
DEFINE(Good, X; Z; CHIP);
DEFINE(VersionGap, X; Input("y").DataTypeList({ge::DT_FLOAT}).ParamType(OPTIONAL).Version(1); Z; Attr("a").AttrType(OPTIONAL).Int(0).Version(3); CHIP);
DEFINE(VersionRequired, X; Z; Attr("a").Int().Version(1); CHIP);
}  // namespace ops
