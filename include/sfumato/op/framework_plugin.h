// SPDX-License-Identifier: Apache-2.0
// What plug-ins for TensorFlow, ONNX and Caffe register (register/register.h). Nothing here reads a model, so nothing
// is kept: the sources that msopgen writes beside an operator compile.
#pragma once

#include <initializer_list>
#include <string>

#include "sfumato/op/host.h"

namespace google {
namespace protobuf {
class Message;
}
}  // namespace google

namespace domi {

enum FrameworkType { CAFFE = 0, MINDSPORE = 1, TENSORFLOW = 3, ANDROID_NN = 4, ONNX = 5, FRAMEWORK_RESERVED = 6 };
enum class ImplyType : unsigned int { BUILDIN = 0, TVM, CUSTOM, AI_CPU, CCE, GELOCAL, HCCL, INVALID };

using Status = uint32_t;
constexpr Status SUCCESS = 0, FAILED = 0xFFFFFFFF;

inline Status AutoMappingFn(const google::protobuf::Message*, ge::Operator&) { return SUCCESS; }
inline Status AutoMappingByOpFn(const ge::Operator&, ge::Operator&) { return SUCCESS; }
inline Status AutoMappingSubgraphIndex(...) { return SUCCESS; }

// A chain of calls; what they are given is dropped.
class OpRegistrationData {
public:
    explicit OpRegistrationData(const char*) {}
    OpRegistrationData& FrameworkType(const domi::FrameworkType&) { return *this; }
    OpRegistrationData& OriginOpType(const char*) { return *this; }
    OpRegistrationData& OriginOpType(std::initializer_list<const char*>) { return *this; }
    OpRegistrationData& ImplyType(const domi::ImplyType&) { return *this; }
    template <class... T>
    OpRegistrationData& DelInputWithCond(const T&...) {
        return *this;
    }
    template <class... T>
    OpRegistrationData& DelInputWithOriginalType(const T&...) {
        return *this;
    }
    OpRegistrationData& InputReorderVec(std::initializer_list<int>) { return *this; }
    template <class F>
    OpRegistrationData& ParseParamsFn(const F&) {
        return *this;
    }
    template <class F>
    OpRegistrationData& ParseParamsByOperatorFn(const F&) {
        return *this;
    }
    template <class F>
    OpRegistrationData& FusionParseParamsFn(const F&) {
        return *this;
    }
    template <class F>
    OpRegistrationData& ParseSubgraphPostFn(const F&) {
        return *this;
    }
    template <class F>
    OpRegistrationData& ParseOpToGraphFn(const F&) {
        return *this;
    }
};

}  // namespace domi

#define SFUMATO_PLUGIN_NAME2(n) sfumato_plugin_##n
#define SFUMATO_PLUGIN_NAME(n) SFUMATO_PLUGIN_NAME2(n)
#define REGISTER_CUSTOM_OP(name) \
    static const ::domi::OpRegistrationData SFUMATO_PLUGIN_NAME(__COUNTER__) = ::domi::OpRegistrationData(name)
