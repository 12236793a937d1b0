// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/archive_json.h"

#include "foundation/enum_names.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/statistics.h"
#include "foundation/text.h"
#include "layers/kind.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace credence {
namespace {

using nlohmann::json;

constexpr long most_steps = std::numeric_limits<long>::max();

void put(json& to, const char* key, const std::optional<double>& value)
{
    if (value)
        to[key] = number_to_json(*value);
}
std::optional<double> get(const json& from, const char* key)
{
    const auto found = from.find(key);
    return found == from.end() ? std::nullopt : std::optional<double>(number_from(*found));
}

json block_to_json(const BlockUncertainty& b)
{
    json j{{"block", b.block},
           {"biases", b.kind == BlockKind::biases},
           {"mean_abs", number_to_json(b.mean_abs)},
           {"median_sd", number_to_json(b.median_sd)},
           {"median_relative_sd", number_to_json(b.median_relative_sd)}};
    put(j, "tau", b.tau);
    put(j, "rho", b.rho);
    put(j, "dropout_rate", b.dropout_rate);
    return j;
}
BlockUncertainty block_from(const json& j)
{
    BlockUncertainty b;
    b.block              = j.at("block").get<std::string>();
    b.kind               = j.at("biases").get<bool>() ? BlockKind::biases : BlockKind::weights;
    b.mean_abs           = number_from(j.at("mean_abs"));
    b.median_sd          = number_from(j.at("median_sd"));
    b.median_relative_sd = number_from(j.at("median_relative_sd"));
    b.tau                = get(j, "tau");
    b.rho                = get(j, "rho");
    b.dropout_rate       = get(j, "dropout_rate");
    return b;
}

constexpr EnumNames<StopReason, 7> stop_reasons{{{StopReason::not_started, "not_started"},
                                                 {StopReason::steps_done, "steps_done"},
                                                 {StopReason::time_limit, "time_limit"},
                                                 {StopReason::no_progress, "no_progress"},
                                                 {StopReason::converged, "converged"},
                                                 {StopReason::cancelled, "cancelled"},
                                                 {StopReason::not_finite, "not_finite"}}};

constexpr auto samples = "samples";

}   // namespace

const char* name_of(StopReason reason) { return stop_reasons.name_of(reason); }

json number_to_json(double value)
{
    if (std::isfinite(value))
        return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double number_from(const json& from)
{
    if (from.is_number())
        return from.get<double>();
    if (from.is_null() || from == "nan")
        return std::numeric_limits<double>::quiet_NaN();
    if (from == "inf" || from == "-inf")
        return from == "inf" ? HUGE_VAL : -HUGE_VAL;
    throw Error("a number cannot be read");
}

long whole_from(const json& from, long least, long most)
{
    const bool fits = from.is_number_unsigned()
                          ? from.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<long>::max())
                          : from.is_number_integer();
    if (!fits || from.get<long>() < least || from.get<long>() > most)
        throw Error("a whole number cannot be read");
    return from.get<long>();
}

json point_to_json(const TrainingPoint& p)
{
    json j{{"step", p.step},
           {"epoch", number_to_json(p.epoch)},
           {"learning_rate", number_to_json(p.learning_rate)},
           {"kl_weight", number_to_json(p.kl_weight)}};
    put(j, "data_loss", p.data_loss);
    put(j, "kl", p.kl);
    put(j, "training_error", p.training_error);
    put(j, "test_error", p.test_error);
    for (const auto& block : p.layers)
        j["layers"].push_back(block_to_json(block));
    for (const double value : p.prior)
        j["prior"].push_back(number_to_json(value));
    return j;
}

TrainingPoint point_from(const json& j)
{
    TrainingPoint p;
    p.step           = whole_from(j.at("step"), 0, most_steps);
    p.epoch          = number_from(j.at("epoch"));
    p.seconds        = get(j, "seconds").value_or(0);   // in older files; otherwise among the times
    p.learning_rate  = number_from(j.at("learning_rate"));
    p.kl_weight      = number_from(j.at("kl_weight"));
    p.data_loss      = get(j, "data_loss");
    p.kl             = get(j, "kl");
    p.training_error = get(j, "training_error");
    p.test_error     = get(j, "test_error");
    if (const auto layers = j.find("layers"); layers != j.end())
        for (const auto& block : *layers)
            p.layers.push_back(block_from(block));
    if (const auto prior = j.find("prior"); prior != j.end())
        for (const auto& value : *prior)
            p.prior.push_back(number_from(value));
    if (!p.prior.empty() && p.prior.size() != 3 && p.prior.size() != p.layers.size())
        throw Error("a learned prior cannot be read");
    return p;
}

json layout_to_json(const ParameterLayout& layout)
{
    json j = json::array();
    for (const auto& b : layout.blocks)
        j.push_back({b.name, b.kind == BlockKind::biases, b.layer, b.begin, b.size, b.fan_in, b.fan_out});
    return j;
}

ParameterLayout layout_from(const json& j)
{
    const auto require = [](bool fits) {
        if (!fits)
            throw Error("its blocks do not match");
    };
    constexpr long most = static_cast<long>(most_weights);
    ParameterLayout layout;
    for (const auto& item : j) {
        Block b;
        b.name    = item.at(0).get<std::string>();
        b.kind    = item.at(1).get<bool>() ? BlockKind::biases : BlockKind::weights;
        b.layer   = static_cast<int>(whole_from(item.at(2), 0, most));
        b.begin   = static_cast<std::size_t>(whole_from(item.at(3), 0, most));
        b.size    = static_cast<std::size_t>(whole_from(item.at(4), 1, most));
        b.fan_in  = static_cast<int>(whole_from(item.at(5), 1, most));
        b.fan_out = static_cast<int>(whole_from(item.at(6), 1, most));
        // Weights and biases alternate by layer; each unit has one bias and fan-in weights.
        const std::size_t number = layout.blocks.size();
        require(b.begin == layout.size() && b.begin + b.size <= most_weights
                && b.layer == static_cast<int>(number / 2));
        require((b.kind == BlockKind::biases) == (number % 2 == 1)
                && (b.kind == BlockKind::weights
                    || layout.blocks.back().size == b.size * static_cast<std::size_t>(b.fan_in)));
        layout.blocks.push_back(std::move(b));
    }
    require(layout.blocks.size() % 2 == 0);
    return layout;
}

json report_to_json(const TrainingReport& r)
{
    return {{"stop", name_of(r.stop)},
            {"message", r.message},
            {"steps", r.steps},
            {"bad_step", r.bad_step},
            {"bad_block", r.bad_block}};
}

TrainingReport report_from(const json& j)
{
    TrainingReport r;
    const auto name = j.at("stop").get<std::string>();
    const auto stop = stop_reasons.find(name);
    if (!stop)
        throw Error("its stop reason \"" + one_line(name, 40) + "\" is unknown");
    r.stop      = *stop;
    r.message   = j.at("message").get<std::string>();
    r.steps     = whole_from(j.at("steps"), 0, most_steps);
    r.seconds   = get(j, "seconds").value_or(0);
    r.bad_step  = whole_from(j.at("bad_step"), std::numeric_limits<long>::min(), most_steps);
    r.bad_block = j.at("bad_block").get<std::string>();
    return r;
}

std::string score_text(const FinalScore& score)
{
    switch (score.metric) {
    case FinalScore::Metric::accuracy: break;
    case FinalScore::Metric::rmse: return "RMSE " + display_text(score.value, 3);
    case FinalScore::Metric::relative_rmse: return "mean RMSE/SD " + display_text(score.value, 3);
    }
    return fixed_text(100 * score.value, 1) + " %";
}

namespace {

constexpr std::pair<FinalScore::Metric, const char*> names_of_metrics[] = {
    {FinalScore::Metric::accuracy, "accuracy"},
    {FinalScore::Metric::rmse, "rmse"},
    {FinalScore::Metric::relative_rmse, "relative_rmse"}};

}   // namespace

json score_to_json(const FinalScore& score)
{
    for (const auto& [metric, name] : names_of_metrics)
        if (metric == score.metric)
            return {{name, number_to_json(score.value)}};
    return json::object();
}

FinalScore score_from(const json& j)
{
    for (const auto& [metric, name] : names_of_metrics)
        if (j.contains(name))
            return {metric, number_from(j.at(name))};
    return {FinalScore::Metric::accuracy, number_from(j.at("accuracy"))};   // refused
}

json times_to_json(const SavedRun& run)
{
    json history = json::array(), snapshots = json::array();
    for (const auto& point : run.history)
        history.push_back(number_to_json(point.seconds));
    for (const auto& snapshot : run.snapshots)
        snapshots.push_back(number_to_json(snapshot->point.seconds));
    return {{"started", run.started},
            {"seconds", number_to_json(run.report.seconds)},
            {"history", std::move(history)},
            {"snapshots", std::move(snapshots)}};
}

RunTimes times_from(const json& j)
{
    const auto list = [&](const char* key) {
        std::vector<double> times;
        for (const auto& one : j.at(key))
            times.push_back(number_from(one));
        return times;
    };
    return {j.at("started").get<std::string>(), number_from(j.at("seconds")), list("history"), list("snapshots")};
}

json posterior_head(const Posterior& posterior)
{
    if (const auto* set = sample_set_of(posterior))
        return {{"kind", samples},
                {"chains", set->origin().chains},
                {"steps", set->origin().steps},
                {"draws", set->n_draws()}};
    return nullptr;
}

SampleOrigin origin_from(const json& head)
{
    if (const auto kind = head.at("kind").get<std::string>(); kind != samples)
        throw Error("its posterior is of the kind \"" + kind + "\", expected " + samples);
    return {head.at("chains").get<std::vector<int>>(), head.at("steps").get<std::vector<long>>()};
}

void require_finite_numbers(std::span<const float> numbers)
{
    if (!all_finite(numbers))
        throw Error("a snapshot has a parameter that is not finite");
}

void require_parameter_bytes(const VariationalFamily<float>& family, std::int64_t bytes)
{
    const std::size_t expected = family.parameters().size_bytes();
    if (bytes < 0 || static_cast<std::size_t>(bytes) != expected)
        throw Error("a snapshot has " + std::to_string(bytes) + " bytes, expected " + std::to_string(expected));
}

std::shared_ptr<const Posterior> parameters_from(const std::string& bytes, const VariationalFamily<float>& family)
{
    std::shared_ptr<VariationalFamily<float>> posterior = family.clone();
    require_parameter_bytes(family, static_cast<std::int64_t>(bytes.size()));
    std::memcpy(posterior->parameters().data(), bytes.data(), bytes.size());
    require_finite_numbers(posterior->parameters());
    return posterior;
}

}   // namespace credence
