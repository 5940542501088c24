// SPDX-License-Identifier: Apache-2.0
// Debugging from inside a kernel: printf, DumpTensor, assert (framework.md 4.4).
#pragma once

#include <cstdio>
#include <type_traits>

#include "sfumato/ascendc/tensor.h"

namespace sfumato::ascendc {

struct PrintArg {
    enum class Kind : uint8_t { kSigned, kUnsigned, kFloating, kString, kPointer } kind;
    union {
        int64_t i;
        uint64_t u;
        double d;
        const char* s;
        const void* p;
    };
};

template <class T>
PrintArg ToPrintArg(const T& value) {
    PrintArg arg;
    if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t> || std::is_floating_point_v<T>) {
        arg.kind = PrintArg::Kind::kFloating;
        arg.d = static_cast<float>(value);
        if constexpr (std::is_same_v<T, double>) arg.d = value;
    } else if constexpr (std::is_enum_v<T>) {
        arg.kind = PrintArg::Kind::kSigned;
        arg.i = static_cast<int64_t>(value);
    } else if constexpr (std::is_integral_v<T>) {
        arg.kind = std::is_signed_v<T> ? PrintArg::Kind::kSigned : PrintArg::Kind::kUnsigned;
        arg.u = static_cast<uint64_t>(static_cast<int64_t>(value));
        if constexpr (!std::is_signed_v<T>) arg.u = static_cast<uint64_t>(value);
    } else if constexpr (std::is_convertible_v<T, const char*>) {
        arg.kind = PrintArg::Kind::kString;
        arg.s = value;
    } else {
        static_assert(std::is_pointer_v<T>, "printf: an argument must be a number, a string or a pointer");
        arg.kind = PrintArg::Kind::kPointer;
        arg.p = value;
    }
    return arg;
}

SFUMATO_API void Print(const char* format, const PrintArg* args, int count);
SFUMATO_API bool OnCore();
SFUMATO_API void DumpLocal(const LocalView& tensor, DataType type, uint32_t desc, uint32_t count,
                           const AscendC::ShapeInfo* shape, Where where);
SFUMATO_API void DumpGlobal(const GlobalView& tensor, DataType type, uint32_t desc, uint32_t count,
                            const AscendC::ShapeInfo* shape, Where where);
[[noreturn]] SFUMATO_API void AssertFailed(const char* expression, Where where, const char* format,
                                           const PrintArg* args, int count);

inline void Assert(bool ok, const char* expression, Where where) {
    if (!ok) AssertFailed(expression, where, "", nullptr, 0);
}
template <class... Args>
void Assert(bool ok, const char* expression, Where where, const char* format, const Args&... args) {
    if (ok) return;
    const PrintArg list[] = {ToPrintArg(args)..., PrintArg{}};
    AssertFailed(expression, where, format, list, static_cast<int>(sizeof...(Args)));
}

}  // namespace sfumato::ascendc

namespace AscendC {

// Host code of a file that says `using namespace AscendC` gets the C library's printf.
template <class... Args>
void printf(const char* format, const Args&... args) {
    if constexpr ((std::is_scalar_v<std::decay_t<const Args&>> && ...)) {
        if (!sfumato_::OnCore()) return static_cast<void>(std::printf(format, args...));
    }
    const sfumato_::PrintArg list[] = {sfumato_::ToPrintArg<std::decay_t<const Args&>>(args)..., {}};
    sfumato_::Print(format, list, static_cast<int>(sizeof...(Args)));
}
template <class... Args>
void PRINTF(const char* format, const Args&... args) {
    AscendC::printf(format, args...);
}

}  // namespace AscendC

// A kernel's assert stops the launch with a report instead of the process.
#ifdef assert
#undef assert
#endif
#define SFUMATO_ASSERT(expr, ...) \
    ::sfumato::ascendc::Assert(static_cast<bool>(expr), #expr, ::sfumato::Where::Here() __VA_OPT__(, ) __VA_ARGS__)
#define assert(...) SFUMATO_ASSERT(__VA_ARGS__)
#define ascendc_assert(...) SFUMATO_ASSERT(__VA_ARGS__)
#define ASSERT(...) SFUMATO_ASSERT(__VA_ARGS__)
