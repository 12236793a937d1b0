// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace credence {

/// The members of a layer's JSON, its own name first: {"conv": 20, "kernel": 5, "stride": 1,
/// "padding": 0}.
using LayerJsonMembers = std::vector<std::pair<const char*, std::variant<bool, int, double, std::string>>>;

/// Reads a layer's JSON. Members that are missing or have the wrong type raise the errors of
/// nlohmann::json.
class LayerJson {
public:
    LayerJson(const nlohmann::json& json, std::size_t layer) : json_(json), layer_(layer) {}
    bool has(const char* name) const;
    int whole(const char* name) const;
    int whole(const char* name, int if_missing) const;
    double number(const char* name) const;
    std::string word(const char* name) const;
    /// @throws Error "Layer 2 of the network: " and the sentence
    [[noreturn]] void refuse(const std::string& sentence) const;

private:
    const nlohmann::json& json_;
    std::size_t layer_;
};

/// Reads a layer's text, word by word.
class LayerWords {
public:
    LayerWords(std::string_view text, std::size_t layer);
    bool empty() const { return words_.empty(); }
    bool more() const { return next_ < words_.size(); }
    std::string_view word() const { return more() ? words_[next_] : std::string_view{}; }   ///< the next one
    std::string_view take();            ///< returns it and advances to the next word
    bool take(std::string_view word);   ///< only if it is the next word
    /// @param what  "the number of units", for the refusal
    int whole(const char* what);
    double number(const char* what);
    /// @throws Error "Layer 2 of the network: found 'dense many', " and why
    [[noreturn]] void refuse(const std::string& why) const;

private:
    template <class Number>
    Number read(const char* what);

    std::string_view text_;
    std::size_t layer_, next_ = 0;
    std::vector<std::string_view> words_;
};

}   // namespace credence
