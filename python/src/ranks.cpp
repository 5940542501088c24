// SPDX-License-Identifier: Apache-2.0
// Worlds of ranks for Python (sfumato/ranks): launches on all of them, their windows, and collectives of the host.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "arrays.h"
#include "launch_arguments.h"
#include "launch_control.h"
#include "launch_options.h"
#include "line_sink.h"
#include "data_types.h"
#include "module.h"
#include "rank_launch.h"
#include "numeric/collective.h"
#include "sfumato/jit.h"
#include "sfumato/op.h"
#include "sfumato/rank_world.h"

namespace nb = nanobind;

namespace sfumato::python {

namespace {

// Copies what the ranks wrote to the caller's arrays: all of it, or nothing where two ranks wrote to the same bytes.
void CopyAllBack(const std::vector<RankLaunch>& launches) {
    std::vector<std::pair<ArgumentList::Change, const RankLaunch*>> changes;
    for (const RankLaunch& launch : launches) {
        for (const ArgumentList::Change& change : launch.changes()) {
            // Arrays that ranks only read may be one.
            if (std::memcmp(change.host, change.bytes.data(), change.bytes.size()) != 0)
                changes.emplace_back(change, &launch);
        }
    }
    std::ranges::stable_sort(changes, {}, [](const auto& change) { return change.first.host; });
    for (size_t i = 1; i < changes.size(); ++i) {
        const auto &before = changes[i - 1].first, &here = changes[i].first;
        if (changes[i - 1].second == changes[i].second || before.host + before.bytes.size() <= here.host) continue;
        throw Error(*here.label + " and " + *before.label +
                    " are the same memory, and both ranks wrote to it; give each rank an array of its own. No array "
                    "was changed.");
    }
    for (const auto& change : changes) CopyOut(change.first.host, change.first.bytes);
}

// Gives all arguments back, whatever happens.
struct Freed {
    ~Freed() {
        for (const RankLaunch& launch : launches) launch.free();
    }
    std::vector<RankLaunch> launches;
};

// A kernel: (rank, kernels, name of the kernel, blocks, items of its arguments).
RankLaunch LaunchOfKernel(RankWorld& world, const nb::tuple& work, const LaunchOptions& common, const nb::dict& words) {
    const auto compiled = nb::cast<std::shared_ptr<CompiledKernels>>(work[1]);
    const auto kernels = ForChecks(compiled, nb::cast<std::string>(words["check"]));
    const KernelInfo& kernel = kernels->Find(nb::cast<std::string>(work[2]));
    const auto rank = nb::cast<uint32_t>(work[0]);
    LaunchOptions options = common;
    options.chip = kernels->chip();
    options.kernel = kernel.name;
    options.tiling_key =
        words["tiling_key"].is_none() ? kernels->tiling_key().value_or(0) : nb::cast<uint64_t>(words["tiling_key"]);
    options.system_workspace = kernels->system_workspace();
    const auto list = std::make_shared<ArgumentList>(world.memory(rank), kernel, "rank " + std::to_string(rank) + ": ");
    RankLaunch launch;
    launch.changes = [kernels, list] { return list->Changes(); };
    launch.free = [list] { list->Free(); };
    try {
        for (const nb::handle argument : nb::cast<nb::list>(work[4])) list->Add(nb::cast<nb::tuple>(argument));
    } catch (...) {
        list->Free();
        throw;
    }
    launch.work = {rank, nb::cast<uint32_t>(work[3]), std::move(options),
                   BindArguments(kernels, kernel, list->arguments())};
    return launch;
}

// What tiling functions found stands first; what several found alike is told of the lowest rank.
void AddFoundByTiling(const std::vector<RankLaunch>& launches, RankWorld::Outcome* outcome) {
    op::Operator::SayOfTiling(&outcome->whole.findings);
    std::vector<Report> all;
    for (size_t i = 0; i < launches.size(); ++i) {
        const std::vector<Report>& found = launches[i].found;
        std::vector<Report>& of_work = outcome->of_works[i].findings;
        op::Operator::SayOfTiling(&of_work);
        of_work.insert(of_work.begin(), found.begin(), found.end());
        for (const Report& report : found) {
            const auto same = [&](Report other) {
                other.rank = report.rank;
                return other.Text() == report.Text();
            };
            if (std::ranges::none_of(all, same)) all.push_back(report);
        }
    }
    std::vector<Report>& whole = outcome->whole.findings;
    whole.insert(whole.begin(), all.begin(), all.end());
}

// works: as LaunchOfKernel or LaunchOfOperator take them, all of one kind. The whole result, and those of the works.
nb::tuple LaunchOnRanks(RankWorld& world, const nb::list& works, const std::vector<std::string>& groups,
                        const std::string& schedule, uint32_t repeat, const std::string& trace, const nb::dict& words) {
    LineSink log(words["log"]), print(words["print"]);
    RankWorld::Request request{.groups = groups, .schedule = schedule, .repeat = repeat, .trace = trace};
    Freed freed;
    const bool operators = works.size() > 0 && IsOperator(works[0][1]);
    LaunchOptions common = LaunchOptionsOf(operators ? Route::kOperator : Route::kCompile, words);
    common.log = log.function();
    common.print = print.function();
    LaunchControl control(common, nb::none());
    for (const nb::handle item : works) {
        const auto work = nb::cast<nb::tuple>(item);
        freed.launches.push_back(operators ? LaunchOfOperator(world, work, common)
                                           : LaunchOfKernel(world, work, common, words));
        request.works.push_back(std::move(freed.launches.back().work));
    }
    RankWorld::Outcome outcome;
    {
        const nb::gil_scoped_release release;
        outcome = world.Launch(request);
    }
    log.Rethrow();
    print.Rethrow();
    if (operators) AddFoundByTiling(freed.launches, &outcome);
    control.Rethrow(outcome.whole);
    if (outcome.whole.ok()) CopyAllBack(freed.launches);
    if (!outcome.whole.trace_error.empty()) throw Error(outcome.whole.trace_error);
    return nb::make_tuple(std::move(outcome.whole), std::move(outcome.of_works));
}

using Window = nb::ndarray<nb::numpy, uint8_t, nb::ndim<1>>;

Window WindowOf(nb::handle self, const std::string& group, uint32_t rank, bool out) {
    const RankWorld::Place place = nb::cast<RankWorld&>(self).PlaceOf(group, rank);
    const std::span<uint8_t> bytes = out ? place.out : place.in;
    const size_t shape[] = {bytes.size()};
    return Window(bytes.data(), 1, shape, self);
}

// The collective over arrays of bytes with elements of a type, by its order.
void Collected(const std::string& op, const std::string& type_name, const std::vector<Bytes>& arrays,
               nb::ndarray<uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> out, const std::string& order,
               const std::string& what) {
    static constexpr const char* kNames[] = {"sum", "prod", "max", "min"};
    const auto named = static_cast<numeric::CollectiveOp>(std::ranges::find(kNames, op) - std::begin(kNames));
    const DataType type = *FindDataType(type_name);
    if (!numeric::HasType(named, type)) throw Error(what + ": no device reduces " + type_name + " by " + op);
    std::vector<const uint8_t*> of_ranks;
    for (const Bytes& array : arrays) of_ranks.push_back(array.data());
    const nb::gil_scoped_release release;
    numeric::Collect(named, type, of_ranks, out.data(), out.size() * 8 / BitsOf(type),
                     *numeric::CollectiveOrderNamed(order.c_str()));
}

}  // namespace

void BindRanks(nb::module_& m) {
    nb::class_<RankWorld>(m, "RankWorld", "Devices that launch together; sfumato.ranks makes one.")
        .def(
            "__init__",
            [](RankWorld* self, uint32_t ranks, const std::string& chip, uint64_t window_bytes, uint8_t fill) {
                new (self) RankWorld({.ranks = ranks, .chip = chip, .window_bytes = window_bytes, .fill = fill});
            },
            nb::arg("ranks"), nb::arg("chip"), nb::arg("window_bytes"), nb::arg("fill"))
        .def_prop_ro("ranks", &RankWorld::ranks)
        .def_prop_ro("chip", &RankWorld::chip)
        .def("add_group", &RankWorld::AddGroup, nb::arg("name"), nb::arg("ranks"))
        .def(
            "place",
            [](const RankWorld& world, const std::string& group, uint32_t rank) {
                const RankWorld::Place place = world.PlaceOf(group, rank);
                return std::tuple(place.rank, place.size, reinterpret_cast<uintptr_t>(place.context));
            },
            nb::arg("group"), nb::arg("rank"), "(rank in the group, its size, address of the context).")
        .def("window", &WindowOf, nb::arg("group"), nb::arg("rank"), nb::arg("out"),
             "The bytes of the window themselves.")
        .def("launch", &LaunchOnRanks);
    m.def("check_rank_schedule", &RankWorld::CheckSchedule, nb::arg("schedule"), nb::arg("ranks"));
    m.def("collect", &Collected);
}

}  // namespace sfumato::python
