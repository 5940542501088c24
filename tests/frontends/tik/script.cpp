// SPDX-License-Identifier: Apache-2.0
#include "script.h"

namespace sfumato::tik {

ScalarId Script::NewScalar(const char* type, ExprId value) {
    const ScalarId s = NewScalar(type);
    program.SetScalar(s, value, where);
    return s;
}

TensorId Script::Gm(const char* type, int64_t elements, const char* name, TensorOptions options) {
    return program.Tensor(type, {elements}, "global", name, options, where);
}

TensorId Script::Local(const char* type, int64_t elements, const char* name, const char* scope) {
    return program.Tensor(type, {elements}, scope, name, {}, where);
}

void Script::Move(RefId dst, RefId src, Value blocks) {
    program.Call("data_move", {dst, src},
                 {{"sid", int64_t{0}},
                  {"nburst", int64_t{1}},
                  {"burst", std::move(blocks)},
                  {"src_stride", int64_t{0}},
                  {"dst_stride", int64_t{0}}},
                 where);
}

void Script::Build(const std::vector<TensorId>& inputs, const std::vector<TensorId>& outputs) {
    std::vector<Program::Argument> arguments(inputs.begin(), inputs.end());
    program.Build("kernel", arguments, outputs, {}, where);
}

std::vector<Output> Script::Run(const std::vector<Feed>& feed, const RunOptions& options) {
    RunResult result = program.Run(feed, options);
    for (const Report& report : result.launch.findings) {
        if (report.severity == Severity::kFault) ADD_FAILURE() << report.Text();
    }
    return std::move(result.outputs);
}

}  // namespace sfumato::tik
