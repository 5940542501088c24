// SPDX-License-Identifier: Apache-2.0
// Operators that PyTorch asks of a device other than the CPU by name, computed by the CPU's: convolutions, and the
// cells of LSTM and GRU with their gradients.
#pragma once

#include "format.h"

namespace torch_npu {

using MaybeTensor = c10::optional<at::Tensor>;

inline at::Tensor WithBias(const at::Tensor& gates, const MaybeTensor& bias) {
    return bias && bias->defined() ? Values(gates) + Values(*bias) : Values(gates);
}
inline at::Tensor ValuesOrZero(const MaybeTensor& tensor, const at::Tensor& like) {
    return tensor && tensor->defined() ? Values(*tensor) : at::zeros_like(like);
}
inline at::Tensor Back(const at::Tensor& tensor, const at::Tensor& like) {
    return tensor.defined() ? tensor.to(like.device()) : tensor;
}
inline at::Tensor BiasGradient(const at::Tensor& gates, bool has_bias, const at::Tensor& like) {
    return has_bias ? Back(gates.sum(0), like) : at::Tensor();
}

// The workspace holds what the gradient needs: here the gates i, f, g, o.
inline std::tuple<at::Tensor, at::Tensor, at::Tensor> LstmCell(const at::Tensor& input, const at::Tensor& hidden,
                                                               const at::Tensor& cx, const MaybeTensor& input_bias,
                                                               const MaybeTensor& hidden_bias) {
    const auto gates = (WithBias(input, input_bias) + WithBias(hidden, hidden_bias)).chunk(4, -1);
    const at::Tensor i = gates[0].sigmoid(), f = gates[1].sigmoid(), g = gates[2].tanh(), o = gates[3].sigmoid();
    const at::Tensor cy = f * Values(cx) + i * g;
    return {Back(o * cy.tanh(), input), Back(cy, input), Back(at::cat({i, f, g, o}, -1), input)};
}
inline std::tuple<at::Tensor, at::Tensor, at::Tensor> LstmCellBackward(const MaybeTensor& grad_hy,
                                                                       const MaybeTensor& grad_cy, const at::Tensor& cx,
                                                                       const at::Tensor& cy,
                                                                       const at::Tensor& workspace, bool has_bias) {
    const auto gates = Values(workspace).chunk(4, -1);
    const at::Tensor &i = gates[0], &f = gates[1], &g = gates[2], &o = gates[3];
    const at::Tensor t = Values(cy).tanh(), to_hy = ValuesOrZero(grad_hy, t);
    const at::Tensor to_cy = ValuesOrZero(grad_cy, t) + to_hy * o * (1 - t * t);
    const at::Tensor to_gates = at::cat(
        {to_cy * g * i * (1 - i), to_cy * Values(cx) * f * (1 - f), to_cy * i * (1 - g * g), to_hy * t * o * (1 - o)},
        -1);
    return {Back(to_gates, cx), Back(to_cy * f, cx), BiasGradient(to_gates, has_bias, cx)};
}

// The workspace: the gates r, z, n, the state before, and what r scales.
inline std::tuple<at::Tensor, at::Tensor> GruCell(const at::Tensor& input, const at::Tensor& hidden,
                                                  const at::Tensor& hx, const MaybeTensor& input_bias,
                                                  const MaybeTensor& hidden_bias) {
    const auto in = WithBias(input, input_bias).chunk(3, -1), of_hidden = WithBias(hidden, hidden_bias).chunk(3, -1);
    const at::Tensor r = (in[0] + of_hidden[0]).sigmoid(), z = (in[1] + of_hidden[1]).sigmoid();
    const at::Tensor n = (in[2] + r * of_hidden[2]).tanh(), before = Values(hx);
    return {Back((before - n) * z + n, input), Back(at::cat({r, z, n, before, of_hidden[2]}, -1), input)};
}
inline std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> GruCellBackward(
    const at::Tensor& grad_hy, const at::Tensor& workspace, bool has_bias) {
    const auto kept = Values(workspace).chunk(5, -1);
    const at::Tensor &r = kept[0], &z = kept[1], &n = kept[2], &before = kept[3], &scaled = kept[4];
    const at::Tensor gradient = Values(grad_hy);
    const at::Tensor to_n = gradient * (1 - z) * (1 - n * n);
    const at::Tensor to_r = to_n * scaled * r * (1 - r), to_z = gradient * (before - n) * z * (1 - z);
    const at::Tensor to_input = at::cat({to_r, to_z, to_n}, -1), to_hidden = at::cat({to_r, to_z, to_n * r}, -1);
    return {Back(to_input, grad_hy), Back(to_hidden, grad_hy), Back(gradient * z, grad_hy),
            BiasGradient(to_input, has_bias, grad_hy), BiasGradient(to_hidden, has_bias, grad_hy)};
}

inline at::Tensor Convolution(const at::Tensor& input, const at::Tensor& weight, const MaybeTensor& bias,
                              c10::IntArrayRef stride, c10::IntArrayRef padding, c10::IntArrayRef dilation,
                              bool transposed, c10::IntArrayRef output_padding, int64_t groups) {
    const MaybeTensor bias_values = bias && bias->defined() ? MaybeTensor(Values(*bias)) : c10::nullopt;
    return at::convolution(Values(input), Values(weight), bias_values, stride, padding, dilation, transposed,
                           output_padding, groups)
        .to(input.device());
}
inline std::tuple<at::Tensor, at::Tensor, at::Tensor> ConvolutionBackward(
    const at::Tensor& gradient, const at::Tensor& input, const at::Tensor& weight, c10::IntArrayRef stride,
    c10::IntArrayRef padding, c10::IntArrayRef dilation, bool transposed, c10::IntArrayRef output_padding,
    int64_t groups, std::array<bool, 3> mask) {
    const std::vector<int64_t> bias_sizes = {gradient.size(1)};
    auto [to_input, to_weight, to_bias] =
        at::convolution_backward(Values(gradient), Values(input), Values(weight), bias_sizes, stride, padding, dilation,
                                 transposed, output_padding, groups, mask);
    return {Back(to_input, input), Back(to_weight, input), Back(to_bias, input)};
}

}  // namespace torch_npu
