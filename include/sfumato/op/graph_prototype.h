// SPDX-License-Identifier: Apache-2.0
// graph/operator_reg.h: prototypes of operators for graphs (REG_OP). Nothing here runs graphs, so nothing is kept:
// sources that have them compile, op_proto.h of a package among them.
#pragma once

#include <initializer_list>

#include "sfumato/op/graph_operator.h"
#include "sfumato/type_macros_off.inc"

namespace ge {

// The element types of a parameter.
struct TensorType {
    TensorType(DataType) {}
    TensorType(std::initializer_list<DataType>) {}
    static TensorType ALL() { return {DT_FLOAT}; }
    static TensorType BasicType() { return ALL(); }
    static TensorType NumberType() { return ALL(); }
    static TensorType RealNumberType() { return ALL(); }
    static TensorType QuantifiedType() { return ALL(); }
    static TensorType OrdinaryType() { return ALL(); }
    static TensorType UnaryDataType() { return ALL(); }
    static TensorType ComplexDataType() { return ALL(); }
    static TensorType IntegerDataType() { return ALL(); }
    static TensorType SignedDataType() { return ALL(); }
    static TensorType FloatingDataType() { return ALL(); }
    static TensorType IndexNumberType() { return ALL(); }
    static TensorType FLOAT() { return ALL(); }
};

// A chain of calls; what they are given is dropped.
struct Prototype {
    Prototype& Sfumato(...) { return *this; }
    Prototype& Typed(const TensorType&) { return *this; }
};

}  // namespace ge

#define SFUMATO_PROTOTYPE_NAME2(n) sfumato_prototype_##n
#define SFUMATO_PROTOTYPE_NAME(n) SFUMATO_PROTOTYPE_NAME2(n)
#define REG_OP(op) static const ::ge::Prototype SFUMATO_PROTOTYPE_NAME(__COUNTER__) = ::ge::Prototype()
#define OP_END_FACTORY_REG(op) Sfumato();
#define INPUT(name, type) Typed(type)
#define OPTIONAL_INPUT(name, type) Typed(type)
#define DYNAMIC_INPUT(name, type) Typed(type)
#define OUTPUT(name, type) Typed(type)
#define DYNAMIC_OUTPUT(name, type) Typed(type)
#define ATTR(name, type, ...) Sfumato()
#define REQUIRED_ATTR(name, type) Sfumato()
#define DATATYPE(name, type) Typed(type)
#define GRAPH(name) Sfumato()
#define DYNAMIC_GRAPH(name) Sfumato()
#define INFER_SHAPE_AND_TYPE() Sfumato()

#ifdef SFUMATO_TYPE_MACROS
#include "sfumato/type_macros.h"
#endif
