// SPDX-License-Identifier: Apache-2.0
// IMPL_OP, IMPL_OP_OPTILING, IMPL_OP_INFERSHAPE: the host functions of an operator (docs/spec/clients.md 6.2).
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "sfumato/op/infer_context.h"
#include "sfumato/op/tiling_context.h"

namespace sfumato {
namespace op {

// What a library registers for an operator; the latest registration of a function counts.
struct HostFunctions {
    using Tiling = ge::graphStatus (*)(gert::TilingContext*);
    using InferShape = ge::graphStatus (*)(gert::InferShapeContext*);
    using InferDataType = ge::graphStatus (*)(gert::InferDataTypeContext*);

    Tiling tiling = nullptr;
    InferShape infer_shape = nullptr;
    InferDataType infer_type = nullptr;
    std::function<ge::graphStatus(gert::TilingParseContext*)> parse;
    std::function<std::shared_ptr<void>()> make_info;  // of TilingParse<T>: a T
    const std::type_info* info_type = nullptr;
    std::vector<size_t> shape_reads, tiling_reads;  // declared inputs whose values the functions read
    Where tiling_where, infer_where;                // of the registrations
};

// The entry of an operator in the library that is being loaded, else in the program's own.
SFUMATO_API HostFunctions& FunctionsOf(const char* op);

}  // namespace op
}  // namespace sfumato

namespace gert {

class OpExecuteContext;
class OpExecutePrepareContext;
class OpExecuteLaunchContext;

class OpImplRegisterV2 {
public:
    using TilingKernelFunc = sfumato::op::HostFunctions::Tiling;
    using InferShapeKernelFunc = sfumato::op::HostFunctions::InferShape;
    using InferDataTypeKernelFunc = sfumato::op::HostFunctions::InferDataType;
    using InferShapeRangeKernelFunc = ge::graphStatus (*)(InferShapeRangeContext*);
    using TilingParseFunc = ge::graphStatus (*)(TilingParseContext*);
    using KernelFunc = ge::graphStatus (*)(KernelContext*);

    explicit OpImplRegisterV2(const char* op, Where where = Where::Here())
        : functions_(&sfumato::op::FunctionsOf(op)), where_(where) {}

    OpImplRegisterV2& Tiling(TilingKernelFunc function) {
        functions_->tiling = function;
        functions_->tiling_where = where_;
        return *this;
    }
    // Makes a T once for each chip and passes it to the function.
    template <class T>
    OpImplRegisterV2& TilingParse(TilingParseFunc function) {
        return ParseWith<T>(function);
    }
    template <class T>
    OpImplRegisterV2& TilingParse(KernelFunc function) {
        return ParseWith<T>(function);
    }
    OpImplRegisterV2& InferShape(InferShapeKernelFunc function) {
        functions_->infer_shape = function;
        functions_->infer_where = where_;
        return *this;
    }
    OpImplRegisterV2& InferDataType(InferDataTypeKernelFunc function) {
        functions_->infer_type = function;
        functions_->infer_where = where_;
        return *this;
    }
    OpImplRegisterV2& InferShapeRange(InferShapeRangeKernelFunc) { return *this; }
    // Inputs, by declaration, whose values InferShape and the tiling function read.
    OpImplRegisterV2& InputsDataDependency(std::initializer_list<int32_t> inputs) {
        functions_->shape_reads.assign(inputs.begin(), inputs.end());
        return TilingInputsDataDependency(inputs);
    }
    OpImplRegisterV2& TilingInputsDataDependency(std::initializer_list<int32_t> inputs) {
        functions_->tiling_reads.insert(functions_->tiling_reads.end(), inputs.begin(), inputs.end());
        return *this;
    }
    // Of graphs, which call operators that have no kernel: nothing here calls these.
    OpImplRegisterV2& OpExecuteFunc(ge::graphStatus (*)(OpExecuteContext*)) { return *this; }
    OpImplRegisterV2& OpExecutePrepareFunc(ge::graphStatus (*)(OpExecutePrepareContext*)) { return *this; }
    OpImplRegisterV2& OpExecuteLaunchFunc(ge::graphStatus (*)(OpExecuteLaunchContext*)) { return *this; }
    OpImplRegisterV2& OutputShapeDependOnCompute(std::initializer_list<int32_t>) { return *this; }
    OpImplRegisterV2& HostInputs(std::initializer_list<int32_t>) { return *this; }
    // Attributes that no caller sees: nothing asks for them here.
    template <class... Values>
    OpImplRegisterV2& PrivateAttr(const char*, Values&&...) {
        return *this;
    }

private:
    template <class T, class Function>
    OpImplRegisterV2& ParseWith(Function function) {
        functions_->make_info = [] { return std::make_shared<T>(); };
        functions_->info_type = &typeid(T);
        functions_->parse = [function](TilingParseContext* context) {
            return function == nullptr ? ge::GRAPH_SUCCESS : function(context);
        };
        return *this;
    }

    sfumato::op::HostFunctions* functions_;
    Where where_;
};
using OpImplRegister = OpImplRegisterV2;

}  // namespace gert

#define SFUMATO_OP_JOIN_(a, b) a##b
#define SFUMATO_OP_JOIN(a, b) SFUMATO_OP_JOIN_(a, b)
#define IMPL_OP(op_type)                                                     \
    __attribute__((unused)) static ::gert::OpImplRegisterV2 SFUMATO_OP_JOIN( \
        sfumato_functions_of_##op_type, __COUNTER__) = ::gert::OpImplRegisterV2(#op_type)
#define IMPL_OP_OPTILING(op_type) IMPL_OP(op_type)
#define IMPL_OP_INFERSHAPE(op_type) IMPL_OP(op_type)
#define DEVICE_IMPL_OP_OPTILING(op_type) IMPL_OP(op_type)
