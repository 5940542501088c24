// SPDX-License-Identifier: Apache-2.0
// The declarations of loaded code, and which of them are about a kernel.
#include "runtime/code/task_types.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <set>

#include "runtime/code/source_lines.h"

namespace sfumato::runtime {
namespace {

struct Register {
    std::mutex mutex;
    std::vector<TaskTypeNote> notes, qualifiers;
};
// Never destroyed: modules call ForgetTaskType while the process ends.
Register& TheRegister() {
    static auto* all = new Register;
    return *all;
}

// "ops::f<3,true>" of "void ops::(anonymous namespace)::f<3, true>(unsigned char*)".
std::string NameOf(std::string text) {
    constexpr std::string_view kAnonymous = "(anonymous namespace)::";
    for (const std::string_view no_name : {kAnonymous, kKernelPrefix})
        for (size_t at; (at = text.find(no_name)) != std::string::npos;) text.erase(at, no_name.size());
    std::string name;
    int depth = 0;
    for (const char c : text) {
        if (c == '(' && depth == 0) break;
        depth += c == '<' ? 1 : c == '>' ? -1 : 0;
        if (c == ' ' && depth == 0) name.clear();
        if (c != ' ') name += c;
    }
    return name.starts_with("::") ? name.substr(2) : name;
}

std::string WithoutArguments(const std::string& name) { return name.substr(0, name.find('<')); }

// A host may call a kernel of a namespace by its unqualified name.
bool Names(const std::string& wanted, const std::string& function) {
    return function == wanted || (wanted.find("::") == std::string::npos && function.ends_with("::" + wanted));
}

const void* ModuleOf(const void* address) {
    Dl_info info{};
    return address && dladdr(address, &info) ? info.dli_fbase : nullptr;
}

using Notes = std::vector<TaskTypeNote>;

// The notes of the function `name`; where none has these template arguments, those of every instance of the template.
Notes NotesOf(const Notes& all, const std::string& name) {
    Notes exact, of_template;
    for (const TaskTypeNote& note : all) {
        const std::string function = NameOf(note.function);
        if (Names(name, function)) exact.push_back(note);
        if (Names(WithoutArguments(name), WithoutArguments(function))) of_template.push_back(note);
    }
    return exact.empty() ? of_template : exact;
}

// *own: they are the kernel's own, not of functions that it may call.
Notes NotesOf(const Notes& all, const LaunchOptions& options, const std::function<void()>& kernel, bool* own) {
    *own = true;
    if (const auto* call = kernel.target<KernelCall>()) {
        std::string name = NameOf(call->name);
        Dl_info info{};
        if (name.empty() && dladdr(call->function, &info) && info.dli_saddr == call->function && info.dli_sname) {
            name = NameOf(Demangled(info.dli_sname));
        }
        if (name.empty()) name = NameOf(options.kernel);
        const void* module = ModuleOf(call->function);
        const void* vector_module = ModuleOf(call->vector_function);
        Notes here;
        std::ranges::copy_if(all, std::back_inserter(here), [&](const TaskTypeNote& n) {
            const void* owner = ModuleOf(n.owner);
            return !module || owner == module || owner == vector_module;
        });
        Notes notes = name.empty() ? Notes() : NotesOf(here, name);
        const bool chosen = options.core != CoreChoice::kDefault || !call->qualifier.empty();
        if (!notes.empty() || call->kernels.empty() || chosen) return notes;
        *own = false;
        std::erase_if(here, [&](const TaskTypeNote& n) {
            return std::ranges::any_of(call->kernels, [&](const std::string& k) {
                return WithoutArguments(NameOf(k)) == WithoutArguments(NameOf(n.function));
            });
        });
        return here;
    }
    // A lambda is known by its type.
    const std::string body = Demangled(kernel.target_type().name()) + "::operator()";
    Notes notes;
    std::ranges::copy_if(all, std::back_inserter(notes),
                         [&](const TaskTypeNote& n) { return n.function.starts_with(body); });
    return notes.empty() && !options.kernel.empty() ? NotesOf(all, NameOf(options.kernel)) : notes;
}

// The type for a tiling key, else the one for every key; none where declarations contradict each other.
std::optional<TaskType> Declared(const Notes& notes, uint64_t tiling_key) {
    for (const std::optional<uint64_t> key : {std::optional(tiling_key), std::optional<uint64_t>()}) {
        std::set<TaskType> types;
        for (const TaskTypeNote& note : notes) {
            if (note.key == key) types.insert(note.type);
        }
        if (!types.empty()) return types.size() == 1 ? std::optional(*types.begin()) : std::nullopt;
    }
    return std::nullopt;
}

Report FaultAt(const TaskTypeNote& note, Finding finding) {
    return ToReport(std::move(finding), "KERNEL_TASK_TYPE", note.where);
}

// Some tiling keys have a type and there is none for the others.
std::optional<Report> LacksDefault(const Notes& notes) {
    std::set<uint64_t> keys;
    for (const TaskTypeNote& note : notes) {
        if (!note.key) return std::nullopt;
        keys.insert(*note.key);
    }
    if (keys.empty()) return std::nullopt;
    return FaultAt(notes.front(), {.rule = Rule::kTaskTypeNoDefault,
                                   .message = "the tiling keys that have no type of their own have none",
                                   .found = fmt::format("KERNEL_TASK_TYPE for the tiling key{} {} alone",
                                                        keys.size() > 1 ? "s" : "", fmt::join(keys, ", ")),
                                   .legal = "KERNEL_TASK_TYPE_DEFAULT beside every KERNEL_TASK_TYPE",
                                   .hint = "add KERNEL_TASK_TYPE_DEFAULT with the type of the other keys"});
}

// The function has a qualifier that says otherwise.
std::optional<Report> Contradicts(const Notes& notes, const std::string& qualifier, TaskType qualified) {
    for (const TaskTypeNote& note : notes) {
        if (note.type == qualified) continue;
        return FaultAt(note, {.rule = Rule::kTaskTypeConflict,
                              .operand = Name(note.type),
                              .message = "the qualifier of the function says otherwise",
                              .found = fmt::format("{} in a function with {}", Name(note.type), qualifier),
                              .legal = fmt::format("{} means {}", qualifier, Name(qualified)),
                              .hint = "remove one of the two"});
    }
    return std::nullopt;
}

TaskType ChosenBy(CoreChoice core) {
    switch (core) {
        case CoreChoice::kCube: return TaskType::kAicOnly;
        case CoreChoice::kMix: return TaskType::kMixAic12;
        case CoreChoice::kMixOneToOne: return TaskType::kMixAic11;
        case CoreChoice::kDefault:
        case CoreChoice::kVector: break;
    }
    return TaskType::kAivOnly;
}

TaskType NeededBy(const CodeUse& use) {
    if (use.cube && use.vector) return TaskType::kMixAic12;
    if (use.cube) return use.cross_core ? TaskType::kMixAic10 : TaskType::kAicOnly;
    return use.cross_core ? TaskType::kMixAiv10 : TaskType::kAivOnly;
}

}  // namespace

Shape ShapeOf(TaskType type) {
    switch (type) {
        case TaskType::kAivOnly:
        case TaskType::kMixAiv10: return {0, 1};
        case TaskType::kAicOnly:
        case TaskType::kMixAic10: return {1, 0};
        case TaskType::kMixAic11: return {1, 1};
        case TaskType::kMixAic12: return {1, 2};
        case TaskType::kAiCore: return {0, 0};
    }
    return {};
}

const char* Name(TaskType type) {
    constexpr const char* kNames[] = {"KERNEL_TYPE_AIV_ONLY",    "KERNEL_TYPE_AIC_ONLY",    "KERNEL_TYPE_MIX_AIV_1_0",
                                      "KERNEL_TYPE_MIX_AIC_1_0", "KERNEL_TYPE_MIX_AIC_1_1", "KERNEL_TYPE_MIX_AIC_1_2",
                                      "KERNEL_TYPE_AICORE"};
    static_assert(std::size(kNames) == static_cast<size_t>(TaskType::kAiCore) + 1);
    return kNames[static_cast<size_t>(type)];
}

std::optional<TaskType> TaskTypeOfQualifier(std::string_view qualifier) {
    constexpr std::pair<std::string_view, TaskType> kQualifiers[] = {
        {"__vector__", TaskType::kAivOnly},     {"__cube__", TaskType::kAicOnly},
        {"__mix__(1, 0)", TaskType::kMixAic10}, {"__mix__(0, 1)", TaskType::kMixAiv10},
        {"__mix__(1, 1)", TaskType::kMixAic11}, {"__mix__(1, 2)", TaskType::kMixAic12},
    };
    for (const auto& [text, type] : kQualifiers) {
        if (text == qualifier) return type;
    }
    return std::nullopt;
}

void NoteTaskType(TaskTypeNote note) {
    Register& notes = TheRegister();
    std::lock_guard lock(notes.mutex);
    (note.qualifier.empty() ? notes.notes : notes.qualifiers).push_back(std::move(note));
}

void ForgetTaskType(const void* owner) {
    Register& notes = TheRegister();
    std::lock_guard lock(notes.mutex);
    for (auto* list : {&notes.notes, &notes.qualifiers})
        std::erase_if(*list, [owner](const TaskTypeNote& n) { return n.owner == owner; });
}

std::string EnclosingFunction(const char* closure_type) {
    const std::string text = Demangled(closure_type);  // "f(int)::{lambda()#1}"; clang numbers some "f::$_0"
    return text.substr(0, std::max(text.rfind("::{lambda(") + 1, text.rfind("::$_") + 1) - 1);  // npos + 1 is 0
}

TaskTypeChoice ChooseTaskType(const soc::Chip& chip, const LaunchOptions& options,
                              const std::function<void()>& kernel) {
    if (!chip.split_cores) return {TaskType::kAiCore, false, false, "the chip has one kind of core", {}};
    const auto* call = kernel.target<KernelCall>();
    Notes notes, qualifiers;
    bool own = false, of_function = false;
    {
        Register& all = TheRegister();
        std::lock_guard lock(all.mutex);
        if (!all.notes.empty()) notes = NotesOf(all.notes, options, kernel, &own);
        if (!all.qualifiers.empty()) qualifiers = NotesOf(all.qualifiers, options, kernel, &of_function);
    }
    std::string qualifier = call ? call->qualifier : "";
    if (qualifier.empty() && of_function && !qualifiers.empty()) qualifier = qualifiers.back().qualifier;
    TaskTypeChoice choice;
    if (own) {
        if (auto fault = LacksDefault(notes)) choice.faults.push_back(std::move(*fault));
    }
    const auto qualified = TaskTypeOfQualifier(qualifier);
    if (qualified) {
        if (auto fault = Contradicts(notes, qualifier, *qualified)) choice.faults.push_back(std::move(*fault));
    }
    if (const auto declared = Declared(notes, options.tiling_key)) {
        choice.type = *declared;
        choice.declared = choice.by_source = true;
        choice.from = "declared by KERNEL_TASK_TYPE";
    } else if (qualified) {
        choice.type = *qualified;
        choice.by_source = true;
        choice.from = "declared by " + qualifier;
    } else if (options.core != CoreChoice::kDefault) {
        choice.type = ChosenBy(options.core);
        choice.from = "chosen by the launch";
    } else if (call && call->use) {
        choice.type = NeededBy(*call->use);
        choice.from = "derived from its code";
        choice.doubts = call->use_findings;
    } else {
        choice.type = TaskType::kAivOnly;
        choice.from = "the default";
    }
    return choice;
}

}  // namespace sfumato::runtime
