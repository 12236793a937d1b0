// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/sweep_values.h"

#include "work/text.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "sweeps/value_range.h"

#include <QRegularExpression>
#include <QStringList>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

bool isListOfNumbers(const FieldValue& value)
{
    return std::holds_alternative<std::vector<long>>(value) || std::holds_alternative<std::vector<double>>(value);
}

[[noreturn]] void refuseSweepValues(const Field& setting, const std::string& words)
{
    throw Error(setting.path, setting.label + ": " + words);
}

double rangeNumber(const Field& setting, const QString& text)
{
    const auto number = number_from(text.toStdString());
    if (!number || !std::isfinite(*number))
        refuseSweepValues(setting,
                          "“" + text.toStdString()
                              + "” is not a number, expected a range like 100 … 500 step 100 or 0.001 … 1 in 4 points, "
                                "log.");
    return *number;
}

/// The range in the line, in the format of a sweep file; null: not a range.
nlohmann::ordered_json rangeIn(const Field& setting, const QString& line)
{
    static const QRegularExpression range(
        QStringLiteral("^(\\S+?)\\s*(?:…|\\.\\.\\.|\\bto\\b)\\s*(\\S+?)\\s*,?\\s*"
                       "(?:\\bstep\\s+(\\S+)|\\bin\\s+(\\d{1,6})\\s+points?(\\s*,?\\s*log\\w*)?)$"),
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression begun(QStringLiteral("…|\\.\\.\\.|\\bto\\b"));
    const auto found = range.match(line);
    if (!found.hasMatch()) {
        if (begun.match(line).hasMatch())
            refuseSweepValues(setting,
                              "a range needs a step or a number of points, expected a range like 100 … 500 step "
                              "100 or 0.001 … 1 in 4 points, log.");
        return {};
    }
    nlohmann::ordered_json json{{"from", rangeNumber(setting, found.captured(1))},
                                {"to", rangeNumber(setting, found.captured(2))}};
    if (!found.captured(3).isEmpty())
        json["step"] = rangeNumber(setting, found.captured(3));
    else
        json["points"] = rangeNumber(setting, found.captured(4));
    if (!found.captured(5).isEmpty())
        json["scale"] = "log";
    return json;
}

std::vector<FieldValue> valuesOfRange(const Field& setting, const nlohmann::ordered_json& range, bool whole)
{
    std::vector<FieldValue> out;
    try {
        for (const auto& value : range_values(range, whole))
            out.push_back(whole ? FieldValue(value.get<long>()) : FieldValue(value.get<double>()));
    } catch (const Error& error) {
        refuseSweepValues(setting, error.what());
    }
    return out;
}

}   // namespace

std::vector<FieldValue> sweepValues(const Field& setting, const Study& base, const QString& line)
{
    const FieldValue now = setting.get(base);
    const bool whole = std::holds_alternative<long>(now), number = whole || std::holds_alternative<double>(now);
    std::vector<FieldValue> out;
    if (const auto range = number ? rangeIn(setting, line.trimmed()) : nlohmann::ordered_json(); !range.is_null())
        out = valuesOfRange(setting, range, whole);
    if (out.empty()) {
        const QChar between = isListOfNumbers(now) || line.contains(QLatin1Char(';')) ? QLatin1Char(';')
                                                                                      : QLatin1Char(',');
        for (const auto& part : line.split(between, Qt::SkipEmptyParts))
            if (const QString text = part.trimmed(); !text.isEmpty())
                out.push_back(parse_value(setting, text.toStdString()));
    }
    if (out.empty())
        refuseSweepValues(setting,
                          "found no value, expected some, like " + usualSweepValues(setting, base).toStdString() + ".");
    for (auto value = out.begin(); value != out.end(); ++value) {
        Study probe = base;
        setting.set(probe, *value);
        if (std::find(out.begin(), value, *value) != value)
            refuseSweepValues(setting, value_text(*value) + " is repeated.");
    }
    return out;
}

QString sweepValuesLine(const std::vector<FieldValue>& values)
{
    QStringList parts;
    for (const auto& value : values)
        parts += toQString(value_text(value));
    return parts.join(!values.empty() && isListOfNumbers(values.front()) ? QStringLiteral("; ") : QStringLiteral(", "));
}

QString usualSweepValues(const Field& setting, const Study& base)
{
    std::vector<FieldValue> values{setting.get(base)};
    if (std::holds_alternative<bool>(values.front()))
        values = {false, true};
    else if (std::holds_alternative<std::string>(values.front()))
        for (const auto& choice : setting.choices)
            if (values.size() < 2 && FieldValue(choice.name) != values.front())
                values.emplace_back(choice.name);
    return sweepValuesLine(values);
}
