// SPDX-License-Identifier: Apache-2.0
// The register of declarations, and which of them belong to a kernel.
#include "runtime/task_types.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <vector>

namespace sfumato::runtime {
namespace {

struct Register {
    std::mutex mutex;
    std::vector<TaskTypeNote> notes;
};
// Never destroyed: modules forget their notes while the process ends.
Register& TheRegister() {
    static auto* notes = new Register;
    return *notes;
}

std::string Demangle(const char* name) {
    int status = 0;
    char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    std::string result = text ? text : name;
    std::free(text);
    return result;
}

// "void ops::(anonymous namespace)::f<3, true>(unsigned char*)" to "ops::f<3,true>": what is left names the function.
std::string NameOf(std::string text) {
    constexpr std::string_view kAnonymous = "(anonymous namespace)::";
    for (size_t at; (at = text.find(kAnonymous)) != std::string::npos;) text.erase(at, kAnonymous.size());
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

// An unqualified name may be what a host calls a kernel of a namespace.
bool Names(const std::string& wanted, const std::string& function) {
    return function == wanted || (wanted.find("::") == std::string::npos && function.ends_with("::" + wanted));
}

const void* ModuleOf(const void* address) {
    Dl_info info{};
    return address && dladdr(address, &info) ? info.dli_fbase : nullptr;
}

using Notes = std::vector<TaskTypeNote>;

// Notes of the function called `name`, of the template as a whole where the arguments are written otherwise.
Notes NotesOf(const Notes& all, const std::string& name) {
    Notes exact, loose;
    for (const TaskTypeNote& note : all) {
        const std::string function = NameOf(note.function);
        if (Names(name, function)) exact.push_back(note);
        if (Names(WithoutArguments(name), WithoutArguments(function))) loose.push_back(note);
    }
    return exact.empty() ? loose : exact;
}

Notes NotesOf(const Notes& all, const LaunchOptions& options, const std::function<void()>& kernel) {
    if (const auto* call = kernel.target<KernelCall>()) {
        std::string name = NameOf(call->name);
        Dl_info info{};
        if (name.empty() && dladdr(call->function, &info) && info.dli_saddr == call->function && info.dli_sname) {
            name = NameOf(Demangle(info.dli_sname));
        }
        if (name.empty()) name = NameOf(options.kernel);
        const void* module = ModuleOf(call->function);
        Notes here;
        std::copy_if(all.begin(), all.end(), std::back_inserter(here),
                     [&](const TaskTypeNote& n) { return !module || ModuleOf(n.owner) == module; });
        Notes notes = name.empty() ? Notes() : NotesOf(here, name);
        if (!notes.empty() || call->kernels.empty() || options.core != CoreChoice::kDefault) return notes;
        std::erase_if(here, [&](const TaskTypeNote& n) {
            return std::any_of(call->kernels.begin(), call->kernels.end(), [&](const std::string& k) {
                return WithoutArguments(NameOf(k)) == WithoutArguments(NameOf(n.function));
            });
        });
        return here;
    }
    // A lambda is known by its type.
    const std::string body = Demangle(kernel.target_type().name()) + "::operator()";
    Notes notes;
    std::copy_if(all.begin(), all.end(), std::back_inserter(notes),
                 [&](const TaskTypeNote& n) { return n.function.starts_with(body); });
    return notes.empty() && !options.kernel.empty() ? NotesOf(all, NameOf(options.kernel)) : notes;
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

void NoteTaskType(TaskTypeNote note) {
    Register& notes = TheRegister();
    std::lock_guard lock(notes.mutex);
    notes.notes.push_back(std::move(note));
}

void ForgetTaskType(const void* owner) {
    Register& notes = TheRegister();
    std::lock_guard lock(notes.mutex);
    std::erase_if(notes.notes, [owner](const TaskTypeNote& n) { return n.owner == owner; });
}

std::string EnclosingFunction(const char* closure_type) {
    const std::string text = Demangle(closure_type);  // "f(int)::{lambda()#1}"; clang numbers some "f::$_0"
    const size_t lambda = text.rfind("::{lambda("), unnamed = text.rfind("::$_");
    return text.substr(0, lambda == std::string::npos    ? unnamed
                          : unnamed == std::string::npos ? lambda
                                                         : std::max(lambda, unnamed));
}

std::optional<TaskType> DeclaredTaskType(const LaunchOptions& options, const std::function<void()>& kernel) {
    Register& all = TheRegister();
    std::lock_guard lock(all.mutex);
    if (all.notes.empty()) return std::nullopt;
    const Notes notes = NotesOf(all.notes, options, kernel);
    const auto agreed = [&](std::optional<uint64_t> key, bool* any) {
        std::optional<TaskType> type;
        bool contradiction = false;
        for (const TaskTypeNote& note : notes) {
            if (note.key != key) continue;
            contradiction = contradiction || (type && *type != note.type);
            type = note.type;
        }
        *any = type.has_value();
        return contradiction ? std::nullopt : type;
    };
    bool any = false;
    const auto of_key = agreed(options.tiling_key, &any);
    return any ? of_key : agreed(std::nullopt, &any);
}

}  // namespace sfumato::runtime
