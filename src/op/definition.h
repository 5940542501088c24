// SPDX-License-Identifier: Apache-2.0
// An OpDef as a Definition: checked, with the configuration of a chip, its columns expanded.
#pragma once

#include <set>
#include <string>

#include "op/registry.h"
#include "report/finding.h"
#include "sfumato/op.h"

namespace sfumato::op {

struct DefinitionReader {
    // Throws KernelError: op-definition, op-chip, comm-unsupported.
    static Definition Read(const ops::OpDef& def, const Registry::Definition& entry, const std::string& chip,
                           bool strict);
    // The words of AddConfig in small letters, and whether one of them stands for the chip.
    static std::vector<std::string> Units(const ops::OpDef& def);
    static bool HasUnit(const ops::OpDef& def, const std::string& chip);
    // Enters the functions that the definition names where nothing else registered them.
    static void AddFunctions(const ops::OpDef& def, const InfoMaker& info, HostFunctions& functions);

private:
    DefinitionReader(const std::string& its_op, Where its_where) : op(its_op), where(its_where) {}
    using Params = std::vector<const ops::OpParamDef*>;

    [[noreturn]] void Refuse(Rule rule, const std::string& message, const std::string& found, const std::string& legal,
                             Where where) const;
    const ops::OpAICoreConfig& ConfigFor(const ops::OpDef& def, const std::string& chip, bool strict) const;
    Params Effective(const char* what, const std::deque<ops::OpParamDef>& of_all,
                     const std::deque<ops::OpParamDef>& of_chip) const;
    Param Read(const ops::OpParamDef& def) const;
    Attr Read(const ops::OpAttrDef& def) const;
    void AddGroups(const ops::OpDef& def, Definition& result) const;
    uint32_t LastVersion(const Params& inputs, const std::deque<ops::OpAttrDef>& attrs) const;
    // Of all lists of DataType and Format; 1 without any.
    size_t BaseColumns(const Params& all) const;
    void Expand(Definition& result, const Params& all) const;
    void Follow(Definition& result, const Params& all) const;

    const std::string& op;
    Where where;  // of OP_ADD
};

}  // namespace sfumato::op
