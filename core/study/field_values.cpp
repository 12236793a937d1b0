// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/fields.h"

#include "foundation/number_text.h"
#include "foundation/text.h"
#include "study/field_makers.h"
#include "study/names.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace credence {
namespace {

using namespace field_makers;

constexpr std::size_t most_shown = 200;   // bytes of a wrong value shown in an error

std::string trimmed(const std::string& text)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    return first == std::string::npos ? std::string{}
                                      : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::optional<long> whole_number_from(const std::string& text)
{
    const std::size_t sign = text.starts_with('+') ? 1 : 0;
    long whole             = 0;
    if (const auto [stop, error] = std::from_chars(text.data() + sign, text.data() + text.size(), whole);
        error == std::errc{} && stop == text.data() + text.size())
        return whole;
    const auto number = number_from(text);   // accepts 1e4 as a whole number
    if (number && std::nearbyint(*number) == *number && std::fabs(*number) < 9e15)
        return static_cast<long>(*number);
    return std::nullopt;
}

/// "50, 50" or "50 50" or "[50, 50]" → {"50", "50"}
std::vector<std::string> list_items(std::string text)
{
    text = trimmed(text);
    if (text.size() >= 2 && text.front() == '[' && text.back() == ']')
        text = text.substr(1, text.size() - 2);
    std::vector<std::string> items;
    std::string item;
    for (const char c : text + ' ') {
        if (c != ',' && c != ';' && c != ' ' && c != '\t')
            item += c;
        else if (!item.empty())
            items.push_back(std::exchange(item, {}));
    }
    return items;
}

/// A hint for "0,25"; empty if the only comma does not separate two groups of digits.
std::string hint_at_comma(const std::string& text)
{
    std::string pointed = trimmed(text);
    const auto comma    = pointed.find(',');
    if (comma == std::string::npos)
        return {};
    pointed[comma] = '.';
    return number_from(pointed) ? " with a decimal point, as " + pointed : std::string();
}

[[noreturn]] void refuse_text(const Field& field, const std::string& text, const std::string& hint = {})
{
    throw Error(field.path,
                field.path + " is \"" + one_line(text, most_shown) + "\", expected " + expectation(field) + hint + ".");
}

template <class T, class Parse>
std::vector<T> parse_list(const Field& field, const std::string& text, Parse parse)
{
    std::vector<T> list;
    for (const auto& item : list_items(text)) {
        const auto number = parse(item);
        if (!number)
            refuse_text(field, text);
        list.push_back(*number);
    }
    return list;
}

bool inside(const Field& field, double number)
{
    const bool above = field.min_open ? number > field.min : number >= field.min;
    const bool below = field.max_open ? number < field.max : number <= field.max;
    return std::isfinite(number) && above && below;
}

std::string range_words(const Field& field)
{
    const bool low = std::isfinite(field.min), high = std::isfinite(field.max);
    const std::string from = plain_text(field.min), to = plain_text(field.max);
    if (low && high && !field.min_open && !field.max_open)
        return " from " + from + " to " + to;
    if (low && high)
        return std::string(field.min_open ? " greater than " : " of at least ") + from
               + (field.max_open ? " and less than " : " and at most ") + to;
    if (low)
        return (field.min_open ? " greater than " : " of at least ") + from;
    if (high)
        return (field.max_open ? " less than " : " of at most ") + to;
    return {};
}

}   // namespace

namespace field_makers {

void refuse(const Field& field, const FieldValue& found)
{
    const bool text = std::holds_alternative<std::string>(found);
    throw Error(field.path, field.path + " is " + (text ? "\"" : "") + one_line(value_text(found), most_shown)
                                + (text ? "\"" : "") + ", expected " + expectation(field) + ".");
}

void require_in_range(const Field& field, const FieldValue& value)
{
    const auto check = [&](auto number) {
        if (!inside(field, static_cast<double>(number)))
            refuse(field, value);
    };
    if (const auto* number = std::get_if<double>(&value))
        check(*number);
    else if (const auto* whole = std::get_if<long>(&value))
        check(*whole);
    else if (const auto* numbers = std::get_if<std::vector<double>>(&value))
        std::for_each(numbers->begin(), numbers->end(), check);
    else if (const auto* wholes = std::get_if<std::vector<long>>(&value))
        std::for_each(wholes->begin(), wholes->end(), check);
    else if (const auto* name = std::get_if<std::string>(&value); name && !field.choices.empty())
        if (std::none_of(field.choices.begin(), field.choices.end(),
                         [&](const FieldChoice& c) { return c.name == *name; }))
            refuse(field, value);
}

}   // namespace field_makers

bool suits(const FieldChoice& choice, const Study& study)
{
    const auto task = stated_task(study.data);
    return !choice.only || !task || choice.only == task;
}

std::string expectation(const Field& field)
{
    if (!field.choices.empty()) {
        std::string names;
        for (std::size_t i = 0; i < field.choices.size(); ++i)
            names += (i == 0 ? "one of " : i + 1 == field.choices.size() ? " or " : ", ") + field.choices[i].name;
        return names;
    }
    const FieldValue kind = field.get ? field.get(Study{}) : FieldValue{0.0};
    if (std::holds_alternative<bool>(kind))
        return "true or false";
    if (std::holds_alternative<std::string>(kind))
        return "a text";
    if (std::holds_alternative<long>(kind))
        return "a whole number" + range_words(field);
    if (std::holds_alternative<std::vector<long>>(kind))
        return "whole numbers" + range_words(field) + ", separated by commas";
    if (std::holds_alternative<std::vector<double>>(kind))
        return "numbers" + range_words(field) + ", separated by commas";
    return "a number" + range_words(field);
}

FieldValue parse_value(const Field& field, const std::string& text)
{
    const FieldValue kind   = field.get(Study{});
    const std::string clean = trimmed(text);
    FieldValue value;
    if (std::holds_alternative<bool>(kind)) {
        if (clean == "true" || clean == "yes" || clean == "on" || clean == "1")
            value = true;
        else if (clean == "false" || clean == "no" || clean == "off" || clean == "0")
            value = false;
        else
            refuse_text(field, text);
    } else if (std::holds_alternative<long>(kind)) {
        const auto number = whole_number_from(clean);
        if (!number)
            refuse_text(field, text);
        value = *number;
    } else if (std::holds_alternative<double>(kind)) {
        const auto number = number_from(clean);
        if (!number)
            refuse_text(field, text, hint_at_comma(text));
        value = *number;
    } else if (std::holds_alternative<std::vector<long>>(kind)) {
        value = parse_list<long>(field, clean, whole_number_from);
    } else if (std::holds_alternative<std::vector<double>>(kind)) {
        value = parse_list<double>(field, clean, number_from);
    } else {
        value = field.choices.empty() ? text : clean;
    }
    require_in_range(field, value);
    return value;
}

std::string value_text(const FieldValue& value)
{
    const auto text_of = [](auto number) { return plain_text(static_cast<double>(number)); };
    if (const auto* flag = std::get_if<bool>(&value))
        return *flag ? "true" : "false";
    if (const auto* whole = std::get_if<long>(&value))
        return std::to_string(*whole);
    if (const auto* number = std::get_if<double>(&value))
        return plain_text(*number);
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    if (const auto* wholes = std::get_if<std::vector<long>>(&value))
        return joined(*wholes, text_of);
    return joined(std::get<std::vector<double>>(value), text_of);
}

}   // namespace credence
