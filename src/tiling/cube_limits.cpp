// SPDX-License-Identifier: Apache-2.0
// The constraints of a TCubeTiling (adv.md 3.2), each with both sides in numbers.
#include "tiling/cube_words.h"

namespace sfumato::tiling {

using AscendC::CubeFormat;

// The side whose stored rows run along its outer size has that size rounded up to C0.
CubeL1 L1Of(const TCubeTiling& t, const CubeTypes& types) {
    const CubeMatrix &a = types.a, &b = types.b;
    const int64_t rows = a.transposed ? RoundedUp(t.baseM, C0(a.type)) : t.baseM;
    const int64_t columns = b.transposed ? t.baseN : RoundedUp(t.baseN, C0(b.type));
    return {BitBytes(a.type, rows * t.baseK) * t.depthA1, BitBytes(b.type, columns * t.baseK) * t.depthB1,
            t.isBias ? BitBytes(types.bias.type, t.baseN) : 0};
}

namespace {

class Limits {
public:
    Limits(const TCubeTiling& tiling, const CubeTypes& types, const CubeMachine& machine)
        : t_(tiling), types_(types), machine_(machine) {}

    std::string First() {
        Counts();
        if (text_.empty()) Multiples();
        if (text_.empty()) Buffers();
        if (text_.empty()) Steps();
        return text_;
    }

private:
    void Fail(std::string text) {
        if (text_.empty()) text_ = std::move(text);
    }
    void Positive(const char* name, int64_t value) {
        if (value <= 0) Fail(fmt::format("{} is {}; it is at least 1", name, value));
    }
    void OneOrTwo(const char* name, int64_t value) {
        if (value != 1 && value != 2) Fail(fmt::format("{} is {}; legal are 1 and 2", name, value));
    }
    void Within(const char* name, int64_t value, const char* whole, int64_t most) {
        if (value > most) Fail(fmt::format("{} is {}, {} is {}", name, value, whole, most));
    }
    void Multiple(const char* name, int64_t value, int64_t unit, const char* why) {
        if (value % unit) Fail(fmt::format("{} is {}; it is a multiple of {}{}", name, value, unit, why));
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
            Fail(fmt::format("usedCoreNum is {}; {} has {} cores", t_.usedCoreNum, machine_.chip, machine_.Cores()));
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
        // Pieces and what the last of a direction is left with.
        const auto both = [this](const char* piece, int64_t size, const char* axis, int64_t all, int64_t unit,
                                 const char* matrix) {
            const std::string why = fmt::format(", since {} is NZ", matrix);
            Multiple(piece, size, unit, why.c_str());
            Multiple(axis, all, unit, why.c_str());
        };
        if (a.format == CubeFormat::NZ) {
            both("singleCoreM", t_.singleCoreM, "M", t_.M, a.transposed ? std::max(kFractal, c0) : kFractal, "A");
            both("singleCoreK", t_.singleCoreK, "Ka", t_.Ka, a.transposed ? kFractal : c0, "A");
        }
        if (b.format == CubeFormat::NZ) {
            both("singleCoreK", t_.singleCoreK, "Kb", t_.Kb, b.transposed ? c0 : kFractal, "B");
            both("singleCoreN", t_.singleCoreN, "N", t_.N, b.transposed ? kFractal : std::max(kFractal, c0), "B");
        }
        if (c.format == CubeFormat::NZ) {
            both("singleCoreM", t_.singleCoreM, "M", t_.M, kFractal, "C");
            both("singleCoreN", t_.singleCoreN, "N", t_.N, c.type == DataType::kInt8 ? 32 : kFractal, "C");
        }
    }

    void Buffers() {
        const auto base = [this](const char* side, int64_t outer, const CubeMatrix& matrix, int64_t db,
                                 const char* name, uint64_t room) {
            const int64_t bytes = BitBytes(matrix.type, outer * t_.baseK) * db;
            if (bytes > static_cast<int64_t>(room)) {
                Fail(fmt::format("{} x baseK of {} x db{} = {} x {} x {} are {} bytes; {} has {}", side,
                                 CName(matrix.type), name, outer, t_.baseK, db, bytes, name, room));
            }
        };
        base("baseM", t_.baseM, types_.a, t_.dbL0A, "L0A", machine_.l0a);
        base("baseN", t_.baseN, types_.b, t_.dbL0B, "L0B", machine_.l0b);
        const int64_t c = int64_t{t_.baseM} * t_.baseN * 4 * t_.dbL0C;
        if (c > static_cast<int64_t>(machine_.l0c)) {
            Fail(fmt::format("baseM x baseN x 4 x dbL0C = {} x {} x 4 x {} are {} bytes; L0C has {}", t_.baseM,
                             t_.baseN, t_.dbL0C, c, machine_.l0c));
        }
        if (t_.isBias && machine_.bt) {
            const int64_t bias = BitBytes(types_.bias.type, t_.baseN);
            if (bias > static_cast<int64_t>(machine_.bt)) {
                Fail(fmt::format("baseN of {} = {} are {} bytes; the bias table has {}", CName(types_.bias.type),
                                 t_.baseN, bias, machine_.bt));
            }
        }
        const CubeL1 l1 = L1Of(t_, types_);
        if (l1.Sum() > static_cast<int64_t>(machine_.l1)) {
            Fail(fmt::format(
                "depthA1 {} and depthB1 {} of base blocks {} x {} and {} x {} take {} + {} + {} bytes; L1 "
                "has {}",
                t_.depthA1, t_.depthB1, t_.baseM, t_.baseK, t_.baseK, t_.baseN, l1.a, l1.b, l1.bias, machine_.l1));
        }
        if (t_.transLength > static_cast<int64_t>(machine_.ub)) {
            Fail(fmt::format("transLength is {} bytes; UB has {}", t_.transLength, machine_.ub));
        }
    }

    void Steps() {
        const auto depth = [this](const char* side, const char* m_or_n, int64_t step, int64_t step_k, int64_t found) {
            if (found != step * step_k && found != step * step_k * 2) {
                Fail(fmt::format("depth{0}1 is {1}; step{2} x stepK{3} = {4} x {5}, once or twice", side, found, m_or_n,
                                 side[0] == 'A' ? "a" : "b", step, step_k));
            }
        };
        depth("A", "M", t_.stepM, t_.stepKa, t_.depthA1);
        depth("B", "N", t_.stepN, t_.stepKb, t_.depthB1);
        const int64_t a = Divided(t_.singleCoreK, int64_t{t_.baseK} * t_.stepKa);
        const int64_t b = Divided(t_.singleCoreK, int64_t{t_.baseK} * t_.stepKb);
        if (a % b && b % a) {
            Fail(
                fmt::format("K {} in loads of baseK {} x stepKa {} and x stepKb {} takes {} and {} loads; one divides "
                            "the other",
                            t_.singleCoreK, t_.baseK, t_.stepKa, t_.stepKb, a, b));
        }
        if (a > 1 && t_.stepM > 1) {
            Fail(fmt::format("stepM is {}; it is 1 where L1 holds only {} of K {} of A", t_.stepM,
                             int64_t{t_.baseK} * t_.stepKa, t_.singleCoreK));
        }
        if (b > 1 && t_.stepN > 1) {
            Fail(fmt::format("stepN is {}; it is 1 where L1 holds only {} of K {} of B", t_.stepN,
                             int64_t{t_.baseK} * t_.stepKb, t_.singleCoreK));
        }
    }

    const TCubeTiling& t_;
    const CubeTypes& types_;
    const CubeMachine& machine_;
    std::string text_;
};

}  // namespace

std::string BrokenCubeLimit(const TCubeTiling& tiling, const CubeTypes& types, const CubeMachine& machine) {
    return Limits(tiling, types, machine).First();
}

}  // namespace sfumato::tiling
