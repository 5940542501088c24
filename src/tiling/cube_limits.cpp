// SPDX-License-Identifier: Apache-2.0
// The constraints of a TCubeTiling (adv.md 3.2), each with both sides in numbers.
#include "tiling/cube_words.h"

namespace sfumato::tiling {

using AscendC::CubeFormat;
using AscendC::TPosition;

namespace {

class Limits {
public:
    Limits(const TCubeTiling& tiling, const CubeTypes& types, const CubeMachine& machine)
        : t_(tiling), types_(types), machine_(machine) {}

    CubeLimit First() {
        Counts();
        if (!broken_) Multiples();
        if (!broken_) Buffers();
        if (!broken_) Steps();
        return broken_;
    }

private:
    void Fail(std::string found, std::string legal) {
        if (!broken_) broken_ = {std::move(found), std::move(legal)};
    }
    void Positive(const char* name, int64_t value) {
        if (value <= 0) Fail(fmt::format("{} is {}", name, value), "it is at least 1");
    }
    void OneOrTwo(const char* name, int64_t value) {
        if (value != 1 && value != 2) Fail(fmt::format("{} is {}", name, value), "legal are 1 and 2");
    }
    void Within(const char* name, int64_t value, const char* whole, int64_t most) {
        if (value > most) Fail(fmt::format("{} is {}", name, value), fmt::format("{} is {}", whole, most));
    }
    void Multiple(const char* name, int64_t value, int64_t unit, const char* why) {
        if (value % unit)
            Fail(fmt::format("{} is {}", name, value), fmt::format("it is a multiple of {}{}", unit, why));
    }

    void Counts() {
        Positive("M", t_.M), Positive("N", t_.N), Positive("Ka", t_.Ka), Positive("Kb", t_.Kb);
        Positive("singleCoreM", t_.singleCoreM), Positive("singleCoreN", t_.singleCoreN);
        Positive("singleCoreK", t_.singleCoreK);
        Positive("baseM", t_.baseM), Positive("baseN", t_.baseN), Positive("baseK", t_.baseK);
        Positive("stepM", t_.stepM), Positive("stepN", t_.stepN);
        Positive("stepKa", t_.stepKa), Positive("stepKb", t_.stepKb);
        Positive("depthA1", t_.depthA1), Positive("depthB1", t_.depthB1);
        OneOrTwo("dbL0A", t_.dbL0A), OneOrTwo("dbL0B", t_.dbL0B), OneOrTwo("dbL0C", t_.dbL0C);
        Positive("usedCoreNum", t_.usedCoreNum);
        if (t_.usedCoreNum > static_cast<int64_t>(machine_.Cores())) {
            Fail(fmt::format("usedCoreNum is {}", t_.usedCoreNum),
                 fmt::format("{} has {} cores", machine_.chip, machine_.Cores()));
        }
        Within("singleCoreM", t_.singleCoreM, "M", t_.M);
        Within("singleCoreN", t_.singleCoreN, "N", t_.N);
        Within("singleCoreK", t_.singleCoreK, "Ka", t_.Ka);
        Within("singleCoreK", t_.singleCoreK, "Kb", t_.Kb);
    }

    void Multiples() {
        const CubeMatrix &a = types_.a, &b = types_.b, &c = types_.c;
        Multiple("baseM", t_.baseM, kFractal, "");
        Multiple("baseN", t_.baseN, kFractal, "");
        const int64_t c0 = C0(a.type);
        const bool narrow = !a.transposed && b.transposed;  // K is the inner axis of both
        Multiple("baseK", t_.baseK, narrow ? c0 : std::max(kFractal, c0), "");
        // L1 and L0C hold whole fractals of any piece. Pieces and what the last of a direction is left with.
        const auto both = [this](const char* piece, int64_t size, const char* axis, int64_t all, int64_t unit,
                                 const char* matrix) {
            const std::string why = fmt::format(", since {} is NZ", matrix);
            Multiple(piece, size, unit, why.c_str());
            Multiple(axis, all, unit, why.c_str());
        };
        if (a.format == CubeFormat::NZ && a.position != TPosition::TSCM) {
            both("singleCoreM", t_.singleCoreM, "M", t_.M, a.transposed ? std::max(kFractal, c0) : kFractal, "A");
            both("singleCoreK", t_.singleCoreK, "Ka", t_.Ka, a.transposed ? kFractal : c0, "A");
        }
        if (b.format == CubeFormat::NZ && b.position != TPosition::TSCM) {
            both("singleCoreK", t_.singleCoreK, "Kb", t_.Kb, b.transposed ? c0 : kFractal, "B");
            both("singleCoreN", t_.singleCoreN, "N", t_.N, b.transposed ? kFractal : std::max(kFractal, c0), "B");
        }
        if (c.format == CubeFormat::NZ && c.position != TPosition::CO1) {
            both("singleCoreM", t_.singleCoreM, "M", t_.M, kFractal, "C");
            both("singleCoreN", t_.singleCoreN, "N", t_.N, c.type == DataType::kInt8 ? 32 : kFractal, "C");
        }
    }

    void Buffers() {
        const auto base = [this](const char* side, int64_t outer, const CubeMatrix& matrix, int64_t db,
                                 const char* name, uint64_t room) {
            const int64_t bytes = BitBytes(matrix.type, outer * t_.baseK) * db;
            if (bytes > static_cast<int64_t>(room)) {
                Fail(fmt::format("{} x baseK of {} x db{} = {} x {} x {} are {} bytes", side, CName(matrix.type), name,
                                 outer, t_.baseK, db, bytes),
                     fmt::format("{} has {}", name, room));
            }
        };
        base("baseM", t_.baseM, types_.a, t_.dbL0A, "L0A", machine_.l0a);
        base("baseN", t_.baseN, Loaded(types_).b, t_.dbL0B, "L0B", machine_.l0b);
        const int64_t c = int64_t{t_.baseM} * t_.baseN * 4 * t_.dbL0C;
        if (c > static_cast<int64_t>(machine_.l0c)) {
            Fail(fmt::format("baseM x baseN x 4 x dbL0C = {} x {} x 4 x {} are {} bytes", t_.baseM, t_.baseN, t_.dbL0C,
                             c),
                 fmt::format("L0C has {}", machine_.l0c));
        }
        if (t_.isBias && machine_.bt) {
            const int64_t bias = BitBytes(types_.bias.type, t_.baseN);
            if (bias > static_cast<int64_t>(machine_.bt)) {
                Fail(fmt::format("baseN of {} = {} are {} bytes", CName(types_.bias.type), t_.baseN, bias),
                     fmt::format("the bias table has {}", machine_.bt));
            }
        }
        const CubeL1 l1 = L1Of(t_, types_);
        if (l1.Sum() > static_cast<int64_t>(machine_.l1)) {
            Fail(fmt::format("depthA1 {} and depthB1 {} of base blocks {} x {} and {} x {} take {} + {} + {} bytes",
                             t_.depthA1, t_.depthB1, t_.baseM, t_.baseK, t_.baseK, t_.baseN, l1.a, l1.b, l1.bias),
                 fmt::format("L1 has {}", machine_.l1));
        }
        if (t_.transLength > static_cast<int64_t>(machine_.ub)) {
            Fail(fmt::format("transLength is {} bytes", t_.transLength), fmt::format("UB has {}", machine_.ub));
        }
    }

    void Steps() {
        const auto depth = [this](const char* name, const char* steps, int64_t step, int64_t step_k, int64_t found) {
            if (found != step * step_k && found != step * step_k * 2) {
                Fail(fmt::format("{} is {}", name, found),
                     fmt::format("{} = {} x {}, once or twice", steps, step, step_k));
            }
        };
        depth("depthA1", "stepM x stepKa", t_.stepM, t_.stepKa, t_.depthA1);
        depth("depthB1", "stepN x stepKb", t_.stepN, t_.stepKb, t_.depthB1);
        const int64_t a = Divided(t_.singleCoreK, int64_t{t_.baseK} * t_.stepKa);
        const int64_t b = Divided(t_.singleCoreK, int64_t{t_.baseK} * t_.stepKb);
        if (a % b && b % a) {
            Fail(fmt::format("K {} in loads of baseK {} x stepKa {} and x stepKb {} takes {} and {} loads",
                             t_.singleCoreK, t_.baseK, t_.stepKa, t_.stepKb, a, b),
                 "one divides the other");
        }
        const auto alone = [this](const char* name, const char* matrix, int64_t step, int64_t step_k, int64_t loads) {
            if (loads > 1 && step > 1) {
                Fail(fmt::format("{} is {}", name, step), fmt::format("it is 1 where L1 holds only {} of K {} of {}",
                                                                      t_.baseK * step_k, t_.singleCoreK, matrix));
            }
        };
        alone("stepM", "A", t_.stepM, t_.stepKa, a);
        alone("stepN", "B", t_.stepN, t_.stepKb, b);
    }

    const TCubeTiling& t_;
    const CubeTypes& types_;
    const CubeMachine& machine_;
    CubeLimit broken_;
};

}  // namespace

CubeLimit BrokenCubeLimit(const TCubeTiling& tiling, const CubeTypes& types, const CubeMachine& machine) {
    return Limits(tiling, types, machine).First();
}

}  // namespace sfumato::tiling
