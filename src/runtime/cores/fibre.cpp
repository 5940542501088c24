// SPDX-License-Identifier: Apache-2.0
// Switching stacks, with what the sanitizers and the C++ runtime must be told.
#include "runtime/cores/fibre.h"

#include <cxxabi.h>

#include <cfenv>
#include <cstdlib>
#include <cstring>

#if defined(__has_feature)
#define SFUMATO_FEATURE(x) __has_feature(x)
#else
#define SFUMATO_FEATURE(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || SFUMATO_FEATURE(address_sanitizer)
#define SFUMATO_ASAN 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__) || SFUMATO_FEATURE(thread_sanitizer)
#define SFUMATO_TSAN 1
#include <sanitizer/tsan_interface.h>
#endif

namespace sfumato::runtime {
namespace {

// x86-64's switch keeps MXCSR and the x87 control word; elsewhere the floating-point environment is kept here.
struct FloatEnvironment {
#if defined(__x86_64__)
    void Save() {}
    void Restore() const {}
#else
    void Save() { std::fegetenv(&kept); }
    void Restore() const { std::fesetenv(&kept); }
    std::fenv_t kept;
#endif
};

// For who walks the stack, a debugger or a profiler: no frame called this one. Boost's entry, which did, says nothing
// of itself, and above it on the stack is no frame. The numbers are DWARF's, of the return address.
#if defined(__x86_64__)
#define SFUMATO_OUTERMOST_FRAME asm volatile(".cfi_undefined 16")
#elif defined(__aarch64__)
#define SFUMATO_OUTERMOST_FRAME asm volatile(".cfi_undefined 30")
#else
#define SFUMATO_OUTERMOST_FRAME static_cast<void>(0)
#endif

}  // namespace

void Fibre::ForgetFrames([[maybe_unused]] Stack stack) {
#ifdef SFUMATO_ASAN
    __asan_unpoison_memory_region(stack.bottom, stack.bytes);
#endif
}

Fibre::Fibre(Stack stack, Body body, void* argument) : stack_(stack), body_(body), argument_(argument) {
    ForgetFrames(stack);
#ifdef SFUMATO_TSAN
    tsan_ = __tsan_create_fiber(0);
#endif
    inside_ = boost::context::detail::make_fcontext(stack.bottom + stack.bytes, stack.bytes, &Fibre::Enter);
}

Fibre::~Fibre() {
#ifdef SFUMATO_TSAN
    __tsan_destroy_fiber(tsan_);
#endif
}

// libstdc++ and libc++abi lay out __cxa_eh_globals as the Itanium ABI says: the two members of Exceptions, first.
void Fibre::SwapExceptions() {
    Exceptions running;
    auto* globals = reinterpret_cast<char*>(abi::__cxa_get_globals());
    std::memcpy(&running, globals, sizeof(running));
    std::memcpy(globals, &exceptions_, sizeof(exceptions_));
    exceptions_ = running;
}

void Fibre::ForgetExceptions() {
    const Exceptions none;
    std::memcpy(reinterpret_cast<char*>(abi::__cxa_get_globals()), &none, sizeof(none));
}

void Fibre::Enter(boost::context::detail::transfer_t worker) {
    SFUMATO_OUTERMOST_FRAME;
    auto& self = *static_cast<Fibre*>(worker.data);
#ifdef SFUMATO_ASAN
    __sanitizer_finish_switch_fiber(nullptr, &self.worker_bottom_, &self.worker_bytes_);
#endif
    self.worker_ = worker.fctx;
    self.body_(self.argument_);
    self.ended_ = true;
#ifdef SFUMATO_ASAN
    __sanitizer_start_switch_fiber(nullptr, self.worker_bottom_, self.worker_bytes_);
#endif
#ifdef SFUMATO_TSAN
    __tsan_switch_to_fiber(self.tsan_worker_, 0);
#endif
    boost::context::detail::jump_fcontext(self.worker_, nullptr);
    std::abort();  // nobody resumes what has ended
}

void Fibre::Resume() {
    FloatEnvironment environment;
    environment.Save();
    SwapExceptions();
#ifdef SFUMATO_ASAN
    __sanitizer_start_switch_fiber(&worker_fake_, stack_.bottom, stack_.bytes);
#endif
#ifdef SFUMATO_TSAN
    tsan_worker_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(tsan_, 0);
#endif
    inside_ = boost::context::detail::jump_fcontext(inside_, this).fctx;
#ifdef SFUMATO_ASAN
    __sanitizer_finish_switch_fiber(worker_fake_, nullptr, nullptr);
#endif
    SwapExceptions();
    environment.Restore();
}

void Fibre::Suspend() {
    FloatEnvironment environment;
    environment.Save();
#ifdef SFUMATO_ASAN
    __sanitizer_start_switch_fiber(&fake_, worker_bottom_, worker_bytes_);
#endif
#ifdef SFUMATO_TSAN
    __tsan_switch_to_fiber(tsan_worker_, 0);
#endif
    worker_ = boost::context::detail::jump_fcontext(worker_, nullptr).fctx;
#ifdef SFUMATO_ASAN
    __sanitizer_finish_switch_fiber(fake_, &worker_bottom_, &worker_bytes_);
#endif
    environment.Restore();
}

}  // namespace sfumato::runtime
