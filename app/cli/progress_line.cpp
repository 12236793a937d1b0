// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/progress_line.h"

#include "foundation/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

using credence::grouped_text;

namespace {

/// A terminal that cannot move the cursor within a line.
bool isDumb()
{
    const char* kind = std::getenv("TERM");
    return kind && std::strcmp(kind, "dumb") == 0;
}

/// Current terminal width in columns; it can be resized at any time.
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
    };   // bytes of a UTF-8 character
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

std::string progressText(const credence::TrainingProgress& progress, const credence::RunPlan& plan)
{
    if (progress.curvature) {
        return "curvature " + shareText({*progress.curvature, progress.seconds_left});
    }
    std::string text = plan.kept.empty() ? "step " + grouped_text(progress.step) + " of " + grouped_text(progress.steps)
                                               + " · epoch " + grouped_text(static_cast<long>(progress.epoch))
                                         : progress_words(plan, progress.step);
    if (progress.steps_per_second > 0)
        text += " · " + grouped_text(std::lround(progress.steps_per_second)) + " " + plan.one_step + "s/s";
    if (progress.seconds_left)
        text += " · " + clockText(*progress.seconds_left) + " left";
    return text;
}

std::string shareText(const credence::WorkProgress::State& state)
{
    const std::string share = std::to_string(std::lround(100 * state.share)) + " %";
    return state.seconds_left ? share + " · " + clockText(*state.seconds_left) + " left" : share;
}

std::function<void(double share)> shareOn(ProgressLine& line, const std::string& what)
{
    struct Heard {
        credence::WorkProgress progress;
        credence::Stopwatch shown;
    };
    const auto heard = std::make_shared<Heard>();
    heard->progress.report(0);
    return [&line, what, heard](double share) {
        heard->progress.report(share);
        const auto state = heard->progress.now();
        if (!state || heard->shown.seconds() < 0.1)
            return;
        heard->shown = {};
        line.show(what + " · " + shareText(*state));
    };
}

ProgressLine::ProgressLine() : m_terminal(::isatty(STDERR_FILENO) == 1 && !isDumb()) {}

ProgressLine::~ProgressLine() { wipe(); }

void ProgressLine::wipe()
{
    if (std::exchange(m_written, false))
        std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(const std::string& text)
{
    if (!m_terminal)
        return;
    const std::string line = "\r" + shortened(m_beginning + text, terminalWidth() - 1)
                             + "\033[K";   // one write per line avoids flicker
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
    m_written = true;
}
