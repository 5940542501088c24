// SPDX-License-Identifier: Apache-2.0
// Operators of PyTorch on streams that keep their work for later (NPUGraph).
#pragma once

#include <ATen/native/CPUFallback.h>

#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include "faults.h"
#include "format.h"
#include "later.h"
#include "random.h"

namespace torch_npu {

namespace kept {

// What a later call takes, in place of what the caller owns and may change: a tensor may get other sizes in place, and
// the values of one of the CPU are arguments, as numbers are.
template <class T>
T Held(const T& value) {
    return value;
}
inline std::vector<int64_t> Held(c10::IntArrayRef values) { return values.vec(); }
inline at::Tensor Held(const at::Tensor& tensor) {
    if (!tensor.defined()) return tensor;
    if (tensor.is_cpu()) return tensor.clone();
    return at::Tensor(tensor.unsafeGetTensorImpl()->shallow_copy_and_detach(c10::VariableVersion(0), true));
}
inline c10::optional<at::Tensor> Held(const c10::optional<at::Tensor>& tensor) {
    return tensor ? c10::make_optional(Held(*tensor)) : c10::nullopt;
}
template <class... T>
std::tuple<T...> Held(const std::tuple<T...>& values) {
    return std::apply([](const auto&... value) { return std::make_tuple(Held(value)...); }, values);
}

inline void CopyTo(const at::Tensor& to, const at::Tensor& from) {
    if (!to.defined() || !from.defined() || to.is_same(from)) return;
    if (to.numel() && from.numel()) to.copy_(from);
}
template <class... T>
void CopyTo(const std::tuple<T...>& to, const std::tuple<T...>& from) {
    std::apply([&](const auto&... t) { std::apply([&](const auto&... f) { (CopyTo(t, f), ...); }, from); }, to);
}
inline void CopyTo(const c10::IValue& to, const c10::IValue& from) {
    if (to.isTensor()) return CopyTo(to.toTensor(), from.toTensor());
    if (!to.isTensorList()) return;
    const auto all = to.toTensorVector(), values = from.toTensorVector();
    for (size_t i = 0; i < all.size(); ++i) CopyTo(all[i], values[i]);
}

// The value with f(tensor) in place of each tensor.
template <class F>
c10::IValue Mapped(const c10::IValue& value, F f) {
    if (value.isTensor()) return f(value.toTensor());
    if (value.isTensorList()) {
        c10::List<at::Tensor> all;
        for (const at::Tensor& tensor : value.toTensorVector()) all.push_back(f(tensor));
        return all;
    }
    if (value.isOptionalTensorList()) {
        c10::List<c10::optional<at::Tensor>> all;
        for (const c10::optional<at::Tensor>& tensor : value.toOptionalTensorVector())
            all.push_back(tensor ? c10::make_optional(f(*tensor)) : c10::nullopt);
        return all;
    }
    return value;
}

// Held tensors of one call: the same for the same one.
class HeldOnce {
public:
    at::Tensor operator()(const at::Tensor& tensor) {
        for (const auto& [own, held] : known_) {
            if (own.is_same(tensor)) return held;
        }
        known_.emplace_back(tensor, Held(tensor));
        if (tensor.is_cpu() && tensor.unsafeGetTensorImpl()->is_wrapped_number())
            known_.back().second.unsafeGetTensorImpl()->set_wrapped_number(true);
        return known_.back().second;
    }

private:
    std::vector<std::pair<at::Tensor, at::Tensor>> known_;
};

// Stand-ins for tensors of the device npu, without memory or with a copy of their values, and back.
class StandIns {
public:
    explicit StandIns(bool with_values) : with_values_(with_values) {}
    c10::IValue Of(const c10::IValue& value) {
        if (!with_values_ && value.isDevice() && value.toDevice().is_privateuseone()) return c10::Device(c10::kMeta);
        return Mapped(value, [this](const at::Tensor& tensor) { return Of(tensor); });
    }
    c10::IValue Made(const c10::IValue& value) {
        return Mapped(value, [this](const at::Tensor& tensor) { return Made(tensor); });
    }

private:
    at::Tensor Of(const at::Tensor& tensor) {
        if (!tensor.defined() || !tensor.device().is_privateuseone()) return tensor;
        for (const auto& [known, own] : known_) {
            if (own.is_same(tensor)) return known;
        }
        if (with_values_) return known_.emplace_back(tensor.clone(), tensor).first;
        at::Tensor shape = at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options().device(c10::kMeta));
        if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) shape.unsafeGetTensorImpl()->set_wrapped_number(true);
        known_.emplace_back(shape, tensor);
        return shape;
    }
    at::Tensor Made(const at::Tensor& shape) {
        if (!shape.defined()) return shape;
        for (const auto& [known, own] : known_) {
            if (!known.is_same(shape)) continue;
            if (own.sizes() != shape.sizes()) own.resize_(shape.sizes());
            return own;
        }
        if (!shape.is_meta()) return shape;
        return at::empty_strided(shape.sizes(), shape.strides(),
                                 shape.options().device(Devices::Npu(Devices::Current())));
    }
    bool with_values_;
    std::vector<std::pair<at::Tensor, at::Tensor>> known_;
};

}  // namespace kept

// An operator that computes tensors on the host, for registering. Kept, it is called once for what they are, and again
// by each replay.
template <auto f>
struct Kept;
template <class Result, class... Args, Result (*f)(Args...)>
struct Kept<f> {
    static Result Call(Args... args) {
        if (!KeepsWork()) return f(args...);
        Result result = [&] {
            const AtOnce now;
            return f(args...);
        }();
        Keep([to = kept::Held(result), held = std::make_tuple(kept::Held(args)...)] {
            kept::CopyTo(to, std::apply([](const auto&... values) { return f(values...); }, held));
        });
        return result;
    }
};

// The same for any operator: `compute` takes its arguments from the stack and leaves its results. What they are is
// asked of PyTorch's kernels without memory, since the values of the arguments are those of a replay; of its CPU code
// where it has none.
template <class Compute>
void KeepOperator(const c10::OperatorHandle& op, torch::jit::Stack* stack, Compute compute) {
    const size_t arguments = op.schema().arguments().size();
    std::vector<c10::IValue> given(stack->end() - static_cast<std::ptrdiff_t>(arguments), stack->end());
    torch::jit::Stack results;
    const auto call = [&](bool with_values, auto run) {
        const AtOnce now;
        kept::StandIns stand_ins(with_values);
        results.clear();
        for (const c10::IValue& value : given) results.push_back(stand_ins.Of(value));
        run(&results);
        for (c10::IValue& value : results) value = stand_ins.Made(value);
    };
    try {
        call(false, [&](torch::jit::Stack* values) {
            op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::Meta), values);
        });
    } catch (const std::exception&) {
        ForgetPythonError();
        if (op.hasTag(at::Tag::data_dependent_output))
            CheckAllowed(sfumato::host::HostAct::kWaitForStream, CurrentHandle());
        TORCH_CHECK(!op.hasTag(at::Tag::dynamic_output_shape) && !op.hasTag(at::Tag::data_dependent_output),
                    c10::toString(op.operator_name()),
                    ": the sizes of its result depend on values, which a captured stream has not computed");
        // The numbers that it draws are a replay's.
        at::Generator drawn = GeneratorOfDevice::Default(Devices::Current());
        const at::Generator before = drawn.clone();
        call(true, compute);
        drawn.set_state(before.get_state());
    }
    torch::jit::drop(*stack, arguments);
    stack->insert(stack->end(), results.begin(), results.end());
    kept::HeldOnce held;
    for (auto* values : {&given, &results}) {
        for (c10::IValue& value : *values) value = kept::Mapped(value, std::ref(held));
    }
    Keep([given = std::move(given), results = std::move(results), compute] {
        torch::jit::Stack values = given;
        compute(&values);
        for (size_t i = 0; i < results.size(); ++i) kept::CopyTo(results[i], values[i]);
    });
}

}  // namespace torch_npu
