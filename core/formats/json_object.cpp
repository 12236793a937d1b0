// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/json_object.h"

#include "formats/text.h"
#include "foundation/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace credence {

JsonObject::JsonObject(std::string where, const nlohmann::json& object) : where_(std::move(where)), object_(object)
{
    if (!object.is_object())
        throw Error(where_ + ": found " + object.type_name() + ", expected an object.");
}

const nlohmann::json* JsonObject::find(const char* key)
{
    known_.insert(key);
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
}

const nlohmann::json& JsonObject::need(const char* key)
{
    const nlohmann::json* value = find(key);
    if (!value)
        throw Error(where_ + ": found no " + key + ", expected one.");
    return *value;
}

std::string JsonObject::text(const char* key)
{
    const nlohmann::json& value = need(key);
    if (!value.is_string() || value.get_ref<const std::string&>().empty())
        refuse(key, value, "a non-empty string");
    return value.get<std::string>();
}

std::string JsonObject::text_or_nothing(const char* key) { return find(key) ? text(key) : std::string(); }

std::vector<std::string> JsonObject::texts(const char* key)
{
    const nlohmann::json& value = need(key);
    const auto sound            = [](const nlohmann::json& one) {
        return one.is_string() && !one.get_ref<const std::string&>().empty();
    };
    if (!value.is_array() || !std::all_of(value.begin(), value.end(), sound))
        refuse(key, value, "a list of strings");
    return value.get<std::vector<std::string>>();
}

const nlohmann::json& JsonObject::list(const char* key)
{
    const nlohmann::json& value = need(key);
    if (!value.is_array())
        refuse(key, value, "a list");
    return value;
}

void JsonObject::nothing_else() const
{
    for (const auto& [key, value] : object_.items())
        if (!known_.contains(key))
            throw Error(where_ + ": found the key " + quoted_text(key) + ", which is unknown.");
}

void JsonObject::refuse(const char* key, const nlohmann::json& found, const std::string& expected) const
{
    const std::string shown = found.is_string() ? found.get<std::string>()
                                                : found.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    throw Error(where_ + ": " + key + " is " + quoted_text(shown) + ", expected " + expected + ".");
}

}   // namespace credence
