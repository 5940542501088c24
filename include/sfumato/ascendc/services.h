// SPDX-License-Identifier: Apache-2.0
// Calls about the core itself, its caches and its debugging (framework.md 2.8, 3.10, 4.1, 4.4).
#pragma once

#include "sfumato/ascendc/print.h"
#include "sfumato/ascendc/system.h"
#include "sfumato/ascendc/tensor.h"

namespace AscendC {
struct CheckLocalMemoryIAParam;
}

namespace sfumato::ascendc {

// The groups of calls that chips have together.
enum class Service : uint8_t { kIdentity, kServices, kStoreAtomic, kWatch };
// Reports a chip that does not have the call.
SFUMATO_API void RequireService(Service service, const char* call, Where where);

SFUMATO_API uint32_t ArchVersion(Where where);
SFUMATO_API int64_t ProgramCounter(Where where);
// Of a line of the data cache: speed only.
SFUMATO_API void PreloadData(Where where);
SFUMATO_API void SetStoreAtomic(uint16_t type, Where where);
SFUMATO_API void GetStoreAtomic(uint16_t* type, uint16_t* op, Where where);
SFUMATO_API void PrintTime(uint32_t id, Where where);
// Elements at a pointer into memory of the core or global memory, as DumpTensor prints them.
SFUMATO_API void DumpPointer(const char* call, const void* pointer, DataType type, uint32_t desc, uint32_t count,
                             Where where);
SFUMATO_API void SetHcclContext(uint32_t index, uint8_t* context, Where where);
SFUMATO_API void WatchLocal(const AscendC::CheckLocalMemoryIAParam& params, Where where);
// TRACE_START, or TRACE_STOP.
SFUMATO_API void TraceRange(uint32_t id, bool begins, Where where);

}  // namespace sfumato::ascendc

namespace AscendC {

// A range of UB and who is not to touch it: (startAddr, endAddr] in blocks of 32 bytes.
struct CheckLocalMemoryIAParam {
    constexpr CheckLocalMemoryIAParam() = default;
    constexpr CheckLocalMemoryIAParam(uint8_t bit, uint32_t start, uint32_t end, bool scalar_read, bool scalar_write,
                                      bool vector_read, bool vector_write, bool mte_read, bool mte_write, bool enable)
        : enableBit(bit),
          startAddr(start),
          endAddr(end),
          isScalarRead(scalar_read),
          isScalarWrite(scalar_write),
          isVectorRead(vector_read),
          isVectorWrite(vector_write),
          isMteRead(mte_read),
          isMteWrite(mte_write),
          isEnable(enable) {}
    uint8_t enableBit = 0;
    uint32_t startAddr = 0;
    uint32_t endAddr = 0;
    bool isScalarRead = false;
    bool isScalarWrite = false;
    bool isVectorRead = false;
    bool isVectorWrite = false;
    bool isMteRead = false;
    bool isMteWrite = false;
    bool isEnable = false;
    uint32_t reserved = 0;
};

enum class EngineType : uint8_t { AIC, AIV };
enum class AtomicDtype : uint16_t {
    ATOMIC_NONE = 0,
    ATOMIC_F32,
    ATOMIC_F16,
    ATOMIC_S16,
    ATOMIC_S32,
    ATOMIC_S8,
    ATOMIC_BF16
};
enum class AtomicOp : uint16_t { ATOMIC_SUM = 0 };

// A line with the core's time, where the build says ASCENDC_TIME_STAMP_ON.
#ifdef ASCENDC_TIME_STAMP_ON
inline void PrintTimeStamp(uint32_t descId, SFUMATO_AT) { sfumato_::PrintTime(descId, where); }
#else
inline void PrintTimeStamp(uint32_t) {}
#endif

// The bits of a value (assumed; no page has it).
template <class T,
          class U = std::conditional_t<
              sizeof(T) == 1, uint8_t,
              std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>>
U GetScalarBitcodeValue(T scalarValue) {
    return static_cast<U>(sfumato_::ToBits(scalarValue));
}

}  // namespace AscendC

// The same for pointers, by the memory they point into; nothing where the build says ASCENDC_DUMP=0.
#if defined(ASCENDC_DUMP) && ASCENDC_DUMP == 0
#define SFUMATO_DUMP(name) \
    template <class T>     \
    void name(const T*, uint32_t, uint32_t) {}
#else
#define SFUMATO_DUMP(name)                                                                                  \
    template <class T>                                                                                      \
    void name(const T* address, uint32_t desc, uint32_t dumpSize, SFUMATO_AT) {                             \
        sfumato::ascendc::DumpPointer(#name, address, sfumato::ascendc::kTypeOf<T>, desc, dumpSize, where); \
    }
#endif
SFUMATO_DUMP(asc_dump)
SFUMATO_DUMP(asc_dump_gm)
SFUMATO_DUMP(asc_dump_ubuf)
SFUMATO_DUMP(asc_dump_l1buf)
SFUMATO_DUMP(asc_dump_cbuf)
#undef SFUMATO_DUMP
using AscendC::PrintTimeStamp;
#ifdef ASCENDC_TIME_STAMP_ON
inline void asc_time_stamp(uint32_t descId, SFUMATO_AT) { sfumato::ascendc::PrintTime(descId, where); }
#else
inline void asc_time_stamp(uint32_t) {}
#endif

// Ranges of the timeline, where the build says ASCENDC_TRACE_ON. A second argument, the pipe, means nothing.
#ifdef ASCENDC_TRACE_ON
#define TRACE_START(apid, ...) ::sfumato::ascendc::TraceRange(apid, true, ::sfumato::Where::Here())
#define TRACE_STOP(apid, ...) ::sfumato::ascendc::TraceRange(apid, false, ::sfumato::Where::Here())
#else
#define TRACE_START(...) static_cast<void>(0)
#define TRACE_STOP(...) static_cast<void>(0)
#endif

#include "sfumato/ascendc/calls/system.h"
