// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/progress_line.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace {

std::string grouped(long number)
{
    std::string text = std::to_string(number);
    for (auto at = static_cast<long>(text.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
        text.insert(static_cast<std::size_t>(at), ",");
    return text;
}

/// A terminal that cannot go back in its line.
bool isDumb()
{
    const char* kind = std::getenv("TERM");
    return kind && std::strcmp(kind, "dumb") == 0;
}

/// Columns of the terminal as it is now; it may be resized at any time.
std::size_t terminalWidth()
{
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

}   // namespace

std::string shortened(const std::string& text, std::size_t columns)
{
    const auto starts = [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    };   // of a character in UTF-8
    const auto length = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts));
    if (length <= columns)
        return text;
    std::size_t end = 0;
    for (std::size_t seen = 0; end < text.size(); ++end)
        if (starts(text[end]) && seen++ + 1 == columns)
            break;
    return columns == 0 ? "" : text.substr(0, end) + "…";
}

std::string clockText(double seconds)
{
    const long whole = std::lround(seconds);
    char text[32];
    if (whole < 3600)
        std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
    else
        std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    return text;
}

std::string progressText(const credence::TrainingProgress& progress)
{
    if (progress.curvature) {
        const std::string share = "curvature " + std::to_string(std::lround(100 * *progress.curvature)) + " %";
        return progress.seconds_left ? share + " · " + clockText(*progress.seconds_left) + " left" : share;
    }
    std::string text = "step " + grouped(progress.step) + " of " + grouped(progress.steps) + " · epoch "
                       + grouped(static_cast<long>(progress.epoch));
    if (progress.steps_per_second > 0)
        text += " · " + grouped(std::lround(progress.steps_per_second)) + " steps/s";
    if (progress.seconds_left)
        text += " · " + clockText(*progress.seconds_left) + " left";
    return text;
}

ProgressLine::ProgressLine() : m_terminal(::isatty(STDERR_FILENO) == 1 && !isDumb()) {}

ProgressLine::~ProgressLine() { wipe(); }

void ProgressLine::wipe()
{
    if (std::exchange(m_written, false))
        std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(const credence::TrainingProgress& progress) { show(progressText(progress)); }

void ProgressLine::show(const std::string& text)
{
    if (!m_terminal)
        return;
    const std::string line = "\r" + shortened(m_beginning + text, terminalWidth() - 1)
                             + "\033[K";   // one write a line: nothing flickers
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
    m_written = true;
}
