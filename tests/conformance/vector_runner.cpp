// SPDX-License-Identifier: Apache-2.0
// UB and registers before and after a record.
#include "conformance/vector_runner.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "isa/vector_registers.h"

namespace sfumato::conformance {
namespace {

constexpr uint64_t kUbBytes = 128 * 1024;
constexpr uint64_t kMaxFailures = 4;

std::string NameOfTest() {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    return std::string(test.test_suite_name()) + "." + test.name();
}

}  // namespace

VectorRunner::VectorRunner() : random_(NameOfTest()), before_(kUbBytes), targets_(exec::Targets()) {
    for (size_t at = 0; at < before_.size(); at += 8) {
        const uint64_t bits = random_.Bits();
        std::memcpy(before_.data() + at, &bits, 8);
    }
    now_ = before_;
    registers_before_.assign(isa::kVectorRegisterBytes, 0xA5);
    registers_ = registers_before_;
    map_.base[static_cast<int>(isa::Memory::kUb)] = now_.data();
    map_.base[static_cast<int>(isa::Memory::kRegister)] = registers_.data();
}

isa::Operand VectorRunner::Operand(DataType type, uint64_t offset) const {
    isa::Operand o;
    o.memory = isa::Memory::kUb;
    o.type = type;
    o.offset = offset;
    o.limit = kUbBytes;
    return o;
}

void VectorRunner::Run(const isa::Record& record, const Oracle& oracle) {
    ++cases_;
    expected_ = before_;
    registers_expected_ = registers_before_;
    const bool saturated = oracle({before_, expected_, registers_expected_});
    for (const std::string& target : targets_) {
        exec::ForceTarget(target);
        std::memcpy(now_.data(), before_.data(), before_.size());
        std::memcpy(registers_.data(), registers_before_.data(), registers_.size());
        Compare(record, target, saturated);
    }
    exec::ForceTarget("");
}

void VectorRunner::Compare(const isa::Record& record, const std::string& target, bool saturated) {
    bool found = false;
    try {
        found = exec::Execute(record, map_);
    } catch (const std::exception& e) {
        return Fail(record, target + ": threw " + e.what());
    }
    exec::Publish();
    if (now_ != expected_) {
        size_t at = 0, count = 0;
        while (now_[at] == expected_[at]) ++at;
        for (size_t i = at; i < expected_.size(); ++i) count += now_[i] != expected_[i];
        char line[200];
        std::snprintf(line, sizeof line, ": %zu bytes differ, first UB+%zu: found %02X, expected %02X, before %02X",
                      count, at, now_[at], expected_[at], before_[at]);
        Fail(record, target + line);
    }
    if (registers_ != registers_expected_) {
        size_t at = 0;
        while (registers_[at] == registers_expected_[at]) ++at;
        char line[120];
        std::snprintf(line, sizeof line, ": register byte %zu: found %02X, expected %02X", at, registers_[at],
                      registers_expected_[at]);
        Fail(record, target + line);
    }
    if (found != saturated) Fail(record, target + ": the flag is " + (found ? "set" : "not set"));
}

void VectorRunner::Fail(const isa::Record& record, const std::string& what) {
    if (++failures_ > kMaxFailures) return;
    text_ += "case " + std::to_string(cases_) + ", " + what + "\n  " + isa::Print(record) + "\n";
}

std::string VectorRunner::RunCases(const std::string& name, uint64_t cases, const std::function<void()>& one) {
    const uint64_t end = cases_ + cases;
    for (uint64_t attempts = 0; cases_ < end; ++attempts) {
        if (attempts == 20 * cases) return name + ": the generator finds too few legal records\n";
        one();
    }
    std::printf("%s: %llu records, %zu targets, %llu failures\n", name.c_str(), static_cast<unsigned long long>(cases_),
                targets_.size(), static_cast<unsigned long long>(failures_));
    return text_;
}

}  // namespace sfumato::conformance
