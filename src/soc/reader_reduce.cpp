// SPDX-License-Identifier: Apache-2.0
// The table [reduce] of a chip: what its reductions store, leave and in which order they add.
#include <fmt/format.h>

#include "soc/reader.h"
#include "soc/scope.h"

namespace sfumato::soc {

void ReadReduce(Scope& top, Chip& chip) {
    const toml::node* node = top.Find("reduce");
    if (node == nullptr) return;
    Scope scope(ReadTable(*node, "reduce"), "reduce");
    for (const toml::node& order : scope.ArrayOrNone("orders")) {
        const std::string name = ReadText(order, "orders");
        int i = 0;
        while (i < static_cast<int>(isa::ReduceOrder::kCount) && name != Name(static_cast<isa::ReduceOrder>(i))) ++i;
        if (i == static_cast<int>(isa::ReduceOrder::kCount)) {
            Fail(order.source(), fmt::format("unknown order '{}'", name));
        }
        chip.reduce.orders = static_cast<uint8_t>(chip.reduce.orders | 1u << i);
    }
    chip.reduce.dst_stride_zero = scope.Flag("dst_stride_zero", true);
    chip.reduce.fill_masked = scope.Flag("fill_masked", false);
    chip.reduce.sequential = scope.Flag("sequential", false);
    chip.reduce.sum_register = scope.Flag("sum_register", false);
    chip.reduce.extreme_register = scope.Flag("extreme_register", false);
    chip.reduce.index_register = scope.Flag("index_register", false);
    chip.reduce.channels_work = scope.Flag("channels_work", false);
    scope.Done();
}

}  // namespace sfumato::soc
