// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

/// Parses JSON text. All JSON input goes through this function. Nesting is limited to 64 levels, so
/// recursion over the result is safe, and numbers must be in the range of double. `Json` is
/// nlohmann::json or nlohmann::ordered_json.
/// @param origin    source of the text, placed at the start of the error message
/// @param expected  what the text should contain, e.g. "a study"
/// @throws Error    "my.json, line 3: found text that is not JSON, expected a study."
///                  "my.json: found the key “training.steps” twice, expected it once."
template <class Json = nlohmann::json>
Json parse_json(std::string_view text, const std::string& origin, const std::string& expected);

/// One JSON object that is read strictly: every key is read once, and unknown keys are errors. Each
/// error starts with the object's position: "catalogue.json, set 2: title is “”, expected a
/// non-empty string."
class JsonObject {
public:
    /// @param where   start of every error message. @param object  must outlive this. @throws Error
    /// if it is not an object
    JsonObject(std::string where, const nlohmann::json& object);

    const nlohmann::json* find(const char* key);       ///< null: missing
    const nlohmann::json& need(const char* key);       ///< @throws Error if it is missing
    std::string text(const char* key);                 ///< required, not empty
    std::string text_or_nothing(const char* key);      ///< can be missing: empty
    std::vector<std::string> texts(const char* key);   ///< required: a list of non-empty strings
    const nlohmann::json& list(const char* key);       ///< required: a list of anything
    void nothing_else() const;                         ///< @throws Error that names an unread key

    [[noreturn]] void refuse(const char* key, const nlohmann::json& found, const std::string& expected) const;
    const std::string& where() const { return where_; }

private:
    std::string where_;
    const nlohmann::json& object_;
    std::set<std::string> known_;
};

}   // namespace credence
