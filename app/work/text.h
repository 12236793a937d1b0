// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QString>

#include <cmath>
#include <concepts>
#include <string>
#include <string_view>

// Formatting of words, numbers and durations in the window, in English for any desktop language.

/// Strings of the core are UTF-8.
inline QString toQString(std::string_view words)
{
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}
inline QString toQString(const std::string& words) { return toQString(std::string_view(words)); }
inline QString toQString(const char* words) { return QString::fromUtf8(words); }

template <class T>
concept WholeNumber = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

/// 12,400
inline QString toQString(WholeNumber auto number)
{
    static const QLocale english(QLocale::English);
    if constexpr (std::unsigned_integral<decltype(number)>)
        return english.toString(static_cast<qulonglong>(number));
    else
        return english.toString(static_cast<qlonglong>(number));
}

/// 0:07, 12:30, 1:05:00
inline QString durationText(double seconds)
{
    const auto whole  = std::lround(seconds);
    const auto padded = [](long part) { return QStringLiteral("%1").arg(part, 2, 10, QLatin1Char('0')); };
    if (whole >= 3600)
        return QStringLiteral("%1:%2:%3").arg(whole / 3600).arg(padded(whole / 60 % 60), padded(whole % 60));
    return QStringLiteral("%1:%2").arg(whole / 60).arg(padded(whole % 60));
}
