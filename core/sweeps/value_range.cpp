// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep.h"

#include "foundation/error.h"
#include "foundation/number_text.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace credence {
namespace {

using RangeJson = nlohmann::ordered_json;

double range_number(const RangeJson& range, const char* key)
{
    if (!range.contains(key) || !range.at(key).is_number())
        throw Error("found the range " + range.dump(-1, ' ', false, RangeJson::error_handler_t::replace)
                    + ", expected a number as \"" + key + "\".");
    return range.at(key).get<double>();
}

}   // namespace

RangeJson range_values(const RangeJson& range, bool whole)
{
    for (const auto& [key, unused] : range.items())
        if (key != "from" && key != "to" && key != "step" && key != "points" && key != "scale")
            throw Error("a range has the key \"" + key + "\", expected from, to, step, points and scale.");
    const double from = range_number(range, "from"), to = range_number(range, "to");
    const bool by_points = range.contains("points");
    bool logarithmic     = false;
    if (range.contains("scale")) {
        const auto& scale = range.at("scale");
        logarithmic       = scale == RangeJson("log");
        if (!logarithmic && scale != RangeJson("linear"))
            throw Error("the scale of a range is " + scale.dump(-1, ' ', false, RangeJson::error_handler_t::replace)
                        + ", expected \"log\" or \"linear\".");
    }
    if (!(to >= from))
        throw Error("the range is from " + plain_text(from) + " to " + plain_text(to)
                    + ", expected an end that is not below its start.");
    if (logarithmic && !by_points)
        throw Error("the range with \"scale\": \"log\" has no \"points\", expected the number of values.");
    if (logarithmic && from <= 0)
        throw Error("the range with \"scale\": \"log\" starts at " + plain_text(from)
                    + ", expected a number greater than 0.");
    if (by_points && range.contains("step"))
        throw Error("the range has \"step\" and \"points\", expected one of them.");

    const double most = static_cast<double>(most_cells);
    double steps      = 0;   // one less than the number of values
    if (by_points) {
        const double points = range_number(range, "points");
        if (points != std::floor(points) || points < 2 || points > most)
            throw Error("\"points\" of the range is " + plain_text(points) + ", expected a whole number from 2 to "
                        + std::to_string(most_cells) + ".");
        steps = points - 1;
    } else {
        const double step = range.contains("step") ? range_number(range, "step") : 1;
        if (!(step > 0))
            throw Error("\"step\" of the range is " + plain_text(step) + ", expected a number greater than 0.");
        steps = std::round((to - from) / step);
        if (steps >= most)
            throw Error("the range from " + plain_text(from) + " to " + plain_text(to) + " in steps of "
                        + plain_text(step) + " has too many values, expected at most " + std::to_string(most_cells)
                        + ".");
        if (std::fabs(steps * step - (to - from)) > 1e-9 * std::max(step, std::fabs(to - from)))
            throw Error("the range from " + plain_text(from) + " to " + plain_text(to) + " in steps of "
                        + plain_text(step) + " does not reach its end, expected steps that divide it.");
    }
    RangeJson list = RangeJson::array();
    for (double i = 0; i <= steps; ++i) {
        const double share = steps > 0 ? i / steps : 0;
        const double inner = logarithmic ? from * std::pow(to / from, share) : from + (to - from) * share;
        const double value = i == 0 ? from : i == steps ? to : rounded_number(inner, 12);
        if (whole)
            list.push_back(static_cast<long>(std::llround(value)));
        else
            list.push_back(value);
    }
    return list;
}

}   // namespace credence
