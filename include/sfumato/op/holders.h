// SPDX-License-Identifier: Apache-2.0
// Text and values that may be absent, in one layout for every standard from C++11 on and either ABI of std::string:
// host code of operators hands them to the library.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sfumato {
namespace op {

class Text {
public:
    Text() : bytes_(1, '\0') {}
    Text(const char* text) : Text(std::string(text ? text : "")) {}
    Text(const std::string& text) : bytes_(text.begin(), text.end()) { bytes_.push_back('\0'); }

    const char* c_str() const { return bytes_.data(); }
    std::string str() const { return std::string(bytes_.data(), size()); }
    size_t size() const { return bytes_.size() - 1; }
    bool empty() const { return size() == 0; }
    bool operator==(const Text& other) const { return bytes_ == other.bytes_; }
    bool operator!=(const Text& other) const { return !(*this == other); }
    bool operator<(const Text& other) const { return bytes_ < other.bytes_; }

private:
    std::vector<char> bytes_;  // with a zero at the end
};

template <class T>
class Given {
public:
    Given& operator=(T value) {
        value_ = std::move(value);
        given_ = true;
        return *this;
    }
    explicit operator bool() const { return given_; }
    const T& operator*() const { return value_; }
    const T* operator->() const { return &value_; }

private:
    T value_ = T();
    bool given_ = false;
};

}  // namespace op
}  // namespace sfumato
