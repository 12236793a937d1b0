// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/common_options.h"

#include "foundation/number_text.h"
#include "foundation/text.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <set>

namespace {

using credence::one_line;

constexpr std::size_t lettersShown = 60;   // characters of the typed text

std::string mistakeInWholeNumber(const std::string& text)
{
    const char* begin      = text.data() + (text.starts_with('+') ? 1 : 0);
    const char* const end  = text.data() + text.size();
    std::int64_t number    = 0;
    const auto [stop, why] = std::from_chars(begin, end, number);
    if (stop == end && why == std::errc{})
        return {};
    return "found \"" + one_line(text, lettersShown) + "\", expected a whole number"
           + (why == std::errc::result_out_of_range ? " of at most " + std::to_string(INT64_MAX) : std::string());
}

std::string mistakeInNumber(const std::string& text)
{
    const auto number = credence::number_from(text);
    if (number && std::isfinite(*number))
        return {};
    return "found \"" + one_line(text, lettersShown) + "\", expected a finite number";
}

std::string mistakeInPath(const std::string& text)
{
    return text.empty() ? "found empty text, expected the name of a file or folder" : std::string();
}

void addCheck(CLI::Option& option)
{
    static const std::set<std::string> whole{"N"},
        real{"E", "F", "M", "PT", "SECONDS", "SHARE", "T", "X", "X1,X2,…", "M1,M2,M3", "S11,…"},
        paths{"DIR", "FILE", "FILE2"};
    std::string type = option.get_type_name();
    type.resize(std::min(type.find(':'), type.size()));   // its checks follow the colon
    const auto add = [&](std::string (*mistake)(const std::string&)) {
        // As a transformation, since these come before the range, whose message repeats all that
        // was typed.
        option.transform(CLI::Validator([mistake](std::string& text) { return mistake(text); }, ""));
    };
    if (whole.contains(type))
        add(mistakeInWholeNumber);
    else if (real.contains(type))
        add(mistakeInNumber);
    else if (paths.contains(type))
        add(mistakeInPath);
}

}   // namespace

void addThreads(CLI::App& app, int& threads, const std::string& help)
{
    addValue(app, "--threads", "N", threads, help)->check(CLI::Range(1, 1024));
}

void addAssignments(CLI::App& app, std::vector<std::string>& assignments, const std::string& help)
{
    addValue(app, "--set", "PATH=VALUE", assignments, help)->allow_extra_args(false);
}

void addNoFigures(CLI::App& app, bool& noFigures)
{
    app.add_flag("--no-figures", noFigures, "Write numbers only, no figures");
}

CLI::Range counts() { return {1, 1'000'000'000}; }

void addOverwrite(CLI::App& app, bool& overwrite)
{
    app.add_flag("--overwrite", overwrite, "Replace files in the --out folder even if Credence did not write them");
}

void addSizeInMm(CLI::App& app, std::optional<FigureSize>& size)
{
    const auto take = [&size](const std::vector<double>& mm) {
        if (!std::isfinite(mm[0]) || !std::isfinite(mm[1]))
            throw CLI::ValidationError("--size", "expected two finite numbers of 10 to 2000 mm");
        size = FigureSize{mm[0], mm[1]};
    };
    app.add_option_function<std::vector<double>>("--size", take, "Width and height of the figures in mm")
        ->type_name("WxH")
        ->delimiter('x')
        ->expected(2)
        ->check(CLI::Range(10.0, 2000.0));
}

void addChecks(CLI::App& app)
{
    for (CLI::Option* option : app.get_options())
        addCheck(*option);
    for (CLI::App* command : app.get_subcommands({}))
        addChecks(*command);
}
