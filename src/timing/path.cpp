// SPDX-License-Identifier: Apache-2.0
#include "timing/path.h"

#include <algorithm>

namespace sfumato::timing {

void Path::Sums::Add(const Step& step) {
    double all = 0;
    for (size_t i = 0; i < kSpent; ++i) {
        by_pipe[static_cast<size_t>(step.pipe)][i] += static_cast<double>(step.spent[i]);
        all += static_cast<double>(step.spent[i]);
    }
    by_line[step.line] += all;
    if (step.assumed) assumed += all;
}

void Path::Sums::Add(const Sums& sums) {
    for (size_t p = 0; p < by_pipe.size(); ++p) {
        for (size_t i = 0; i < kSpent; ++i) by_pipe[p][i] += sums.by_pipe[p][i];
    }
    for (const auto& [line, cycles] : sums.by_line) by_line[line] += cycles;
    assumed += sums.assumed;
}

Path::Path() : nodes_(1, Entry{kStart, 0, 0, {}}), sums_(1) {}

Path::Node Path::Add(Node after, const Step& step) {
    nodes_.push_back({after, 0, nodes_[after].slice, step});
    return static_cast<Node>(nodes_.size() - 1);
}

void Path::Fold(const std::vector<Node*>& leaves) {
    constexpr uint32_t kMany = 2;
    std::vector<uint32_t> uses(nodes_.size());  // 1: one node comes after it; more: it stays
    std::vector<bool> live(nodes_.size());
    for (const Node* leaf : leaves) {
        uses[*leaf] += kMany;
        live[*leaf] = true;
    }
    uses[kStart] += kMany;
    live[kStart] = true;
    for (size_t n = nodes_.size(); n-- > 1;) {
        if (!live[n]) continue;
        live[nodes_[n].after] = true;
        ++uses[nodes_[n].after];
    }
    std::vector<Entry>& kept = before_;
    kept.assign(1, nodes_[0]);
    std::vector<Sums> sums(1);
    std::vector<Node> moved(nodes_.size());
    for (Node n = 1; n < nodes_.size(); ++n) {
        if (!live[n] || uses[n] < kMany) continue;
        Entry entry = nodes_[n];
        // The chain before it that nobody else needs.
        if (uses[entry.after] < kMany) {
            Sums all;
            const auto add = [&](const Entry& e) { e.sums ? all.Add(sums_[e.sums]) : all.Add(e.step); };
            add(entry);
            Node at = entry.after;
            for (; uses[at] < kMany; at = nodes_[at].after) add(nodes_[at]);
            entry = {moved[at], static_cast<uint32_t>(sums.size()), entry.slice, {}};
            sums.push_back(std::move(all));
        } else {
            if (entry.sums) {
                sums.push_back(std::move(sums_[entry.sums]));
                entry.sums = static_cast<uint32_t>(sums.size() - 1);
            }
            entry.after = moved[entry.after];
        }
        moved[n] = static_cast<Node>(kept.size());
        kept.push_back(std::move(entry));
    }
    for (Node* leaf : leaves) *leaf = moved[*leaf];
    nodes_.swap(kept);
    sums_ = std::move(sums);
    fold_at_ = std::max(kSmall, nodes_.size() * 2);
}

Path::Sums Path::To(Node node) const {
    Sums sums;
    for (; node != kStart; node = nodes_[node].after) {
        const Entry& entry = nodes_[node];
        entry.sums ? sums.Add(sums_[entry.sums]) : sums.Add(entry.step);
    }
    return sums;
}

}  // namespace sfumato::timing
