// SPDX-License-Identifier: Apache-2.0
// Definitions that contradict themselves, each an operator.
#include <stdexcept>

#include "register/op_def_registry.h"

namespace ops {

// A definition a line.
// clang-format off
#define DEFINITION(Op, ...)                               \
    class Op : public OpDef {                             \
    public:                                               \
        explicit Op(const char* name) : OpDef(name) {     \
            AICore().AddConfig("ascend910b");             \
            __VA_ARGS__;                                  \
        }                                                 \
    };                                                    \
    OP_ADD(Op);

DEFINITION(ListsDiffer, Input("x").DataType({ge::DT_FLOAT, ge::DT_INT32}), Output("z").DataType({ge::DT_FLOAT}))
DEFINITION(FormatsDiffer, Input("x").DataType({ge::DT_FLOAT}), Output("z").DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_NCHW}))
DEFINITION(ListEmpty, Input("x").DataType({}), Output("z").DataType({ge::DT_FLOAT}))
DEFINITION(NoTypes, Input("x").ParamType(REQUIRED).Format({ge::FORMAT_ND}), Output("z").DataType({ge::DT_FLOAT}))
DEFINITION(InputTwice, Input("x").DataType({ge::DT_FLOAT}), Input("x").DataType({ge::DT_FLOAT}))
DEFINITION(OutputTwice, Output("z").DataType({ge::DT_FLOAT}), Output("z").DataType({ge::DT_FLOAT}))
DEFINITION(AttrTwice, Input("x").DataType({ge::DT_FLOAT}), Attr("axis").Int(), Attr("axis").Int(1))
DEFINITION(AttrNoType, Input("x").DataType({ge::DT_FLOAT}), Attr("axis").AttrType(REQUIRED))
DEFINITION(AttrLikeInput, Input("x").DataType({ge::DT_FLOAT}), Attr("x").Int())
DEFINITION(NoName, Input("").DataType({ge::DT_FLOAT}))
DEFINITION(Nothing, Attr("axis").Int(1))
DEFINITION(FollowsNobody, Input("x").DataType({ge::DT_FLOAT}), Output("z").Follow("y"))
DEFINITION(Virtual, Input("x").ParamType(VIRTUAL).DataType({ge::DT_FLOAT}))
DEFINITION(Throws, throw std::runtime_error("no luck"))
DEFINITION(OtherChip, Input("x").DataType({ge::DT_FLOAT}), Output("z").DataType({ge::DT_FLOAT}), AICore().AddConfig("ascend310p"))
DEFINITION(Communicates, Input("x").DataType({ge::DT_FLOAT}), MC2().HcclGroup("group"))
// clang-format on

class NoConfig : public OpDef {
public:
    explicit NoConfig(const char* name) : OpDef(name) { this->Input("x").DataType({ge::DT_FLOAT}); }
};
OP_ADD(NoConfig);

class Twice : public OpDef {
public:
    explicit Twice(const char* name) : OpDef(name) {
        this->Input("x").DataType({ge::DT_FLOAT});
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(Twice);
OP_ADD(Twice);

}  // namespace ops
