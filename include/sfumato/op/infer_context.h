// SPDX-License-Identifier: Apache-2.0
// The contexts of InferShape, InferDataType and InferShapeRange (docs/spec/clients.md 6.3).
#pragma once

#include "sfumato/op/context.h"
#include "sfumato/type_macros_off.inc"

namespace gert {

class SFUMATO_API InferShapeContext : public ExtendedKernelContext {
public:
    using ExtendedKernelContext::ExtendedKernelContext;

    const Shape* GetInputShape(size_t index, Where where = Where::Here()) const;
    const Shape* GetOptionalInputShape(size_t ir_index, Where where = Where::Here()) const;
    const Shape* GetRequiredInputShape(size_t ir_index, Where where = Where::Here()) const;
    const Shape* GetDynamicInputShape(size_t ir_index, size_t relative_index, Where where = Where::Here()) const;
    const Tensor* GetInputTensor(size_t index, Where where = Where::Here()) const;
    const Tensor* GetOptionalInputTensor(size_t ir_index, Where where = Where::Here()) const;
    const Tensor* GetRequiredInputTensor(size_t ir_index, Where where = Where::Here()) const;
    const Tensor* GetDynamicInputTensor(size_t ir_index, size_t relative_index, Where where = Where::Here()) const;
    // To be set.
    Shape* GetOutputShape(size_t index, Where where = Where::Here());
    Shape* GetRequiredOutputShape(size_t ir_index, Where where = Where::Here());
    Shape* GetDynamicOutputShape(size_t ir_index, size_t relative_index, Where where = Where::Here());
};

class SFUMATO_API InferDataTypeContext : public ExtendedKernelContext {
public:
    using ExtendedKernelContext::ExtendedKernelContext;

    // DT_UNDEFINED of an absent one.
    ge::DataType GetInputDataType(size_t index, Where where = Where::Here()) const;
    ge::DataType GetOptionalInputDataType(size_t ir_index, Where where = Where::Here()) const;
    ge::DataType GetRequiredInputDataType(size_t ir_index, Where where = Where::Here()) const;
    ge::DataType GetDynamicInputDataType(size_t ir_index, size_t relative_index, Where where = Where::Here()) const;
    ge::DataType GetOutputDataType(size_t index, Where where = Where::Here()) const;
    ge::graphStatus SetOutputDataType(size_t index, ge::DataType type, Where where = Where::Here());
    ge::graphStatus SetRequiredOutputDataType(size_t ir_index, ge::DataType type, Where where = Where::Here());
    ge::graphStatus SetDynamicOutputDataType(size_t ir_index, size_t relative_index, ge::DataType type,
                                             Where where = Where::Here());
};

using TensorRange = Range<Tensor>;

// Shapes are known here: a range is one shape, and no function of this kind is called.
class SFUMATO_API InferShapeRangeContext : public ExtendedKernelContext {
public:
    using ExtendedKernelContext::ExtendedKernelContext;

    const Range<Shape>* GetInputShapeRange(size_t index, Where where = Where::Here()) const;
    const Range<Shape>* GetOptionalInputShapeRange(size_t ir_index, Where where = Where::Here()) const;
    const Range<Shape>* GetRequiredInputShapeRange(size_t ir_index, Where where = Where::Here()) const;
    const Range<Shape>* GetDynamicInputShapeRange(size_t ir_index, size_t relative_index,
                                                  Where where = Where::Here()) const;
    const TensorRange* GetInputTensorRange(size_t index, Where where = Where::Here()) const;
    const TensorRange* GetOptionalInputTensorRange(size_t ir_index, Where where = Where::Here()) const;
    const TensorRange* GetRequiredInputTensorRange(size_t ir_index, Where where = Where::Here()) const;
    const TensorRange* GetDynamicInputTensorRange(size_t ir_index, size_t relative_index,
                                                  Where where = Where::Here()) const;
    Range<Shape>* GetOutputShapeRange(size_t index, Where where = Where::Here());

private:
    const Range<Shape>* ShapeRangeOf(const Tensor* tensor) const;
    const TensorRange* TensorRangeOf(const Tensor* tensor) const;
};

}  // namespace gert

#ifdef SFUMATO_TYPE_MACROS
#include "sfumato/type_macros.h"
#endif
