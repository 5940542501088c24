// SPDX-License-Identifier: Apache-2.0
// Vector functions begin and end.
#include "frontends/ascendc/reg/vector_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontends/ascendc/framework.h"
#include "runtime/launch/launch_state.h"
#include "sfumato/ascendc/reg/issue.h"

namespace sfumato::ascendc {

void TouchedBytes::Remove(isa::Span bytes) {
    if (runs_.empty()) return;
    std::vector<isa::Span> left;
    for (const isa::Span& run : runs_) {
        if (run.begin < std::min(run.end, bytes.begin)) left.push_back({run.begin, std::min(run.end, bytes.begin)});
        if (std::max(run.begin, bytes.end) < run.end) left.push_back({std::max(run.begin, bytes.end), run.end});
    }
    runs_ = std::move(left);
}

void TouchedBytes::Mark(isa::Span bytes, bool set, uint64_t* bits) const {
    for (const isa::Span& run : runs_) {
        const uint64_t end = std::min(run.end, bytes.end) - bytes.begin;
        if (run.begin >= bytes.end || run.end <= bytes.begin) continue;
        for (uint64_t at = std::max(run.begin, bytes.begin) - bytes.begin; at < end;) {
            const uint64_t count = std::min(64 - at % 64, end - at);
            const uint64_t mask = (~uint64_t{0} >> (64 - count)) << (at % 64);
            bits[at / 64] = set ? bits[at / 64] | mask : bits[at / 64] & ~mask;
            at += count;
        }
    }
}

std::vector<isa::Span> TouchedBytes::Take() {
    std::vector<isa::Span> runs = std::exchange(runs_, {});
    std::ranges::sort(runs, {}, &isa::Span::begin);
    size_t last = 0;
    for (size_t i = 1; i < runs.size(); ++i) {
        if (runs[i].begin <= runs[last].end) {
            runs[last].end = std::max(runs[last].end, runs[i].end);
        } else {
            runs[++last] = runs[i];
        }
    }
    if (!runs.empty()) runs.resize(last + 1);
    return runs;
}

bool VectorUnit::Begin(const char* call, Where where) {
    if (running_) return false;
    if (!RequireFact(core_, call, &soc::Chip::vector_registers, "write the kernel with LocalTensor calls for this chip",
                     where))
        return false;
    if (core_.place().kind == isa::CoreKind::kCube) {
        Refuse(core_, call, where,
               {Rule::kCoreKind, "", "a vector function begins on a core without a vector unit", "a cube core",
                "a vector core", "put it inside: if ASCEND_IS_AIV"});
        return false;
    }
    core_.scalar().LookAtReferences();
    core_.pipes().DrainPipe(isa::Pipe::kV);
    const bool decides = Ctrl(60) != 0;
    control_ = {.ieee = !decides || core_.registers().control.overflow != Overflow::kSaturate,
                .keeps_nan = Ctrl(50) != 0,
                .clamps = Ctrl(53) != 0,
                .low_bits = Ctrl(59) != 0,
                .decides = decides};
    running_ = true;
    told_ = false;
    core_.TellFrontEnd();
    orders_ = core_.launch().checks.Has(sanitize::Check::kRaces);
    watched_ = orders_ || core_.told().on_chip();
    order_.Clear();
    loads_.Clear();
    call_ = call;
    where_ = {};
    ub_ = core_.MemoryBase(isa::Memory::kUb);
    end_ = core_.chip().Bytes(isa::Memory::kUb);
    if (where.line != 0) Begun(where);
    return true;
}

void VectorUnit::Begun(Where where) {
    where_ = where;
    if (watched_) return;
    core_.vector_ub = ub_;
    core_.vector_bytes = end_;
}

void VectorUnit::Abandon() {
    running_ = false;
    core_.vector_ub = nullptr;
    streams_.clear();
    for (TouchedBytes* bytes : {&read_, &written_, &undefined_}) bytes->Clear();
}

void VectorUnit::End() {
    running_ = false;
    core_.vector_ub = nullptr;
    for (const Stream& stream : std::exchange(streams_, {})) {
        if (!stream.open) continue;
        Find(core_, "StoreUnAlign", stream.where,
             {Rule::kUnalignedStream, "", "the end of what it stored stays in the register",
              "no StoreUnAlignPost before the vector function ends", "StoreUnAlignPost behind the last StoreUnAlign",
              "add StoreUnAlignPost(address, register, 0)"});
    }
    isa::Record record(isa::Opcode::vf_call);
    record.where = where_;
    record.call = call_;
    record.operand_count = 2;
    for (int i = 0; i < 2; ++i) {
        record.operand[i].memory = isa::Memory::kUb;
        record.operand[i].type = DataType::kUint8;
    }
    isa::VectorFunction touched;
    const auto keep = [&](TouchedBytes& bytes, isa::VectorFunction::Runs* runs) {
        std::vector<isa::Span> taken = bytes.Take();
        if (taken.empty()) return;
        kept_.push_back(std::move(taken));
        *runs = {kept_.back().data(), static_cast<uint32_t>(kept_.back().size())};
    };
    keep(written_, &touched.written);
    keep(read_, &touched.read);
    keep(undefined_, &touched.undefined);
    record.Set(touched);
    core_.Issue(record);
}

bool VectorUnit::Issuing(const isa::Record& record) {
    if (!running_ || std::exchange(told_, true)) return !running_;
    return Refuse(core_, isa::CallName(record), record.where,
                  {Rule::kVectorFunction, "", "it stands inside a vector function",
                   fmt::format("a call between {} and its end", call_),
                   "calls of AscendC::Reg and scalar code inside, all others before it or behind it",
                   "end the vector function before this call"});
}

bool VectorUnit::SetCtrl(int start, int end, uint64_t value, Where where) {
    if (running_)
        return Refuse(core_, "SetCtrlSpr", where,
                      {Rule::kVectorFunction, "", "it stands inside a vector function", "SetCtrlSpr",
                       "SetCtrlSpr before the vector function", "set the bits before the vector function begins"});
    const bool known = start == 45 || start == 48 || start == 50 || start == 53 || start == 59 || start == 60;
    if (start != end || !known || value > 1)
        return Refuse(
            core_, "SetCtrlSpr", where,
            {Rule::kCtrlBits, fmt::format("<{}, {}>", start, end), "this field of the control register cannot be set",
             fmt::format("bits {}..{} = {}", start, end, value), "bits 45, 48, 50, 53, 59 and 60, 0 or 1",
             "set one of these bits"});
    ctrl_ = (ctrl_ & ~(uint64_t{1} << start)) | value << start;
    return true;
}

bool VectorUnit::RefuseOutside(const char* call, Where where) {
    return Refuse(core_, call, where,
                  {Rule::kVectorFunction, "", "it is legal inside a vector function alone", "a call of the scalar unit",
                   "__VEC_SCOPE__ { ... }, or a __simd_vf__ function started by asc_vf_call",
                   "put the calls on registers into such a function"});
}

bool VectorUnit::Locate(const void* address, const char* call, uint64_t align, Where where, uint64_t* offset) {
    if (!Inside(call, where)) return false;
    ++calls_;
    const auto* byte = static_cast<const uint8_t*>(address);
    const uint64_t all = core_.chip().Bytes(isa::Memory::kUb);
    if (byte < ub_ || byte > ub_ + all) [[unlikely]]
        return Refuse(
            core_, call, where,
            {Rule::kUbPointer, "", "the pointer does not point into UB",
             core_.FindGm(address) >= 0 ? "an address of global memory" : "an address of no memory of the core",
             "addresses of UB: (__ubuf__ T*)tensor.GetPhyAddr() of a tensor in UB",
             "move data of global memory to UB by DataCopy first"});
    *offset = static_cast<uint64_t>(byte - ub_);
    if (*offset % align == 0) [[likely]]
        return true;
    return Refuse(core_, call, where,
                  {Rule::kUbAlignment, "", fmt::format("its address must be a multiple of {} bytes", align),
                   fmt::format("byte {} of UB, {} past a multiple", *offset, *offset % align),
                   fmt::format("multiples of {}", align), "align the address, or use LoadUnAlign and StoreUnAlign"});
}

bool VectorUnit::PastEnd(isa::Span bytes, bool write, const char* call, Where where) {
    return Refuse(core_, call, where,
                  {Rule::kPastMemory, "", fmt::format("it {} past the end of UB", write ? "writes" : "reads"),
                   fmt::format("{} bytes from byte {} on", bytes.end - bytes.begin, bytes.begin),
                   fmt::format("bytes 0 to {} of UB; the {} behind them are kept for the compiler and the library",
                               end_ - 1, core_.chip().reserved_ub_bytes),
                   "check the address and the number of rounds against the size of the tensor"});
}

bool VectorUnit::Store(isa::Span bytes, const LoadsBehind& behind, const char* call, Where where) {
    if (!Lies(bytes, true, call, where)) return false;
    if (!watched_) return true;
    written_.Add(bytes);
    undefined_.Remove(bytes);
    if (!orders_) return true;
    const RegisterAccess access{bytes, true, call, where, calls_};
    const auto earlier = Unordered(access, behind, 0);
    return !earlier || TellOrder(*earlier, access);
}

bool VectorUnit::Read(isa::Span bytes, const char* call, Where where) {
    if (!Load(bytes, 1, 1, 1, call, where)) return false;
    if (!watched_) return true;
    constexpr uint64_t kEach = ~uint64_t{0};
    const LoadsBehind all = Loaded();
    read_.Add(bytes);
    Use(all, {kEach, kEach, kEach, kEach});
    return true;
}

bool VectorUnit::Load(isa::Span bytes, uint32_t element, uint32_t pitch, uint32_t spread, const char* call,
                      Where where) {
    if (!Lies(bytes, false, call, where)) return false;
    if (!watched_) return true;
    const RegisterAccess access{bytes, false, call, where, calls_};
    Loads::Load& load = loads_.Add(access, element, pitch, spread);
    if (orders_) load.unordered = Unordered(access, {}, loads_.count());
    return true;
}

void VectorUnit::Use(const LoadsBehind& lanes, const Loads::Bits& bytes) {
    if (!watched_ || lanes.recent == 0) return;
    loads_.Use(lanes, bytes, [&](Loads::Load& load, isa::Span used) {
        used.end = std::min(used.end, load.access.bytes.end);
        if (used.begin >= used.end) return;
        read_.Add(used);
        if (!load.unordered || load.told || !load.unordered->bytes.Overlaps(used)) return;
        load.told = true;
        TellOrder(*load.unordered, load.access);
    });
}

std::optional<RegisterAccess> VectorUnit::Unordered(const RegisterAccess& access, const LoadsBehind& behind,
                                                    uint32_t load) {
    return order_.Note(access, behind, load,
                       [&](uint32_t earlier, isa::Span bytes) { return loads_.Uses(earlier, bytes); });
}

bool VectorUnit::TellOrder(const RegisterAccess& earlier, const RegisterAccess& access) {
    const auto word = [](const RegisterAccess& a) { return a.store ? "VEC_STORE" : "VEC_LOAD"; };
    const auto verb = [](const RegisterAccess& a) { return a.store ? "stores" : "loads"; };
    return Find(core_, access.call, access.where,
                {Rule::kRegisterOrder, "",
                 fmt::format("it {} bytes that an access before it {}, and nothing orders the two", verb(access),
                             verb(earlier)),
                 fmt::format("{} at {}:{} {} bytes {} to {} of UB, this one bytes {} to {}", earlier.call,
                             earlier.where.file, earlier.where.line, verb(earlier), earlier.bytes.begin,
                             earlier.bytes.end - 1, access.bytes.begin, access.bytes.end - 1),
                 "a LocalMemBar between the two, or data that go through registers from the first to the second",
                 fmt::format("put LocalMemBar<MemType::{}, MemType::{}>() between them", word(earlier), word(access))});
}

void VectorUnit::Fence(uint8_t from, uint8_t to) {
    using AscendC::Reg::MemType;
    const auto has = [](uint8_t type, MemType one) {
        return type == static_cast<uint8_t>(one) || type == static_cast<uint8_t>(MemType::VEC_ALL);
    };
    order_.Fence(has(from, MemType::VEC_STORE), has(from, MemType::VEC_LOAD), has(to, MemType::VEC_STORE),
                 has(to, MemType::VEC_LOAD));
}

bool VectorUnit::AllDefined(isa::Span bytes, uint64_t* defined) const {
    if (!watched_) return true;
    bool all = true;
    core_.told()(events::Loading{bytes, defined, all}, true);
    if (all) return true;
    // The check hears of the function's own stores when it ends.
    written_.Mark(bytes, true, defined);
    undefined_.Mark(bytes, false, defined);
    for (uint64_t at = 0; at < bytes.end - bytes.begin; at += 64) {
        const uint64_t count = std::min<uint64_t>(64, bytes.end - bytes.begin - at);
        if (~defined[at / 64] << (64 - count) != 0) return false;
    }
    return true;
}

uint32_t VectorUnit::Open(Where where) {
    streams_.push_back({true, where});
    return static_cast<uint32_t>(streams_.size());
}

void VectorUnit::Close(uint32_t stream) {
    if (stream != 0 && stream <= streams_.size()) streams_[stream - 1].open = false;
}

namespace reg {

bool Begin(const char* call, Where where) { return Framework::Of(ThisCore(call)).vector_unit().Begin(call, where); }
void End() { Framework::Of(ThisCore("a vector function")).vector_unit().End(); }
void Abandon() noexcept {
    if (runtime::Core* core = runtime::CurrentCore()) Framework::Of(*core).vector_unit().Abandon();
}

}  // namespace reg

}  // namespace sfumato::ascendc
