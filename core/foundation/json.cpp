// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/json.h"

#include "foundation/error.h"
#include "foundation/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace credence {
namespace {

constexpr int deepest = 64;

std::string line_at(std::string_view text, std::size_t byte)
{
    return ", line "
           + std::to_string(1
                            + std::count(text.begin(),
                                         text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size())),
                                         '\n'));
}

/// Calls `visit` with the index of every byte outside strings until it returns false.
template <class Visit>
void outside_strings(std::string_view text, Visit visit)
{
    bool inside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"')
            inside = !inside;
        else if (inside && text[i] == '\\')
            ++i;
        else if (!inside && !visit(i))
            return;
    }
}

void require_shallow(std::string_view text, const std::string& origin, const std::string& expected)
{
    int depth = 0;
    outside_strings(text, [&](std::size_t i) {
        depth += text[i] == '[' || text[i] == '{' ? 1 : text[i] == ']' || text[i] == '}' ? -1 : 0;
        if (depth > deepest)
            throw Error(origin + line_at(text, i) + ": found lists or objects nested more than "
                        + std::to_string(deepest) + " deep, expected " + expected + ".");
        return true;
    });
}

/// Refuses a key that occurs twice in an object: a parser would silently use the last value.
class EachKeyOnce {
public:
    explicit EachKeyOnce(std::string origin) : origin_(std::move(origin)) {}

    template <class Event, class Json>
    bool operator()(int, Event event, Json& parsed)
    {
        if (event == Event::object_start) {
            open_.emplace_back();
        } else if (event == Event::object_end) {
            open_.pop_back();
        } else if (event == Event::key) {
            open_.back().key = parsed.template get<std::string>();
            if (!open_.back().keys.insert(open_.back().key).second)
                throw Error(origin_ + ": found the key " + quoted_text(path()) + " twice, expected it once.");
        }
        return true;
    }

private:
    struct Object {
        std::set<std::string> keys{};
        std::string key{};   ///< the last one
    };
    std::string path() const
    {
        std::string path;
        for (const auto& object : open_)
            path += (path.empty() ? "" : ".") + object.key;
        return path;
    }

    std::string origin_;
    std::vector<Object> open_;
};

/// Throws for the first number that is too large for double. The text is otherwise valid JSON.
[[noreturn]] void refuse_number(std::string_view text, const std::string& origin)
{
    std::size_t at = text.size(), length = 0;
    outside_strings(text, [&](std::size_t i) {
        if (i < at + length && at != text.size())
            return true;   // inside the last number
        if (text[i] != '-' && (text[i] < '0' || text[i] > '9'))
            return true;
        at     = i;
        length = std::min(text.find_first_not_of("0123456789+-.eE", i), text.size()) - i;
        return nlohmann::json::accept(text.substr(at, length));
    });
    throw Error(origin + line_at(text, at) + ": found the number "
                + one_line(text.substr(std::min(at, text.size()), length), 40) + ", expected one of at most 1.8e308.");
}

}   // namespace

template <class Json>
Json parse_json(std::string_view text, const std::string& origin, const std::string& expected)
{
    if (text.find_first_not_of(" \t\r\n") == text.npos)
        throw Error(origin + ": found no text, expected " + expected + ".");
    require_shallow(text, origin, expected);
    EachKeyOnce once(origin);
    try {
        return Json::parse(text, [&once](int depth, typename Json::parse_event_t event, Json& parsed) {
            return once(depth, event, parsed);
        });
    } catch (const nlohmann::json::parse_error& e) {
        throw Error(origin + line_at(text, e.byte > 0 ? e.byte - 1 : 0) + ": found text that is not JSON, expected "
                    + expected + ".");
    } catch (const nlohmann::json::exception&) {
        refuse_number(text, origin);
    }
}

template nlohmann::json parse_json<nlohmann::json>(std::string_view, const std::string&, const std::string&);
template nlohmann::ordered_json parse_json<nlohmann::ordered_json>(std::string_view, const std::string&,
                                                                   const std::string&);

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
