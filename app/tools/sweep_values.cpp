// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/sweep_values.h"

#include "work/text.h"

#include "foundation/error.h"
#include "foundation/number_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

constexpr long mostSweepValues = 1000;   ///< of one setting

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
        refuseSweepValues(
            setting, "“" + text.toStdString()
                         + "” is no number, expected a range like 100 … 500 step 100 or 0.001 … 1 in 4 points, log.");
    return *number;
}

std::vector<double> steppedNumbers(const Field& setting, double from, double to, double step)
{
    if (!(step > 0) || to < from)
        refuseSweepValues(setting, "the range goes from " + plain_text(from) + " to " + plain_text(to) + " in steps of "
                                       + plain_text(step) + ", expected an end above its begin and a step above 0.");
    const double n = std::floor((to - from) / step * (1 + 1e-12) + 1e-9) + 1;
    if (n > mostSweepValues)
        refuseSweepValues(setting, "the range has more than " + grouped_text(mostSweepValues) + " values.");
    std::vector<double> out;
    for (int i = 0; i < static_cast<int>(n); ++i)
        out.push_back(rounded_number(from + i * step, 12));
    return out;
}

std::vector<double> spacedNumbers(const Field& setting, double from, double to, double points, bool logarithmic)
{
    if (points < 2 || points > mostSweepValues || !(to > from) || (logarithmic && from <= 0))
        refuseSweepValues(setting, "the range goes from " + plain_text(from) + " to " + plain_text(to) + " in "
                                       + plain_text(points)
                                       + " points, expected an end above its begin, at least 2 points"
                                       + (logarithmic ? " and numbers above 0." : "."));
    std::vector<double> out;
    for (int i = 0; i < static_cast<int>(points); ++i) {
        const double share = i / (points - 1);
        out.push_back(rounded_number(logarithmic ? from * std::pow(to / from, share) : from + (to - from) * share, 12));
    }
    return out;
}

/// Empty: the line is no range.
std::vector<double> rangeNumbers(const Field& setting, const QString& line)
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
                              "a range needs its step or its number of points, expected a range like 100 … 500 "
                              "step 100 or 0.001 … 1 in 4 points, log.");
        return {};
    }
    const double from = rangeNumber(setting, found.captured(1)), to = rangeNumber(setting, found.captured(2));
    if (!found.captured(3).isEmpty())
        return steppedNumbers(setting, from, to, rangeNumber(setting, found.captured(3)));
    return spacedNumbers(setting, from, to, rangeNumber(setting, found.captured(4)), !found.captured(5).isEmpty());
}

std::vector<FieldValue> valuesOfRange(const Field& setting, const std::vector<double>& numbers, bool whole)
{
    std::vector<FieldValue> out;
    for (const double number : numbers) {
        if (whole && number != std::round(number))
            refuseSweepValues(setting, plain_text(number) + " of the range is no whole number.");
        out.push_back(whole ? FieldValue(std::lround(number)) : FieldValue(number));
    }
    return out;
}

}   // namespace

std::vector<FieldValue> sweepValues(const Field& setting, const Study& base, const QString& line)
{
    const FieldValue now = setting.get(base);
    const bool whole = std::holds_alternative<long>(now), number = whole || std::holds_alternative<double>(now);
    std::vector<FieldValue> out;
    if (number)
        out = valuesOfRange(setting, rangeNumbers(setting, line.trimmed()), whole);
    if (out.empty()) {
        const QChar between = isListOfNumbers(now) || line.contains(QLatin1Char(';')) ? QLatin1Char(';')
                                                                                      : QLatin1Char(',');
        for (const auto& part : line.split(between, Qt::SkipEmptyParts))
            if (const QString text = part.trimmed(); !text.isEmpty())
                out.push_back(parse_value(setting, text.toStdString()));
    }
    if (out.empty())
        refuseSweepValues(setting, "no value is given, expected some, like "
                                       + usualSweepValues(setting, base).toStdString() + ".");
    for (auto value = out.begin(); value != out.end(); ++value) {
        Study probe = base;
        setting.set(probe, *value);
        if (std::find(out.begin(), value, *value) != value)
            refuseSweepValues(setting, value_text(*value) + " stands twice.");
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
