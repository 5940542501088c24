// SPDX-License-Identifier: Apache-2.0
// The C calls below the tensors: pointers as tensors, moves, conversions, registers as words
// (language.md 5).
#include "sfumato/ascendc/intrinsics.h"

#include <fmt/format.h>

#include "frontends/ascendc/context.h"
#include "isa/vector_registers.h"

static constexpr uint64_t kSaturationBit = uint64_t{1} << 48;  // the only bit of CTRL that is known (framework.md 3.12)

namespace sfumato::ascendc {

LocalView UbFrom(const void* pointer, DataType type, const char* call, Where where) {
    runtime::Core& core = ThisCore(call);
    const uint8_t* base = core.MemoryBase(isa::Memory::kUb);
    const uint64_t bytes = core.chip().Bytes(isa::Memory::kUb);
    const uint64_t offset = reinterpret_cast<uint64_t>(pointer) - reinterpret_cast<uint64_t>(base);
    if (base == nullptr || offset >= bytes) {
        Find(core, call, where,
             {Rule::kUbPointer, "", "the pointer does not point into UB", fmt::format("{}", pointer),
              "what GetPhyAddr() of a tensor in UB returns",
              "a number is no address of UB here: take the address of a tensor"});
        core.Stop();  // there is no operand, even where faults are collected
    }
    LocalView view;
    view.address = core.MemoryBase(isa::Memory::kUb) + offset;
    view.room = static_cast<uint32_t>(bytes - offset);
    view.size = static_cast<uint32_t>(uint64_t{view.room} * 8 / BitsOf(type));
    view.position = AscendC::TPosition::VECCALC;
    return view;
}

void* UbAt(uint64_t offset, const char* call, Where where) {
    runtime::Core& core = ThisCore(call);
    const uint64_t bytes = core.chip().Bytes(isa::Memory::kUb);
    if (uint8_t* base = core.MemoryBase(isa::Memory::kUb); base != nullptr && offset < bytes) return base + offset;
    Find(core, call, where,
         {Rule::kUbPointer, "", "the address does not lie in UB", fmt::format("{}", offset),
          fmt::format("0 to {}, on a core that has UB", bytes - 1), ""});
    core.Stop();  // no memory is there, even where faults are collected
}

namespace {

// A move between GM and UB, or within UB. T: what its lengths and pads count.
template <class T>
struct RawMove : MoveCall {
    RawMove(const char* call, uint32_t blocks, uint64_t length, uint32_t src_units, uint32_t dst_units, Where at)
        : name_(call) {
        block_count = blocks;
        block_len = length;
        src_gap = src_units;
        dst_gap = dst_units;
        dst_type = src_type = kTypeOf<T>;
        where = at;
    }
    RawMove& operator=(RawMove&&) = delete;
    RawMove& To(const void* p) { return dst = View(&views_[0], p), *this; }
    RawMove& From(const void* p) { return src = View(&views_[1], p), *this; }
    RawMove& Gm(void* p) { return gm.address = static_cast<uint8_t*>(p), *this; }
    RawMove& Pads(uint8_t before, uint8_t behind) { return left = before, right = behind, *this; }

private:
    const LocalView* View(LocalView* view, const void* p) { return *view = UbFrom(p, kTypeOf<T>, name_, where), view; }
    const char* name_;
    LocalView views_[2];
};

}  // namespace
}  // namespace sfumato::ascendc

using sfumato::Where;
using sfumato::ascendc::RawCall;
using sfumato::ascendc::RawMove;

#define SFUMATO_VCONV(name, Dst_, Src_, mode)                                                                     \
    void name(Dst_* dst, Src_* src, uint32_t repeat, uint16_t dst_block, uint16_t src_block, uint16_t dst_repeat, \
              uint16_t src_repeat, Where where) {                                                                 \
        RawCall call(#name, repeat, where);                                                                       \
        call.Dst(dst, dst_block, dst_repeat).Src0(src, src_block, src_repeat);                                    \
        call.rounding = static_cast<sfumato::Rounding>(AscendC::RoundMode::mode);                                 \
        sfumato::ascendc::vconv(call);                                                                            \
    }
#include "sfumato/ascendc/conversion_names.inc"
#undef SFUMATO_VCONV

void copy_gm_to_ubuf(void* dst, void* src, uint8_t, uint16_t blocks, uint16_t length, uint16_t src_gap,
                     uint16_t dst_gap, Where where) {
    RawMove<int8_t> call("copy_gm_to_ubuf", blocks, length, src_gap, dst_gap, where);
    data_move(call.To(dst).Gm(src));
}
void copy_ubuf_to_gm(void* dst, void* src, uint8_t, uint16_t blocks, uint16_t length, uint16_t src_gap,
                     uint16_t dst_gap, Where where) {
    RawMove<int8_t> call("copy_ubuf_to_gm", blocks, length, src_gap, dst_gap, where);
    data_move(call.From(src).Gm(dst));
}
void copy_ubuf_to_gm(void* dst, void* src, uint8_t sid, uint16_t blocks, uint16_t length, uint16_t src_gap,
                     uint16_t dst_gap, bm_t byteMode, Where where) {
    if (byteMode == BM_DISABLE) return copy_ubuf_to_gm(dst, src, sid, blocks, length, src_gap, dst_gap, where);
    RawMove<int8_t> call("copy_ubuf_to_gm", blocks, length, src_gap, dst_gap, where);
    data_move_pad(call.From(src).Gm(dst));
}
void copy_ubuf_to_ubuf(void* dst, void* src, uint8_t, uint16_t blocks, uint16_t length, uint16_t src_gap,
                       uint16_t dst_gap, Where where) {
    RawMove<int8_t> call("copy_ubuf_to_ubuf", blocks, length, src_gap, dst_gap, where);
    data_move(call.To(dst).From(src));
}

#define SFUMATO_ALIGNED(suffix, T)                                                                                     \
    void copy_gm_to_ubuf_align_##suffix(void* dst, void* src, uint8_t, uint16_t blocks, uint32_t length, uint8_t left, \
                                        uint8_t right, uint32_t src_gap, uint32_t dst_gap, Where where) {              \
        RawMove<T> call("copy_gm_to_ubuf_align_" #suffix, blocks, length, src_gap, dst_gap, where);                    \
        data_move_pad(call.To(dst).Gm(src).Pads(left, right));                                                         \
    }                                                                                                                  \
    void copy_ubuf_to_gm_align_##suffix(void* dst, void* src, uint8_t, uint16_t blocks, uint32_t length, uint8_t,      \
                                        uint8_t, uint32_t src_gap, uint32_t dst_gap, Where where) {                    \
        RawMove<T> call("copy_ubuf_to_gm_align_" #suffix, blocks, length, src_gap, dst_gap, where);                    \
        data_move_pad(call.From(src).Gm(dst));                                                                         \
    }
SFUMATO_ALIGNED(b8, uint8_t)
SFUMATO_ALIGNED(b16, uint16_t)
SFUMATO_ALIGNED(b32, uint32_t)
#undef SFUMATO_ALIGNED
void set_mov_pad_val(uint64_t value, Where where) { sfumato::ascendc::SetPadRegister(value, where); }

void set_vector_mask(uint64_t mask1, uint64_t mask0) {
    sfumato::runtime::Registers& regs = sfumato::ascendc::ThisCore("set_vector_mask").registers();
    regs.mask = {mask0, mask1};
    regs.Set(sfumato::runtime::kMaskState);
}
void set_vector_mask_dup(uint64_t mask) { set_vector_mask(mask, mask); }
void set_mask_norm(Where where) { sfumato::ascendc::SetMaskMode(false, where); }
void set_mask_count(Where where) { sfumato::ascendc::SetMaskMode(true, where); }
void set_cmpmask(void* src, Where where) {
    const auto view = sfumato::ascendc::UbFrom(src, sfumato::DataType::kUint8, "set_cmpmask", where);
    sfumato::ascendc::SetCmpMask({&view, 1, sfumato::DataType::kUint8, 8}, where);
}

uint64_t get_ctrl(Where where) { return sfumato::ascendc::GetCtrl(48, 48, where) ? kSaturationBit : 0; }
void set_ctrl(uint64_t word, Where where) {
    sfumato::runtime::Core& core = sfumato::ascendc::ThisCore("set_ctrl");
    if ((word & ~kSaturationBit) != 0) {
        sfumato::ascendc::Find(
            core, "set_ctrl", where,
            {sfumato::Rule::kCtrlBits, "", "these bits of the control register cannot be set",
             fmt::format("{:#x}", word), "bit 48: 0 saturates float results, 1 gives inf and nan", ""});
        return;
    }
    sfumato::ascendc::SetCtrl(48, 48, word != 0, where);
}
int64_t get_rsvd_cnt() {
    return static_cast<int64_t>(sfumato::ascendc::ThisCore("get_rsvd_cnt").VectorRegister(sfumato::isa::kRsvdCount));
}
