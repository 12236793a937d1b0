// SPDX-License-Identifier: GPL-3.0-or-later
#include "progress_line.h"

#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace {

std::string grouped(long number)
{
    std::string text = std::to_string(number);
    for (auto at = static_cast<long>(text.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
        text.insert(static_cast<std::size_t>(at), ",");
    return text;
}

std::string clock(double seconds)
{
    const long whole = std::lround(seconds);
    char text[32];
    if (whole < 3600)
        std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
    else
        std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    return text;
}

}  // namespace

std::string progressText(const credence::TrainingProgress& progress)
{
    std::string text = "step " + grouped(progress.step) + " of " + grouped(progress.steps) + " · epoch " + grouped(static_cast<long>(progress.epoch));
    if (progress.steps_per_second > 0)
        text += " · " + grouped(std::lround(progress.steps_per_second)) + " steps/s";
    if (progress.seconds_left)
        text += " · " + clock(*progress.seconds_left) + " left";
    return text;
}

ProgressLine::ProgressLine() : m_terminal(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine()
{
    if (m_written)
        std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(const credence::TrainingProgress& progress) { show(progressText(progress)); }

void ProgressLine::show(const std::string& text)
{
    if (!m_terminal)
        return;
    std::fprintf(stderr, "\r%s\033[K", text.c_str());
    std::fflush(stderr);
    m_written = true;
}
