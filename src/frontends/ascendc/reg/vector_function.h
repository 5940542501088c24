// SPDX-License-Identifier: Apache-2.0
// The vector function that runs on a core (arch950.md 2.1, 5): one instruction of pipe V, which has run when it is
// issued. Inside it, accesses of UB are looked at one by one, and kept as runs for the checks.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "frontends/ascendc/reg/access_order.h"
#include "isa/record.h"
#include "runtime/cores/core.h"
#include "sfumato/register_call.h"
#include "sfumato/report.h"

namespace sfumato::ascendc {

// Runs of bytes, in any order until Sort.
class TouchedBytes {
public:
    void Add(isa::Span bytes) {
        if (!runs_.empty() && runs_.back().begin <= bytes.begin && bytes.begin <= runs_.back().end) {
            if (bytes.end > runs_.back().end) runs_.back().end = bytes.end;
            return;
        }
        runs_.push_back(bytes);
    }
    // Sets, or clears, a bit a byte for those of `bytes` that are in the list; bit 0 is the first of them.
    void Mark(isa::Span bytes, bool set, uint64_t* bits) const;
    void Remove(isa::Span bytes);
    bool empty() const { return runs_.empty(); }
    // Ascending, none next to another; the list is empty afterwards.
    std::vector<isa::Span> Take();
    void Clear() { runs_.clear(); }

private:
    std::vector<isa::Span> runs_;
};

class VectorUnit {
public:
    explicit VectorUnit(runtime::Core& core) : core_(core) {}

    bool running() const { return running_; }
    // Somebody wants to know which bytes the function accesses.
    bool watched() const { return watched_; }
    // False: one runs already.
    bool Begin(const char* call, Where where);
    void End();
    void Abandon();

    // Of a call inside: false, reported, where there is no vector function. The first call says where it stands.
    bool Inside(const char* call, Where where) {
        if (!running_) [[unlikely]]
            return RefuseOutside(call, where);
        if (where_.line == 0) [[unlikely]]
            Begun(where);
        core_.stopping().IfAsked(call, where);
        return true;
    }
    const RegisterControl& control() const { return control_; }
    // A record is about to be issued: inside a vector function there are none.
    bool Issuing(const isa::Record& record);
    // SetCtrlSpr of a field of one bit but that of float results, which the core keeps (1.6). False: it was reported.
    bool SetCtrl(int start, int end, uint64_t value, Where where);
    uint64_t Ctrl(int bit) const { return ctrl_ >> bit & 1; }

    // The offset in UB of an address that a call accesses; false: it was reported. align: bytes.
    bool Locate(const void* address, const char* call, uint64_t align, Where where, uint64_t* offset);
    // Bytes that are stored, from what loads; they lie in the memory that programs have, or it was reported: false.
    bool Store(isa::Span bytes, const LoadsBehind& behind, const char* call, Where where);
    // Bytes that are read, all of which count.
    bool Read(isa::Span bytes, const char* call, Where where);
    // Those of lanes of a register, which count once something comes of them: elements of so many bytes, pitches apart
    // in UB and spreads apart in the register.
    bool Load(isa::Span bytes, uint32_t element, uint32_t pitch, uint32_t spread, const char* call, Where where);
    // What the last of these brings to a register.
    LoadsBehind Loaded() const { return {loads_.count(), 1}; }
    // Something comes of these bytes of registers with these lanes.
    void Use(const LoadsBehind& lanes, const Loads::Bits& bytes);
    // LocalMemBar, of MemType numbers.
    void Fence(uint8_t from, uint8_t to);
    // Of those written, bytes that nothing defined is in.
    void Undefined(isa::Span bytes) { undefined_.Add(bytes); }
    uint8_t* Bytes(uint64_t offset) const { return ub_ + offset; }
    // Whether all of the bytes (512 at most) are defined, as far as a check follows that; else the bits of those that
    // are.
    bool AllDefined(isa::Span bytes, uint64_t* defined) const;

    // Of streams of unaligned stores: 0 stands for none. A stream that is not ended is reported when the function is.
    uint32_t Open(Where where);
    void Close(uint32_t stream);

    uint32_t squeezed = 0;  // bytes, of the Squeeze that StoreUnAlign is to store
    bool squeeze_waits = false;
    uint64_t ar = 0;          // bytes
    bool ar_is_left = false;  // of a stream that has ended

private:
    struct Stream {
        bool open;
        Where where;
    };
    // It stands there; calls may go the short way where nobody looks (sfumato/ascendc/reg/at_once.h).
    void Begun(Where where);
    bool RefuseOutside(const char* call, Where where);
    bool PastEnd(isa::Span bytes, bool write, const char* call, Where where);
    bool Lies(isa::Span bytes, bool write, const char* call, Where where) {
        return bytes.end <= end_ || PastEnd(bytes, write, call, where);
    }
    std::optional<RegisterAccess> Unordered(const RegisterAccess& access, const LoadsBehind& behind, uint32_t load);
    bool TellOrder(const RegisterAccess& earlier, const RegisterAccess& access);

    runtime::Core& core_;
    bool running_ = false;
    const char* call_ = "";
    Where where_;
    RegisterControl control_;
    uint64_t ctrl_ = uint64_t{1} << 60;
    bool told_ = false;  // of a record inside this function
    uint8_t* ub_ = nullptr;
    uint64_t end_ = 0;  // of what programs have of UB
    TouchedBytes read_, written_, undefined_;
    AccessOrder order_;
    Loads loads_;
    uint64_t calls_ = 0;    // that access UB
    bool orders_ = false;   // accesses are to be looked at for their order
    bool watched_ = false;  // somebody wants to know of the accesses
    std::vector<Stream> streams_;
    std::deque<std::vector<isa::Span>> kept_;  // of the records that were issued
};

}  // namespace sfumato::ascendc
