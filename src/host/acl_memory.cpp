// SPDX-License-Identifier: Apache-2.0
// acl calls on memory (framework.md 5.3). Which side an address lies on is known from the blocks given out.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "acl/acl_rt.h"
#include "host/acl_call.h"
#include "host/capture.h"
#include "host/ranks.h"
#include "host/stream_order.h"

namespace sfumato::host {
namespace {

constexpr const char* kKinds[] = {"ACL_MEMCPY_HOST_TO_HOST", "ACL_MEMCPY_HOST_TO_DEVICE", "ACL_MEMCPY_DEVICE_TO_HOST",
                                  "ACL_MEMCPY_DEVICE_TO_DEVICE", "ACL_MEMCPY_DEFAULT"};

std::string KindName(int kind) {
    return kind >= 0 && kind <= ACL_MEMCPY_DEFAULT ? kKinds[kind] : fmt::format("kind {}", kind);
}

// One end of a copy: `bytes` from p on, which is device memory or is not. 0 when it is all right.
aclError CheckEnd(const AclCall& call, const char* operand, const void* p, uint64_t bytes) {
    if (!p) return call.Refuse({Rule::kAclArgument, operand, "the address is null", "nullptr", "memory", ""});
    const Place place = Device::Find(p);
    if (!place.block) return ACL_SUCCESS;
    if (place.block->freed) {
        return call.Refuse({Rule::kFreedBlockUsed, operand, "the memory was freed", Device::Describe(p),
                            "a block that was not freed", ""});
    }
    if (bytes > place.block->bytes - place.offset) {
        return call.Refuse(
            {Rule::kMemcpySize, operand, "the bytes reach past the end of the block",
             fmt::format("{} bytes from {}, which has {}", bytes, Device::Describe(p), place.block->bytes),
             fmt::format("at most {} bytes", place.block->bytes - place.offset), ""});
    }
    return ACL_SUCCESS;
}

aclError CheckKind(const AclCall& call, const void* dst, const void* src, int kind) {
    if (kind < 0 || kind > ACL_MEMCPY_DEFAULT) {
        return call.Refuse({Rule::kAclArgument, "kind", "there is no such kind of copy", fmt::format("{}", kind),
                            "ACL_MEMCPY_HOST_TO_HOST (0) to ACL_MEMCPY_DEFAULT (4)", ""});
    }
    if (kind == ACL_MEMCPY_DEFAULT) return ACL_SUCCESS;
    const int real = (Device::Find(src).OnDevice() ? 2 : 0) + (Device::Find(dst).OnDevice() ? 1 : 0);
    if (real == kind) return ACL_SUCCESS;
    return call.Refuse({Rule::kMemcpyKind, "kind", "the kind is not what the addresses are",
                        fmt::format("{}, to {} from {}", KindName(kind), Device::Describe(dst), Device::Describe(src)),
                        KindName(real), "pass what fits, or memory of the other side"});
}

// Bytes of one device go to another without its leave: it is done, and said (ranks.md 10, decided).
void SayPeers(const AclCall& call, const void* dst, const void* src) {
    if (Ranks::The().count() == 1) return;
    const Place to = Device::Find(dst), from = Device::Find(src);
    if (!to.OnDevice() || !from.OnDevice()) return;
    if (Ranks::The().MayTouch(to.rank, from.rank) || Ranks::The().MayTouch(from.rank, to.rank)) return;
    Report report =
        ToReport({Rule::kPeerAccess, "", "bytes are copied between devices that have no access to each other",
                  fmt::format("to {} from {}", Device::Describe(dst), Device::Describe(src)),
                  "peer access of one of the two to the other",
                  fmt::format("aclrtDeviceEnablePeerAccess({}, 0) while device {} is current", from.rank, to.rank)},
                 call.name(), {});
    Told::The().AddCall(report);
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", report.Text().c_str());
}

// Rows of bytes under streams=check; those of host memory count for nothing. An error under strict only: nothing is
// copied then.
struct Rows {
    const void* begin;
    uint64_t pitch;
    bool write;
};
Ranks::Outcome CheckOrder(const AclCall& call, const Doer& doer, std::initializer_list<Rows> all, uint64_t width,
                          uint64_t height = 1) {
    StreamOrder& order = StreamOrder::The();
    if (!order.keeps()) return {};
    std::vector<runtime::TouchedBytes> touched;
    for (const Rows& rows : all) {
        for (uint64_t row = 0; row < height; ++row)
            touched.push_back({static_cast<const uint8_t*>(rows.begin) + row * rows.pitch, width, rows.write});
    }
    Ranks::Outcome outcome;
    for (const Report& race : order.Submit(doer, call.name(), {}, touched)) {
        Told::The().AddCall(race);
        if (race.severity == Severity::kFault) {
            outcome.code = ACL_ERROR_INVALID_PARAM;
            outcome.text += (outcome.text.empty() ? "" : "\n") + race.Text();
        } else {
            std::fprintf(stderr, "%s\n", race.Text().c_str());
        }
    }
    return outcome;
}

// A piece of work on memory: checked where it is submitted, done where the stream comes to it.
struct MemoryWork {
    std::vector<const void*> uses;
    std::function<aclError(const AclCall&)> check;
    std::function<Ranks::Outcome(const AclCall&, const Doer&)> run;
};

MemoryWork Copy(void* dst, uint64_t dest_max, const void* src, uint64_t count, int kind) {
    const auto check = [=](const AclCall& call) -> aclError {
        if (count > dest_max) {
            return call.Refuse({Rule::kMemcpySize, "count", "the copy is longer than its destination",
                                fmt::format("{} bytes", count), fmt::format("at most destMax, {} bytes", dest_max),
                                ""});
        }
        aclError error = CheckEnd(call, "dst", dst, count);
        if (!error) error = CheckEnd(call, "src", src, count);
        return error ? error : CheckKind(call, dst, src, kind);
    };
    return {{dst, src}, check, [=](const AclCall& call, const Doer& doer) {
                SayPeers(call, dst, src);
                Ranks::Outcome outcome = CheckOrder(call, doer, {{src, 0, false}, {dst, 0, true}}, count);
                if (!outcome.code) std::memmove(dst, src, count);
                return outcome;
            }};
}

MemoryWork Copy2d(void* dst, uint64_t dst_pitch, const void* src, uint64_t src_pitch, uint64_t width, uint64_t height,
                  int kind) {
    const auto check = [=](const AclCall& call) -> aclError {
        if (kind != ACL_MEMCPY_HOST_TO_DEVICE && kind != ACL_MEMCPY_DEVICE_TO_HOST && kind != ACL_MEMCPY_DEFAULT) {
            return call.Refuse({Rule::kMemcpyKind, "kind", "rows are copied between host and device only",
                                KindName(kind), "ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST", ""});
        }
        for (const auto& [operand, pitch] : {std::pair{"dpitch", dst_pitch}, std::pair{"spitch", src_pitch}}) {
            if (width <= pitch) continue;
            return call.Refuse({Rule::kMemcpySize, operand, "the rows are longer than the pitch",
                                fmt::format("width {}, {} {}", width, operand, pitch), "a width of at most the pitch",
                                ""});
        }
        if (!width || !height) return ACL_SUCCESS;
        aclError error = CheckEnd(call, "dst", dst, (height - 1) * dst_pitch + width);
        if (!error) error = CheckEnd(call, "src", src, (height - 1) * src_pitch + width);
        return error ? error : CheckKind(call, dst, src, kind);
    };
    return {{dst, src}, check, [=](const AclCall& call, const Doer& doer) {
                Ranks::Outcome outcome;
                if (!width || !height) return outcome;
                SayPeers(call, dst, src);
                outcome = CheckOrder(call, doer, {{src, src_pitch, false}, {dst, dst_pitch, true}}, width, height);
                for (uint64_t row = 0; !outcome.code && row < height; ++row) {
                    std::memmove(static_cast<uint8_t*>(dst) + row * dst_pitch,
                                 static_cast<const uint8_t*>(src) + row * src_pitch, width);
                }
                return outcome;
            }};
}

MemoryWork Fill(void* block, uint64_t max_count, int32_t value, uint64_t count) {
    const auto check = [=](const AclCall& call) -> aclError {
        if (count > max_count) {
            return call.Refuse({Rule::kMemcpySize, "count", "more bytes are filled than there are",
                                fmt::format("{} bytes", count), fmt::format("at most maxCount, {} bytes", max_count),
                                ""});
        }
        return CheckEnd(call, "devPtr", block, count);
    };
    return {{block}, check, [=](const AclCall& call, const Doer& doer) {
                Ranks::Outcome outcome = CheckOrder(call, doer, {{block, 0, true}}, count);
                if (!outcome.code) std::memset(block, value, count);
                return outcome;
            }};
}

// A call that waits: behind what was submitted, with its faults.
aclError AtOnce(const AclCall& call, const MemoryWork& work) {
    if (const aclError error = CheckAllowed(call, Act::kCopyNow)) return error;
    Ranks::The().WaitForBlocks(call.name(), work.uses);
    if (const int fault = Device::Current().Collect()) return fault;
    if (const aclError error = work.check(call)) return error;
    const Ranks::Outcome outcome = work.run(call, kTheHost);
    if (outcome.code) Device::Say(outcome.text);
    return outcome.code;
}

aclError Later(const AclCall& call, aclrtStream stream, const MemoryWork& work) {
    if (const aclError error = call.CheckOwn(Handle::kStream, stream)) return error;
    return Submit(call, stream, [call, work](aclrtStream on) -> aclError {
        if (const aclError error = work.check(call)) return error;
        return Ranks::The().Submit(on, Ranks::Step{call.name(), {}, work.uses, [call, on, run = work.run] {
                                                       return run(call, OnStream(on));
                                                   }});
    });
}

// Memory of the host that a captured copy uses is aclrtMallocHost's.
aclError CheckPinned(const AclCall& call, std::initializer_list<const void*> ends, aclrtStream stream) {
    if (!Captures::The().busy()) return ACL_SUCCESS;
    const bool pinned = std::ranges::all_of(ends, [](const void* p) { return Device::Find(p).block.has_value(); });
    return pinned ? ACL_SUCCESS : CheckAllowed(call, Act::kCopyPageable, stream);
}

aclError Allocate(const AclCall& call, Block::Kind kind, void** block, uint64_t size) {
    if (!block) return call.RefuseNull("devPtr");
    if (size == 0) {
        return call.Refuse({Rule::kAclArgument, "size", "a block of no bytes is asked for", "0", "at least 1", ""});
    }
    try {
        *block = Device::Current().Allocate(kind, size, call.name());
        return ACL_SUCCESS;
    } catch (const Error& error) {
        return call.Refuse(
            {Rule::kAclArgument, "size", "there is no memory for the block", error.what(), "what the machine has", ""},
            ACL_ERROR_BAD_ALLOC);
    }
}

aclError Free(const AclCall& call, Block::Kind kind, void* block, const char* giver) {
    if (Device* device = Device::OwnerOf(block); device && device->Free(kind, block)) return ACL_SUCCESS;
    return call.Refuse({Rule::kFreeUnknown, "devPtr", "no block that is in use starts here", Device::Describe(block),
                        fmt::format("what {} returned, once", giver), ""});
}

}  // namespace
}  // namespace sfumato::host

using namespace sfumato::host;
using sfumato::Rule;

aclError aclrtMalloc(void** block, size_t size, aclrtMemMallocPolicy) {
    return Allocate({"aclrtMalloc"}, Block::Kind::kDevice, block, size);
}
aclError aclrtFree(void* block) { return Free({"aclrtFree"}, Block::Kind::kDevice, block, "aclrtMalloc"); }
aclError aclrtMallocHost(void** block, size_t size) {
    return Allocate({"aclrtMallocHost"}, Block::Kind::kPinned, block, size);
}
aclError aclrtFreeHost(void* block) { return Free({"aclrtFreeHost"}, Block::Kind::kPinned, block, "aclrtMallocHost"); }

aclError aclrtMemcpy(void* dst, size_t dest_max, const void* src, size_t count, aclrtMemcpyKind kind) {
    return AtOnce("aclrtMemcpy", Copy(dst, dest_max, src, count, kind));
}
aclError aclrtMemcpyAsync(void* dst, size_t dest_max, const void* src, size_t count, aclrtMemcpyKind kind,
                          aclrtStream stream) {
    const AclCall call{"aclrtMemcpyAsync"};
    if (const aclError error = call.CheckHandle(Handle::kStream, stream)) return error;
    if (kind == ACL_MEMCPY_HOST_TO_HOST) {
        return call.Refuse({Rule::kAclUnsupported, "kind", "a stream does not copy from host to host", KindName(kind),
                            "the other kinds", "use memcpy"},
                           ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    }
    if (const aclError error = CheckPinned(call, {dst, src}, stream)) return error;
    const MemoryWork copy = Copy(dst, dest_max, src, count, kind);
    if (const aclError error = copy.check(call)) return error;  // also of what is kept
    return Later(call, stream, copy);
}
aclError aclrtMemcpy2d(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width, size_t height,
                       aclrtMemcpyKind kind) {
    return AtOnce("aclrtMemcpy2d", Copy2d(dst, dst_pitch, src, src_pitch, width, height, kind));
}
aclError aclrtMemcpy2dAsync(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width, size_t height,
                            aclrtMemcpyKind kind, aclrtStream stream) {
    const AclCall call{"aclrtMemcpy2dAsync"};
    if (const aclError error = CheckPinned(call, {dst, src}, stream)) return error;
    return Later(call, stream, Copy2d(dst, dst_pitch, src, src_pitch, width, height, kind));
}
aclError aclrtMemset(void* block, size_t max_count, int32_t value, size_t count) {
    return AtOnce("aclrtMemset", Fill(block, max_count, value, count));
}
aclError aclrtMemsetAsync(void* block, size_t max_count, int32_t value, size_t count, aclrtStream stream) {
    return Later("aclrtMemsetAsync", stream, Fill(block, max_count, value, count));
}
