// SPDX-License-Identifier: Apache-2.0
// A run that is debugged. The blocks run one after another on the cores' threads; where one stops, the thread that
// called Program::Debug talks to the debugger, and all others rest.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include "frontends/tik/evaluate.h"

namespace sfumato::tik {

class Session {
public:
    Session(const Ir& ir, Debugger& debugger, bool stop_first) : ir_(ir), debugger_(debugger), step_(stop_first) {}

    // On the calling thread: runs `launch` on another one and serves the stops until it is done.
    void Run(uint32_t blocks, const std::function<void()>& launch);
    bool quit() const { return quit_; }
    // Of the GM tensors of this run, in order.
    void set_shapes(const std::vector<std::vector<int64_t>>* shapes) { shapes_ = shapes; }

    // On a core's thread. Begin waits for the block's turn; Stop may throw StopCore.
    void Begin(runtime::Core& core);
    bool Wants(size_t statement) const;
    void Stop(size_t statement, Frame& frame);
    void Meet(runtime::Core& core);
    void End(runtime::Core& core);
    // The block was ended early; a fault of its own stops once more.
    void End(runtime::Core& core, size_t statement, Frame& frame);

private:
    using Action = Debugger::Action;

    void Serve();
    // Waits until the debugger has answered.
    void Show(size_t statement, Frame& frame, const Report* fault);
    void Enter(runtime::Core& core, DebugStop::BlockState state);
    template <class Ask>
    void Guarded(const Ask& ask);

    const Ir& ir_;
    Debugger& debugger_;
    const std::vector<std::vector<int64_t>>* shapes_ = nullptr;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<DebugStop::BlockState> blocks_;
    const DebugStop* stop_ = nullptr;  // waits for an answer
    bool done_ = false;
    std::exception_ptr failure_;
    // The core whose turn it is reads these at every statement; they change while it rests, or ask it to come to rest.
    std::atomic<bool> step_, pause_{false}, quit_{false};
};

}  // namespace sfumato::tik
