// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <set>
#include <string>
#include <vector>

namespace credence {

/// One object of a file in JSON that is read strictly: every key is asked for once, and none may be left over. Each refusal is one sentence that begins with the object's place:
/// "catalogue.json, set 2: title is “”, expected a text that is not empty."
class JsonObject {
public:
    /// @param where   begins every sentence. @param object  outlives this. @throws Error if it is no object
    JsonObject(std::string where, const nlohmann::json& object);

    const nlohmann::json* find(const char* key);       ///< null: it is not there
    const nlohmann::json& need(const char* key);       ///< @throws Error if it is not there
    std::string text(const char* key);                 ///< needed, not empty
    std::string text_or_nothing(const char* key);      ///< may be missing: empty
    std::vector<std::string> texts(const char* key);   ///< needed: a list of texts that are not empty
    const nlohmann::json& list(const char* key);       ///< needed: a list of anything
    void nothing_else() const;                         ///< @throws Error that names a key nobody asked for

    [[noreturn]] void refuse(const char* key, const nlohmann::json& found, const std::string& expected) const;
    const std::string& where() const { return where_; }

private:
    std::string where_;
    const nlohmann::json& object_;
    std::set<std::string> known_;
};

}   // namespace credence
