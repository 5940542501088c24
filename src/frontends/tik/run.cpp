// SPDX-License-Identifier: Apache-2.0
// A run: global memory, the feed, the launch, the outputs.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "frontends/tik/arithmetic.h"
#include "frontends/tik/interpreter.h"
#include "frontends/tik/program.h"
#include "runtime/launch/all_schedules.h"
#include "runtime/launch/launch.h"
#include "sfumato/array_part.h"

namespace sfumato::tik {
namespace {

// The parts of one run.
class Runner {
public:
    Runner(const Program::Impl& p, const std::vector<Feed>& feed, const RunOptions& options, Session* session)
        : p_(p),
          feed_(feed),
          options_(options),
          session_(session),
          memory_(std::make_shared<GlobalMemory>(GlobalMemory::Options{.fill = options.launch.fill})) {
        launch_ = options.launch;
        launch_.chip = p.chip.product;
        launch_.kernel = p.ir.kernel;
    }

    RunResult Run() {
        CheckFeed();
        for (const int32_t i : p_.ir.gm) Place(Nth(p_.ir.tensors, i));
        const int64_t blocks = Blocks();
        RunResult result;
        if (session_) {
            session_->set_shapes(&shape_);
            session_->Run(static_cast<uint32_t>(blocks),
                          [&] { result.launch = Launch(static_cast<uint32_t>(blocks), false); });
            result.quit = session_->quit();
        } else {
            result.launch = Launch(static_cast<uint32_t>(blocks), false);
        }
        if (result.launch.ok() && !result.quit) {
            for (const TensorId id : p_.ir.outputs) result.outputs.push_back(Take(Tensor(id)));
        }
        return result;
    }

private:
    const TensorNode& Tensor(TensorId id) const { return Nth(p_.ir.tensors, id.value); }

    const Feed* Find(const std::string& name) const {
        for (const Feed& f : feed_) {
            if (f.name == name) return &f;
        }
        return nullptr;
    }

    void CheckFeed() {
        std::string names;
        for (const Program::Argument& a : p_.ir.inputs) {
            const auto* s = std::get_if<ScalarId>(&a);
            const ScalarNode* scalar = s ? &Nth(p_.ir.scalars, s->value) : nullptr;
            const std::string& name = scalar ? scalar->name : Tensor(std::get<TensorId>(a)).name;
            names += (names.empty() ? "" : ", ") + name;
            const Feed* f = Find(name);
            if (!f)
                throw Error(fmt::format("run: the input '{}' is missing; pass feed_dict={{'{}': ...}}", name, name));
            if (scalar) FeedScalar(s->value, *scalar, *f);
        }
        for (const Feed& f : feed_) {
            if (Has(f.name)) continue;
            throw Error(fmt::format("run: '{}' is no input of the kernel; its inputs are {}", f.name,
                                    names.empty() ? "none" : names));
        }
    }

    bool Has(const std::string& name) const {
        const auto is = [&](const Program::Argument& a) {
            const auto* s = std::get_if<ScalarId>(&a);
            return name == (s ? Nth(p_.ir.scalars, s->value).name : Tensor(std::get<TensorId>(a)).name);
        };
        const auto& in = p_.ir.inputs;
        const auto& out = p_.ir.outputs;
        return std::any_of(in.begin(), in.end(), is) ||
               std::any_of(out.begin(), out.end(), [&](TensorId id) { return Tensor(id).name == name; });
    }

    void FeedScalar(int32_t id, const ScalarNode& scalar, const Feed& f) {
        const bool real = std::holds_alternative<double>(f.number);
        if (!f.is_number || (real && !IsFloating(scalar.type))) {
            throw Error(fmt::format("run: '{}' is an InputScalar of {}; pass {}", f.name, NumpyName(scalar.type),
                                    IsFloating(scalar.type) ? "a number" : "an int"));
        }
        const uint64_t value = FromNumber(scalar.type, f.number);
        if (!IsFloating(scalar.type) && value != FromNumber(DataType::kUint64, f.number)) {
            throw Error(fmt::format("run: '{}' does not fit {}", f.name, NumpyName(scalar.type)));
        }
        inputs_.scalars.emplace_back(id, value);
    }

    // The GM tensors that are fed the same array, in order: they share one allocation.
    std::vector<const TensorNode*> FedAlike(const Feed& f) const {
        std::vector<const TensorNode*> tensors;
        for (const int32_t i : p_.ir.gm) {
            const TensorNode& t = Nth(p_.ir.tensors, i);
            const Feed* other = Find(t.name);
            if (other && other->data == f.data && other->bytes == f.bytes && f.bytes > 0) tensors.push_back(&t);
        }
        return tensors;
    }

    // kUnknown where only a part has content.
    GlobalMemory::Role RoleOf(const TensorNode& t, bool shared, bool whole, bool part) const {
        using Role = GlobalMemory::Role;
        const auto& o = t.options;
        const bool given = whole || o.is_atomic_add || o.has_init_fill || o.has_init;
        if (shared) return Role::kInOut;
        if (part && !given) return Role::kUnknown;
        const auto& out = p_.ir.outputs;
        const bool output = std::any_of(out.begin(), out.end(), [&](TensorId id) { return &Tensor(id) == &t; });
        if (output) return given ? Role::kInOut : Role::kOutput;
        if (o.is_workspace) return given ? Role::kInOut : Role::kWorkspace;
        return given ? Role::kInput : Role::kUnknown;
    }

    // Allocates a tensor and gives it its first content, or the allocation of the first tensor that has its array.
    void Place(const TensorNode& t) {
        const Feed* f = Find(t.name);
        const std::vector<const TensorNode*> alike = f ? FedAlike(*f) : std::vector<const TensorNode*>();
        std::vector<int64_t> shape = t.shape;
        uint64_t bytes = t.bytes;
        if (f && !f->is_number) {
            bytes = t.dynamic() ? f->bytes : t.bytes;
            if (f->bytes != BytesOf(t.type, t.elements) && !t.dynamic()) {
                throw Error(fmt::format("run: '{}' has {} bytes, the Tensor has {}", t.name, f->bytes, t.bytes));
            }
            if (t.dynamic()) shape = {static_cast<int64_t>(f->bytes * 8 / BitsOf(t.type))};
        }
        const auto given = options_.shapes.find(t.name);
        if (given != options_.shapes.end()) {
            shape = given->second;
            uint64_t elements = 1;
            for (const int64_t d : shape) {
                const auto extent = static_cast<uint64_t>(std::max<int64_t>(d, 0));
                if (extent && elements > static_cast<uint64_t>(INT64_MAX) / 8 / extent) {
                    throw Error(fmt::format("run: '{}' has more elements than memory can hold", t.name));
                }
                elements *= extent;
            }
            bytes = std::max(BytesOf(t.type, elements), f ? f->bytes : 0);
        } else if (t.dynamic() && !f) {
            throw Error(
                fmt::format("run: the script does not say how large '{0}' is (it has {1} elements); "
                            "pass shapes={{'{0}': (...)}}, or --shape {0}=N,M",
                            t.name, t.elements));
        }
        const bool whole = f && f->bytes == bytes && bytes > 0;
        std::string name = t.name;
        if (alike.size() > 1) {
            if (!whole) {
                throw Error(fmt::format("run: '{}' shares an array of {} bytes with another tensor, but has {} bytes",
                                        t.name, f->bytes, bytes));
            }
            name.clear();
            for (const TensorNode* other : alike) name += (name.empty() ? "" : " = ") + other->name;
        }
        shape_.push_back(std::move(shape));
        if (alike.size() > 1 && alike[0] != &t) {
            const auto first = static_cast<size_t>(alike[0]->gm);
            base_.push_back(base_[first]);
            inputs_.allocations.push_back(inputs_.allocations[first]);
            return;
        }
        uint8_t* base = memory_->Allocate(bytes, name, whole ? f->data : nullptr);
        base_.push_back(base);
        inputs_.allocations.push_back(allocated_++);
        memory_->SetRole(base, RoleOf(t, alike.size() > 1, whole, f && f->bytes), t.type);
        if (whole && (f->start || f->more)) SetPart(*memory_, base, f->start, f->data + f->bytes, f->more);
        if (whole) return;
        if (t.options.is_atomic_add) std::memset(base, 0, bytes);
        if (t.options.has_init_fill) Fill(t, base, bytes);
        if (t.options.has_init)
            std::memcpy(base, t.options.init.data(), std::min<uint64_t>(bytes, t.options.init.size()));
        if (f && f->bytes) std::memcpy(base, f->data, f->bytes);
    }

    static void Fill(const TensorNode& t, uint8_t* base, uint64_t bytes) {
        const uint64_t bits = ToMemory(t.type, FromNumber(t.type, t.options.init_fill));
        const uint64_t size = std::max(1u, BitsOf(t.type) / 8);
        for (uint64_t at = 0; at + size <= bytes; at += size) std::memcpy(base + at, &bits, size);
    }

    Output Take(const TensorNode& t) const {
        const auto i = static_cast<size_t>(t.gm);
        uint64_t elements = 1;
        for (const int64_t d : shape_[i]) elements *= static_cast<uint64_t>(d);
        return {t.name, t.type, shape_[i], {base_[i], BytesOf(t.type, elements)}, memory_};
    }

    int64_t Blocks() {
        if (p_.ir.block_loop < 0) return 1;
        const int32_t e = Nth(p_.ir.loops, p_.ir.block_loop).block_num;
        const Expr& expr = Nth(p_.ir.exprs, e);
        if (expr.constant()) return static_cast<int64_t>(expr.bits);
        // Known at run time: what comes before the loop says it.
        blocks_ = 1;
        Launch(1, true);
        if (blocks_ < 1 || blocks_ > 65535) {
            throw Error(fmt::format("run: block_num is {}; legal are 1 to 65535", blocks_));
        }
        return blocks_;
    }

    LaunchResult Launch(uint32_t blocks, bool probe) {
        LaunchOptions options = launch_;
        options.route = Route::kTik;
        if (probe) {
            options.log = {};
            options.print = {};
            options.collect = false;
            options.schedule = "eager";
            options.check = "none";
        }
        return runtime::LaunchTik(options, blocks, *memory_, Cores(), [&] {
            const int64_t seen = RunBlock(p_.ir, *runtime::CurrentCore(), inputs_, probe, probe ? nullptr : session_);
            if (probe) blocks_ = seen;
        });
    }

    // On chips with separate cores: vector cores for programs in UB, cube cores for those of the cube unit. A program
    // with both runs on a core that has all memories (decided: TIK does not say how it divides one).
    runtime::TaskType Cores() const {
        if (!p_.chip.split_cores) return runtime::TaskType::kAiCore;
        bool cube = false, vector = false;
        for (const TensorNode& t : p_.ir.tensors) {
            vector = vector || t.memory == isa::Memory::kUb;
            cube = cube || (t.memory != isa::Memory::kUb && t.memory != isa::Memory::kGm);
        }
        if (cube && vector) return runtime::TaskType::kAiCore;
        return cube ? runtime::TaskType::kAicOnly : runtime::TaskType::kAivOnly;
    }

    const Program::Impl& p_;
    const std::vector<Feed>& feed_;
    const RunOptions& options_;
    Session* const session_;  // of a debugged run
    LaunchOptions launch_;
    std::shared_ptr<GlobalMemory> memory_;
    std::vector<uint8_t*> base_;               // by GM tensor
    std::vector<std::vector<int64_t>> shape_;  // likewise
    Inputs inputs_;
    uint32_t allocated_ = 0;
    int64_t blocks_ = 1;
};

}  // namespace

RunResult Program::Run(const std::vector<Feed>& feed, const RunOptions& options) const {
    if (!impl_->ir.frozen) throw Error("run: BuildCCE has not been called");
    return Runner(*impl_, feed, options, nullptr).Run();
}

RunResult Program::Debug(const std::vector<Feed>& feed, const RunOptions& options, Debugger& debugger,
                         bool stop_first) const {
    if (!impl_->ir.frozen) throw Error("run: BuildCCE has not been called");
    if (const char* many = runtime::ManyRuns(options.launch))
        throw Error(fmt::format("run: {} is many runs, and a debugger steers one; choose another", many));
    Session session(impl_->ir, debugger, stop_first);
    return Runner(*impl_, feed, options, &session).Run();
}

}  // namespace sfumato::tik
