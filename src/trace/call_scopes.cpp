// SPDX-License-Identifier: Apache-2.0
// Call scopes and their rows.
#include "trace/call_scopes.h"

#include <algorithm>

namespace sfumato::trace {

// Rows for inner calls, of which there may be more at once; an outer call has the row before those.
constexpr uint32_t kDepths = 4;

uint32_t CallRows::Place(uint32_t depth, double begin, double end) {
    if (busy_.size() <= depth) busy_.resize(depth + 1);
    auto& rows = busy_[depth];
    auto row = std::ranges::find_if(rows, [&](double until) { return until <= begin; });
    if (row == rows.end()) row = rows.insert(row, 0);
    *row = end;
    return kRows + depth + kDepths * static_cast<uint32_t>(row - rows.begin());
}

void CallScopes::Begin(std::string_view name, Where where) {
    const uint32_t depth = current_ ? scopes_.at(current_).depth + 1 : 0;
    if (current_) ++scopes_.at(current_).open;
    Scope& scope = scopes_[++last_];
    scope.name = name;
    scope.where = where;
    scope.parent = current_;
    scope.depth = std::min(depth, kDepths - 1);
    current_ = last_;
}

void CallScopes::End() {
    if (!current_) return;
    const uint32_t ended = current_;
    current_ = scopes_.at(ended).parent;
    Release(ended);
}

uint32_t CallScopes::Issued(uint64_t index) {
    if (!current_) return 0;
    Scope& scope = scopes_.at(current_);
    if (!scope.issued) scope.index = index;
    scope.issued = true;
    ++scope.open;
    return current_;
}

void CallScopes::Placed(uint32_t id, double begin, double end) {
    const auto scope = scopes_.find(id);
    if (scope == scopes_.end()) return;
    if (end > begin) {
        scope->second.begin = std::min(scope->second.begin, begin);
        scope->second.end = std::max(scope->second.end, end);
    }
    Release(id);
}

void CallScopes::Release(uint32_t id) {
    Scope& scope = scopes_.at(id);
    if (--scope.open != 0) return;
    const Scope done = std::move(scope);
    scopes_.erase(id);
    if (done.end > done.begin) {
        const uint32_t row = rows_.Place(done.depth, done.begin, done.end);
        emit_({0, row, Slice::Kind::kCall, done.begin, done.end, done.name, done.where, done.index, "", 0, ""});
    }
    if (!done.parent) return;
    Scope& parent = scopes_.at(done.parent);
    parent.begin = std::min(parent.begin, done.begin);
    parent.end = std::max(parent.end, done.end);
    if (done.issued && !parent.issued) {
        parent.index = done.index;
        parent.issued = true;
    }
    Release(done.parent);
}

void CallScopes::Close() {
    while (current_) End();
    while (!scopes_.empty()) {
        const auto last =
            std::ranges::max_element(scopes_, [](const auto& a, const auto& b) { return a.first < b.first; });
        last->second.open = 1;
        Release(last->first);
    }
}

}  // namespace sfumato::trace
