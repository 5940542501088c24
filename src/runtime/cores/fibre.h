// SPDX-License-Identifier: Apache-2.0
// The flow of control of one core: a stack that worker threads enter and leave, one after another. Code that keeps
// addresses of thread-local storage needs a thread of its own (launch.cpp).
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>

#include "sfumato/data_type.h"

namespace sfumato::runtime {

class Fibre {
public:
    struct Stack {
        uint8_t* bottom;
        size_t bytes;
    };
    // `body` must not throw. The stack must outlive the fibre.
    using Body = void (*)(void* argument);
    Fibre(Stack stack, Body body, void* argument);
    // The frames that an ended fibre left on a stack are gone: before it, or other memory at its addresses, is used.
    static void ForgetFrames(Stack stack);
    // In the body: no exception is being handled, after a jump out of what handled some.
    static void ForgetExceptions();
    // Never while the body is suspended.
    ~Fibre();
    Fibre& operator=(Fibre&&) = delete;

    // On the worker: runs the body until it suspends or ends.
    void Resume();
    // In the body: goes back to where Resume was called.
    void Suspend();
    bool ended() const { return ended_; }

private:
    // What the C++ runtime keeps for a thread although it belongs to a flow of control: the exceptions being handled.
    struct Exceptions {
        void* caught = nullptr;
        unsigned uncaught = 0;
    };
    // The assembly below boost::context::fiber: that class enters a stack to prepare it, which no sanitizer is told of.
    using Context = boost::context::detail::fcontext_t;
    // Exported as what backtraces of kernels go through, which have its name where the library has no others.
    [[noreturn]] SFUMATO_API static void Enter(boost::context::detail::transfer_t worker);
    void SwapExceptions();

    const Stack stack_;
    const Body body_;
    void* const argument_;
    bool ended_ = false;
    Exceptions exceptions_;  // of the side that does not run
    Context inside_, worker_ = nullptr;
    // Of the sanitizers; unused in other builds.
    const void* worker_bottom_ = nullptr;
    size_t worker_bytes_ = 0;
    void* worker_fake_ = nullptr;
    void* fake_ = nullptr;
    void* tsan_worker_ = nullptr;
    void* tsan_ = nullptr;
};

}  // namespace sfumato::runtime
