// SPDX-License-Identifier: Apache-2.0
// Launches by <<<>>> and aclrtlaunch_*: checked, run, their faults kept.
#include "host/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

#include "acl/acl_base.h"
#include "host/acl_call.h"
#include "host/capture.h"
#include "host/ranks.h"
#include "host/stream_order.h"
#include "host/told.h"
#include "runtime/code/code_use.h"
#include "runtime/code/task_types.h"
#include "sfumato/ascendc/kernel_marks.h"
#include "soc/chip.h"

namespace sfumato::host {

void RefuseLaunch(const Site& site, const LaunchOptions& options, Finding finding) {
    Report report =
        Stamped(ToReport(std::move(finding), "", site.where), soc::FindChip(options.chip).name, site.kernel);
    if (Ranks::The().count() > 1) report.rank = Device::Current().rank();
    throw KernelError(report);
}

namespace {

// Right for a caching allocator while nobody takes the block again, and on another stream wrong.
Report NoteReturned(const Site& site, size_t argument, const void* p) {
    Report note = ToReport({Rule::kFreedBlockUsed, fmt::format("argument {}", argument + 1),
                            "the kernel gets memory that was given back to the caching allocator", Device::Describe(p),
                            "memory that is in use", "keep the tensor until the launch has been submitted"},
                           "", site.where);
    note.severity = Severity::kNote;
    return note;
}

// Ordinary memory of another device is that device's alone.
void CheckRank(const Site& site, const LaunchOptions& options, size_t argument, const void* p, uint32_t owner) {
    const uint32_t rank = Device::Current().rank();
    if (Ranks::The().MayTouch(rank, owner) || Device::Current().MayReach(p)) return;
    RefuseLaunch(
        site, options,
        {Rule::kRemoteAccess, fmt::format("argument {}", argument + 1), "the kernel gets memory of another device",
         fmt::format("{}; the kernel runs on device {}", Device::Describe(p), rank),
         "memory of its own device, a window, or of a device that it has peer access to",
         fmt::format("aclrtDeviceEnablePeerAccess({}, 0) while device {} is current", owner, rank)});
}

}  // namespace

std::vector<Report> CheckPointers(const Site& site, const LaunchOptions& options, const void* const* pointers,
                                  size_t count) {
    std::vector<Report> notes;
    for (size_t i = 0; i < count; ++i) {
        const Place place = Device::Find(pointers[i]);
        if (options.strict && place.block && place.block->returned) notes.push_back(NoteReturned(site, i, pointers[i]));
        if (place.OnDevice() && !place.block->freed) CheckRank(site, options, i, pointers[i], place.rank);
        if (!pointers[i] || (place.OnDevice() && !place.block->freed)) continue;
        const bool freed = place.OnDevice();
        RefuseLaunch(site, options,
                     {freed ? Rule::kFreedBlockUsed : Rule::kHostPointer, fmt::format("argument {}", i + 1),
                      freed ? "the kernel gets memory of the device that was freed"
                            : "the kernel gets a pointer that is not to memory of the device",
                      Device::Describe(pointers[i]), "memory of aclrtMalloc or GmAlloc, not freed, or nullptr",
                      freed ? "free it after a call that synchronises with the launch"
                            : "copy the data to the device with aclrtMemcpy first"});
    }
    return notes;
}

std::string Faults(const LaunchResult& result) {
    std::string faults;
    for (const Report& report : result.findings) {
        if (report.severity == Severity::kFault) {
            faults += (faults.empty() ? "" : "\n") + report.Text();
        } else {
            std::fflush(stdout);
            std::fprintf(stderr, "%s\n", report.Text().c_str());
        }
    }
    return faults;
}

namespace {

bool IsFault(const Report& report) { return report.severity == Severity::kFault; }

// The code of the first fault's kind of core.
int FaultCodeOf(const LaunchResult& result) {
    const auto fault = std::ranges::find_if(result.findings, IsFault);
    // What is given up for another rank's sake has no core.
    const bool vector = fault->rule == Rule::kRankExited ? result.task_type == "KERNEL_TYPE_AIV_ONLY"
                                                         : fault->core_kind == CoreKind::kVector;
    return vector ? ACL_ERROR_RT_VECTOR_CORE_EXCEPTION : ACL_ERROR_RT_AICORE_EXCEPTION;
}

struct Last {
    std::mutex mutex;
    std::optional<Report> fault;
};
Last& TheLast() {
    static auto* last = new Last;
    return *last;
}

void Fail(int code, const std::string& text, const std::vector<Report>& reports) {
    const auto fault = std::ranges::find_if(reports, IsFault);
    if (fault != reports.end()) {
        std::lock_guard lock(TheLast().mutex);
        TheLast().fault = *fault;
    }
    if (ExitOnFault()) EndProcess(kFault, text);
    Device::Current().Keep(code, text);
}

}  // namespace

namespace {
// The parameters that __kfc_workspace__ marks, or HAVE_WORKSPACE, by the qualified name of the kernel.
struct Workspaces {
    struct Parameter {
        size_t index;
        size_t before;  // bytes between the system's workspace and what the kernel gets
    };
    std::mutex mutex;
    std::map<std::string, Parameter> parameters;
};
Workspaces& TheWorkspaces() {
    static auto* all = new Workspaces;
    return *all;
}
constexpr std::string_view kWorkspaceMark = "__kfc_workspace__ ", kStubMark = "HAVE_WORKSPACE ";

// Whether a launch of `written`, e.g. "k<half, 3>" below a using-directive, is one of the kernel "ns::k".
bool IsCalled(std::string_view kernel, std::string_view written) {
    written = written.substr(0, written.find('<'));
    if (written.starts_with("::")) written.remove_prefix(2);
    if (!kernel.ends_with(written)) return false;
    return kernel.size() == written.size() || kernel.substr(0, kernel.size() - written.size()).ends_with("::");
}

// The argument that is the workspace; null: none is marked.
const void* WorkspaceOf(std::string_view written, const void* const* pointers, size_t count) {
    Workspaces& all = TheWorkspaces();
    std::lock_guard lock(all.mutex);
    for (const auto& [kernel, parameter] : all.parameters) {
        if (!IsCalled(kernel, written) || parameter.index >= count) continue;
        const auto* given = static_cast<const uint8_t*>(pointers[parameter.index]);
        return given ? given - parameter.before : nullptr;
    }
    return nullptr;
}
}  // namespace

QualifierNote::QualifierNote(const char* function, const char* qualifier) {
    for (const std::string_view mark : {kWorkspaceMark, kStubMark}) {
        if (!std::string_view(qualifier).starts_with(mark)) continue;
        std::lock_guard lock(TheWorkspaces().mutex);
        TheWorkspaces().parameters[function] = {std::stoul(qualifier + mark.size()),
                                                mark == kStubMark ? kSystemWorkspaceBytes : 0};
        return;
    }
    if (std::string_view(qualifier) == "__gm__ const") {
        entry::NoteConstantTable(this, function);
        return;
    }
    if (const auto type = runtime::TaskTypeOfQualifier(qualifier))
        runtime::NoteTaskType({this, function, *type, std::nullopt, {}, qualifier});
}
QualifierNote::~QualifierNote() { runtime::ForgetTaskType(this); }

FunctionCode CodeOf(const void* function, Where where) {
    static std::mutex mutex;
    static std::map<const void*, FunctionCode> known;
    std::lock_guard lock(mutex);
    const auto [it, is_new] = known.try_emplace(function);
    if (is_new) {
        const runtime::ModuleCode code(function);
        if (const auto entries = code.EntriesFrom(function)) {
            it->second.use = runtime::UseOf(*entries);
            it->second.system_workspace = entries->contains("SystemWorkspace");
            if (code.IsUnoptimised(function)) {
                if (auto report = runtime::UnoptimisedReport(*entries))
                    it->second.use_findings.push_back(std::move(*report));
            }
        }
        for (const auto& variable : code.VariablesFrom(function)) {
            // A __BLOCK_LOCAL__ looks the same as another thread_local.
            if (variable.is_thread_local) continue;
            if (auto report = runtime::VariableReport(variable)) it->second.findings.push_back(std::move(*report));
        }
    }
    FunctionCode code = it->second;
    for (auto* findings : {&code.findings, &code.use_findings}) {
        if (!is_new) findings->clear();
        for (Report& report : *findings) {
            report.file = where.file;
            report.line = where.line;
        }
    }
    return code;
}

namespace {
// A launch that was checked, and owns what it runs with.
struct Ready {
    Site site;
    uint32_t blocks;
    void* stream;
    const void* function;
    std::function<void()> run;
    Device* device;
    const void* workspace;
    LaunchOptions options;
    std::vector<Report> notes;
    FunctionCode code;
    bool done = false;
};

// Throws KernelError or Error.
void CheckLaunch(Ready& ready, int64_t blocks, const void* const* pointers, size_t count) {
    const Site& site = ready.site;
    LaunchOptions& options = ready.options;
    options = OptionsOfEnvironment(Route::kHost, site.chip, site.options);
    options.kernel = site.kernel;
    if (!IsLive(Handle::kStream, ready.stream)) {
        RefuseLaunch(site, options,
                     {Rule::kAclHandle, "stream", "the stream does not exist", fmt::format("{}", ready.stream),
                      "nullptr, or a stream of aclrtCreateStream that was not destroyed", ""});
    }
    const uint32_t rank = RankOf(Handle::kStream, ready.stream).value_or(ready.device->rank());
    if (rank != ready.device->rank())
        RefuseLaunch(site, options, MismatchOf(Handle::kStream, rank, ready.device->rank()));
    if (blocks < 1 || blocks > 65535) {
        RefuseLaunch(site, options,
                     {Rule::kLaunchBlocks, "blocks", "a launch cannot have this number of blocks",
                      fmt::format("{}", blocks), "1 to 65535", ""});
    }
    ready.blocks = static_cast<uint32_t>(blocks);
    ready.notes = CheckPointers(site, options, pointers, count);
    ready.code = CodeOf(ready.function, site.where);
    ready.workspace = WorkspaceOf(site.kernel, pointers, count);
}

void RunReady(Ready& ready) {
    const Site& site = ready.site;
    const LaunchOptions& options = ready.options;
    const auto start = std::chrono::steady_clock::now();
    const void* workspace = ready.workspace;
    const auto run_with = [&run = ready.run, workspace] {
        entry::GiveWorkspace(workspace);
        run();
    };
    const KernelCall call{workspace ? std::function<void()>(run_with) : ready.run,
                          ready.function,
                          "",
                          {},
                          nullptr,
                          {},
                          ready.code.use,
                          std::move(ready.code.findings),
                          site.where.file,
                          std::move(ready.code.use_findings)};
    GlobalMemory& memory = ready.device->memory();
    StreamOrder& order = StreamOrder::The();
    std::vector<runtime::TouchedBytes> touched;
    LaunchResult result = order.on() ? runtime::LaunchTouching(options, ready.blocks, memory, call, touched)
                                     : sfumato::Launch(options, ready.blocks, memory, call);
    for (Report& race :
         order.Submit(OnStream(ready.stream), fmt::format("{}<<<>>>", site.kernel), site.where, touched)) {
        result.findings.push_back(Stamped(std::move(race), soc::FindChip(options.chip).name, site.kernel));
    }
    result.findings.insert(result.findings.end(), ready.notes.begin(), ready.notes.end());
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    Told::The().Add(options, ready.blocks, site.where.file, result);
    if (LaunchWatcher* w = Device::watcher)
        w->Launched({site.kernel, site.where.file, site.where.line, ready.blocks, result.records, time.count()});
    if (const std::string faults = Faults(result); !faults.empty()) Fail(FaultCodeOf(result), faults, result.findings);
    ready.done = true;
}

template <class F>
void Tried(const Ready& ready, F f) {
    const auto refuse = [&](const char* text, const std::vector<Report>& reports) {
        LaunchOptions options = ready.options;
        options.kernel = ready.site.kernel;
        Told::The().AddRefused(options, ready.site.where.file, text, reports);
        Fail(ACL_ERROR_INVALID_PARAM, text, reports);
    };
    try {
        f();
    } catch (const KernelError& error) {
        refuse(error.what(), {error.report()});
    } catch (const Error& error) {
        refuse(fmt::format("{}<<<>>>: {}", ready.site.kernel, error.what()).c_str(), {});
    }
}

bool LaunchNow(const Site& site, int64_t blocks, void* stream, const void* function, const std::function<void()>& run,
               const void* const* pointers, size_t count) {
    const auto ready = std::make_shared<Ready>(
        Ready{site, 0, stream, function, run, &Device::Current(), nullptr, LaunchOptions(), {}, {}, false});
    bool checked = false;
    Tried(*ready, [&] {
        CheckLaunch(*ready, blocks, pointers, count);
        checked = true;
    });
    if (!checked) return false;
    Ranks::Launch launch{fmt::format("{}<<<>>>", site.kernel), site.where,
                         std::vector<const void*>(pointers, pointers + count),
                         [ready] { Tried(*ready, [&] { RunReady(*ready); }); }};
    return !Ranks::The().Submit(stream, std::move(launch)) || ready->done;
}

// What a replay launches.
struct Kept {
    Site site;
    int64_t blocks;
    const void* function;
    std::function<void()> run;
    std::vector<const void*> pointers;
    aclError operator()(void* stream) const {
        LaunchNow(site, blocks, stream, function, run, pointers.data(), pointers.size());
        return ACL_SUCCESS;  // the device keeps its faults
    }
};
}  // namespace

bool Launch(const Site& site, int64_t blocks, void* stream, const void* function, const std::function<void()>& run,
            const void* const* pointers, size_t count) {
    Captures& captures = Captures::The();
    if (!captures.busy()) return LaunchNow(site, blocks, stream, function, run, pointers, count);
    std::optional<Finding> refused;
    const Kept kept{site, blocks, function, run, std::vector<const void*>(pointers, pointers + count)};
    if (!captures.Keep(stream, kept, refused)) return LaunchNow(site, blocks, stream, function, run, pointers, count);
    if (!refused) return true;
    LaunchOptions options;
    options.kernel = site.kernel;
    const Report report = Stamped(ToReport(std::move(*refused), "", site.where), "", site.kernel);
    Told::The().AddRefused(options, site.where.file, report.Text(), {report});
    Fail(ACL_ERROR_INVALID_PARAM, report.Text(), {report});
    return false;
}

bool TakeBytes(const Site& site, size_t argument, const void* address, uint64_t given, void* bytes, uint64_t size) {
    LaunchOptions options;
    options.kernel = site.kernel;
    try {
        options = OptionsOfEnvironment(Route::kHost, site.chip, site.options);
        options.kernel = site.kernel;
        const auto refuse = [&](Rule rule, const char* message, std::string found, std::string hint) {
            RefuseLaunch(site, options,
                         {rule, fmt::format("argument {}", argument + 1), message, std::move(found),
                          fmt::format("the {} bytes of the kernel's parameter: by value, or a pointer to them", size),
                          std::move(hint)});
        };
        if (given != 0 && given != size) {
            refuse(Rule::kLaunchValue, "the value handed to the launch is of another size than the kernel's parameter",
                   fmt::format("{} bytes", given), "hand it in the parameter's type");
        }
        if (!address) refuse(Rule::kLaunchValue, "the pointer to the kernel's parameter is null", "nullptr", "");
        const Place place = Device::Find(address);
        if (place.block && place.block->freed) {
            refuse(Rule::kFreedBlockUsed, "the kernel's parameter lies in memory that was freed",
                   Device::Describe(address), "free it after the launch");
        }
        if (place.block && place.offset + size > place.block->bytes) {
            refuse(Rule::kLaunchValue, "the kernel's parameter reaches past the block it lies in",
                   fmt::format("{}, of {} bytes", Device::Describe(address), place.block->bytes), "");
        }
        std::memcpy(bytes, address, size);
        return true;
    } catch (const KernelError& error) {
        Told::The().AddRefused(options, site.where.file, error.what(), {error.report()});
        Fail(ACL_ERROR_INVALID_PARAM, error.what(), {error.report()});
    } catch (const Error& error) {
        Fail(ACL_ERROR_INVALID_PARAM, fmt::format("{}<<<>>>: {}", site.kernel, error.what()), {});
    }
    return false;
}

void WatchLaunches(LaunchWatcher* watcher) { Device::watcher = watcher; }
void CollectFaults(TakeText take, void* to) {
    Ranks::The().WaitForDevice("CollectFaults", Device::Current());
    StreamOrder::The().SynchronizedWithAll();
    take(to, Device::Current().CollectTexts().c_str());
}
std::optional<Report> LastFault() {
    std::lock_guard lock(TheLast().mutex);
    return TheLast().fault;
}
void LastFault(TakeText take, void* text, void* json) {
    const std::optional<Report> fault = LastFault();
    if (!fault) return;
    take(text, fault->Text().c_str());
    take(json, fault->Json().c_str());
}

}  // namespace sfumato::host
