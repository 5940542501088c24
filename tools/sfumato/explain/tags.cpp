// SPDX-License-Identifier: Apache-2.0
// Numbered data, in passes of one byte each.
#include "explain/tags.h"

#include <fmt/format.h>

#include <algorithm>

namespace sfumato::command {
namespace {

constexpr int kPasses = 3;

int TagByte(uint64_t element, int pass) { return static_cast<uint8_t>((element + 1) >> (8 * pass)); }

}  // namespace

Tags JoinPasses(const TagRun& run, const std::function<void(uint8_t* gm, uint8_t* destination)>& kernel) {
    const uint64_t width = BitsOf(run.type) / 8;
    constexpr uint64_t kMost = uint64_t{1} << 22;
    if (run.source > kMost || run.destination > kMost) {
        throw Error(fmt::format("{} elements are more than any of the chip's memories holds",
                                std::max(run.source, run.destination)));
    }
    LaunchOptions options;
    options.chip = run.chip;
    options.core = CoreChoice::kCube;
    options.fill = static_cast<uint8_t>(tag::kUnwritten);
    Tags tags;
    tags.of.assign(run.destination, 0);
    std::vector<uint8_t> out(run.destination * width);
    for (int pass = 0; pass < kPasses; ++pass) {
        GlobalMemory memory;
        uint8_t* gm = memory.Allocate(run.source * width, "source");
        for (uint64_t i = 0; i < run.source; ++i) std::memset(gm + i * width, TagByte(i, pass), width);
        const LaunchResult result = Launch(options, 1, memory, [&] { kernel(gm, out.data()); });
        if (pass == 0) tags.result = result;
        if (!result.ok()) {
            tags.of.clear();
            break;
        }
        for (uint64_t i = 0; i < run.destination; ++i) tags.of[i] |= uint32_t{out[i * width]} << (8 * pass);
    }
    // The picture's program is nobody's kernel: which core and which of its instructions says nothing.
    for (Report& r : tags.result.findings) r.core.clear();
    return tags;
}

}  // namespace sfumato::command
