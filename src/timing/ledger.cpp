// SPDX-License-Identifier: Apache-2.0
#include "timing/ledger.h"

#include <cstring>

namespace sfumato::timing {

void Ledger::Add(bool cube, const Pipes& pipes) {
    for (size_t p = 0; p < pipes.size(); ++p) {
        pipes_[cube][p].busy += pipes[p].busy;
        pipes_[cube][p].waiting += pipes[p].waiting;
        pipes_[cube][p].records += pipes[p].records;
    }
}

uint32_t Ledger::LineOf(const Where& where) {
    if (where.line == 0) return 0;
    Recent& recent = recent_[where.line % recent_.size()];
    if (recent.file == where.file && recent.line == where.line) return recent.number;
    // Two units may hold the file's name twice.
    std::vector<uint32_t>& same = numbers_[where.line];
    for (const uint32_t number : same) {
        if (std::strcmp(lines_[number].where.file, where.file) != 0) continue;
        recent = {where.file, where.line, number};
        return number;
    }
    const auto number = static_cast<uint32_t>(lines_.size());
    lines_.emplace_back().where = where;
    same.push_back(number);
    recent = {where.file, where.line, number};
    return number;
}

}  // namespace sfumato::timing
