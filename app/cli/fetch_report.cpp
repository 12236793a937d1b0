// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/fetch_report.h"

#include "cli/progress_line.h"
#include "foundation/number_text.h"

namespace {

/// A number of megabytes, or of kilobytes if below one.
std::string amount(double bytes, bool kilo)
{
    return kilo ? credence::fixed_text(bytes / 1e3, 0) : credence::fixed_text(bytes / 1e6, 1);
}

const char* unit(bool kilo) { return kilo ? " kB" : " MB"; }

}   // namespace

std::string bytesText(std::uint64_t bytes)
{
    const bool kilo = bytes < 1'000'000;
    return amount(static_cast<double>(bytes), kilo) + unit(kilo);
}

std::string fetchText(const FetchProgress& progress)
{
    std::string text = progress.file;
    if (progress.phase == FetchProgress::Phase::checking)
        return "checking " + (text.empty() ? "existing files" : text) + " …";
    if (progress.files > 1)
        text += " (" + std::to_string(progress.number) + " of " + std::to_string(progress.files) + ")";
    if (progress.total > 0) {
        const bool kilo = progress.total < 1'000'000;
        text += " · " + amount(static_cast<double>(progress.received), kilo) + " of " + bytesText(progress.total);
    } else if (progress.received > 0) {
        text += " · " + bytesText(progress.received);
    }
    if (progress.bytesPerSecond > 0)
        text += " · " + bytesText(static_cast<std::uint64_t>(progress.bytesPerSecond)) + "/s";
    if (progress.secondsLeft)
        text += " · " + clockText(*progress.secondsLeft) + " left";
    return text;
}
