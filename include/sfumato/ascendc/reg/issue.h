// SPDX-License-Identifier: Apache-2.0
// What the templates of AscendC::Reg call (src/frontends/ascendc/reg).
#pragma once

#include <exception>

#include "sfumato/ascendc/reg/types.h"

namespace sfumato::ascendc::reg {

// Of the current core: a vector function begins, as one instruction of pipe V, which what follows is inside of. False:
// one has begun already, and this is part of it.
SFUMATO_API bool Begin(const char* call, Where where);
SFUMATO_API void End();
SFUMATO_API void Abandon() noexcept;  // the kernel is being left
// A Begin and its End around a scope.
class VectorFunction {
public:
    explicit VectorFunction(const char* call, Where where) : opened_(Begin(call, where)) {}
    ~VectorFunction() noexcept(false) {
        if (opened_) std::uncaught_exceptions() == leaving_ ? End() : Abandon();
    }
    VectorFunction& operator=(VectorFunction&&) = delete;
    // Of `for` as a block: once.
    bool Once() { return once_ && !(once_ = false); }

private:
    const bool opened_;
    const int leaving_ = std::uncaught_exceptions();
    bool once_ = true;
};

// Lanes, `name` as the program spells it. Returns what exec::Run does.
SFUMATO_API uint32_t Lanes(const RegisterCall& call, const char* name, Where where);
// Squeeze under STORE_REG: AR holds the bytes of `elements` elements from here on.
SFUMATO_API void SetSqueezed(uint32_t bytes, Where where);
SFUMATO_API void ClearAr(Where where);
SFUMATO_API int64_t ReadAr(Where where);

// How an access of UB goes. kBlocks: 8 blocks with a stride. kAll: what a distribution says.
struct Access {
    const void* address = nullptr;
    DataType type{};        // of the elements the address counts
    uint8_t registers = 1;  // of each operand
    uint8_t dist = 0;       // LoadDist, StoreDist or MaskDist
    uint32_t block_stride = 0;
    const MaskRegister* mask = nullptr;
    const char* name = "";
    Where where;
};
SFUMATO_API void Load(const Access& access, VectorRegister* dst, VectorRegister* dst1 = nullptr);
SFUMATO_API void Store(const Access& access, const VectorRegister* src, const VectorRegister* src1 = nullptr);
SFUMATO_API void LoadBlocks(const Access& access, VectorRegister* dst);
SFUMATO_API void StoreBlocks(const Access& access, const VectorRegister* src);
SFUMATO_API void LoadMask(const Access& access, MaskRegister* dst);
SFUMATO_API void StoreMask(const Access& access);  // access.mask
// The register of the address' block is filled; 256 bytes from the address on are read.
SFUMATO_API void BeginLoads(const Access& access, UnalignedLoad* stream);
SFUMATO_API void LoadNext(const Access& access, UnalignedLoad* stream, VectorRegister* dst);
// The first `bytes` bytes of the register, or of what Squeeze has counted (AR: at the address and AR).
SFUMATO_API void StoreNext(const Access& access, UnalignedStore* stream, const VectorRegister* src, uint32_t bytes);
SFUMATO_API void StoreSqueezed(const Access& access, UnalignedStore* stream, const VectorRegister* src, bool update);
SFUMATO_API void StoreMaskNext(const Access& access, UnalignedStore* stream, uint32_t bytes);
SFUMATO_API void EndStores(const Access& access, UnalignedStore* stream);
SFUMATO_API void EndSqueezed(const Access& access, UnalignedStore* stream);
// By index: elements, or blocks of 32 bytes at offsets in bytes. to: the type of dst, index: of the indices.
struct IndexedAccess : Access {
    DataType to{}, index{};
    const VectorRegister* indices = nullptr;
    uint8_t index_registers = 1;
};
SFUMATO_API void Gather(const IndexedAccess& access, VectorRegister* dst);
SFUMATO_API void GatherBlocks(const IndexedAccess& access, VectorRegister* dst);
SFUMATO_API void Scatter(const IndexedAccess& access, const VectorRegister* src);

// A mask register that nothing has written is read.
[[gnu::cold]] SFUMATO_API void MaskNotSet(const char* name, Where where);
// SetVectorMask's bits.
SFUMATO_API MaskRegister VectorMask(uint32_t bits_an_element, Where where);
// LocalMemBar; of MemType numbers.
SFUMATO_API void Fence(uint8_t from, uint8_t to, Where where);

}  // namespace sfumato::ascendc::reg

namespace AscendC::Reg {
namespace reg_ = sfumato::ascendc::reg;
}
