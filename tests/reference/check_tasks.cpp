// SPDX-License-Identifier: GPL-3.0-or-later
#include "checks.h"

#include "bandits/bandit_world.h"
#include "formats/csv.h"
#include "one_block.h"
#include "posterior/point_estimate.h"
#include "sources/toy.h"
#include "training/optimizer.h"

#include <cstdlib>
#include <filesystem>
#include <map>

namespace credence::reference {
namespace {

constexpr Tolerance tasks_usual{1e-12, 1e-12};

/// A point estimate with weight decay, moved by the optimiser along the given gradients: its weights after each step.
template <class T>
std::vector<double> trajectory(const Json& values, const OptimizerOptions& options, const ScheduleOptions& schedule,
                               double decay)
{
    const auto start = numbers(values.at("w0"));
    PointEstimate<T> posterior(one_block(start.size()), std::vector<float>(start.size(), 0.0f));
    std::copy(start.begin(), start.end(), posterior.parameters().begin());
    Optimizer<T> optimizer(options, start.size());
    Draw<T> draw = posterior.make_draw();
    std::vector<double> path;
    const long steps = static_cast<long>(values.at("grad").size());
    for (long i = 0; i < steps; ++i) {
        posterior.transform(draw);
        optimizer.begin_step(learning_rate(schedule, i, steps));
        posterior.pullback(draw, as<T>(numbers(values.at("grad")[static_cast<std::size_t>(i)])), {.l2 = decay},
                           [&](std::size_t first, std::span<const T> piece) {
            optimizer.apply(first, piece, posterior.parameters());
        });
        path.insert(path.end(), posterior.parameters().begin(), posterior.parameters().end());
    }
    return path;
}

void check_trajectory(const Json& values, const std::string& name, Report& report, const OptimizerOptions& options,
                      const ScheduleOptions& schedule, double decay)
{
    {
        Case check(report, name + precision_name<double>(), values, tasks_usual);
        check.near("w", trajectory<double>(values, options, schedule, decay));
    }
    Case check(report, name + precision_name<float>(), values, in_float);
    check.near("w", trajectory<float>(values, options, schedule, decay));
}

}   // namespace

void check_regression_curve(const Json& values, const std::string& name, Report& report)
{
    const auto x = numbers(values.at("x")), noise = numbers(values.at("eps"));
    std::vector<double> y, plain, noise_free_y;
    for (std::size_t i = 0; i < x.size(); ++i) {
        y.push_back(blundell_curve(x[i], noise.at(i)));
        plain.push_back(blundell_curve(x[i], 0));
        noise_free_y.push_back(noise_free(ToyKind::blundell_curve, x[i]));
    }
    Case check(report, name, values, tasks_usual);
    check.near("y", y);
    check.near("y_noise_free", plain);
    check.near("y_noise_free", noise_free_y);
}

void check_learning_rate(const Json& values, const std::string& name, Report& report)
{
    const ScheduleOptions schedule{.kind          = ScheduleKind::inverse,
                                   .learning_rate = values.at("base"),
                                   .gamma         = values.at("gamma"),
                                   .power         = values.at("power")};
    const std::vector<long> steps = values.at("iteration");
    std::vector<double> rate;
    for (const long i : steps)
        rate.push_back(learning_rate(schedule, i, steps.back() + 1));
    Case check(report, name, values, tasks_usual);
    check.near("rate", rate);
}

void check_momentum_sgd(const Json& values, const std::string& name, Report& report)
{
    const OptimizerOptions options{.kind = OptimizerKind::momentum, .momentum = values.at("momentum")};
    const ScheduleOptions usual_decay;   // Posch and Pilz 2021: 0.01 (1 + 1e-4 i)^-0.75
    const ScheduleOptions schedule{.kind          = ScheduleKind::inverse,
                                   .learning_rate = values.at("base_lr"),
                                   .gamma         = values.value("gamma", usual_decay.gamma),
                                   .power         = values.value("power", usual_decay.power)};
    check_trajectory(values, name, report, options, schedule, values.value("weight_decay", 0.0));
}

void check_adam(const Json& values, const std::string& name, Report& report)
{
    const OptimizerOptions options{.kind    = OptimizerKind::adam,
                                   .beta1   = values.at("beta1"),
                                   .beta2   = values.at("beta2"),
                                   .epsilon = values.at("eps")};
    check_trajectory(values, name, report, options, {.learning_rate = values.at("lr")}, values.value("l2", 0.0));
}

void check_bandit(const Json& values, const std::string& name, Report& report)
{
    const auto edible = numbers(values.at("edible")), eat = numbers(values.at("action_eat")),
               lucky = numbers(values.at("coin_good"));
    std::vector<double> rewards, oracle, regret, expected_regret;
    const auto add_up = [](std::vector<double>& sums, double next) {
        sums.push_back((sums.empty() ? 0 : sums.back()) + next);
    };
    for (std::size_t i = 0; i < edible.size(); ++i) {
        const bool is_edible = edible[i] != 0, eats = eat.at(i) != 0;
        rewards.push_back(mushroom_bandit::reward(is_edible, eats, lucky.at(i) != 0));
        oracle.push_back(mushroom_bandit::oracle_reward(is_edible));
        add_up(regret, oracle.back() - rewards.back());
        add_up(expected_regret, oracle.back() - mushroom_bandit::expected_reward(is_edible, eats));
    }
    Case check(report, name, values, tasks_usual);
    check.near("reward", rewards);
    check.near("oracle_reward", oracle);
    check.near("cumulative_regret", regret);
    check.near("cumulative_expected_regret", expected_regret);
}

void check_mushroom(const Json& values, const std::string& name, Report& report)
{
    const char* const folder = std::getenv("CREDENCE_DATA_DIR");
    if (folder == nullptr)
        return report.skip(name, "CREDENCE_DATA_DIR is not set");
    const auto file = std::filesystem::path(folder) / "mushroom" / "agaricus-lepiota.data";
    if (!std::filesystem::exists(file))
        return report.skip(name, file.string() + " is not there");
    const Dataset data = read_csv(
        file, {.header = CsvHeader::no, .target = "1", .columns = {}, .task = Task::classification});

    // Inputs are called "column=value": the columns and their values, in the order of the inputs.
    std::vector<double> counts, offsets{0};
    std::vector<std::string> categories;
    std::string column;
    for (const std::string& feature : data.feature_names) {
        const auto cut = feature.rfind('=');
        if (counts.empty() || feature.substr(0, cut) != column) {
            column = feature.substr(0, cut);
            counts.push_back(0);
            offsets.push_back(offsets.back());
            categories.emplace_back();
        }
        ++counts.back();
        ++offsets.back();
        categories.back() += feature.substr(cut + 1);
    }
    const auto edible = static_cast<int>(std::find(data.class_names.begin(), data.class_names.end(), "e")
                                         - data.class_names.begin());
    Case check(report, name, values, {0, 0});
    check.near("n_rows", static_cast<double>(data.n_rows));
    check.near("n_features", static_cast<double>(data.n_features));
    check.near("n_edible", static_cast<double>(std::count(data.labels.begin(), data.labels.end(), edible)));
    check.near("category_counts", counts);
    check.near("offsets", offsets);
    if (values.contains("categories"))
        for (std::size_t c = 0; c < values.at("categories").size(); ++c)
            check.relative_to("categories[" + std::to_string(c) + "]",
                              c < categories.size() && values.at("categories")[c] == categories[c], 1, 0, {0, 0});
    if (values.contains("rows"))
        for (const Json& row : values.at("rows")) {
            const std::size_t i     = row.at("row");
            const std::string title = "row " + std::to_string(i);
            std::vector<double> active;
            for (std::size_t f = 0; f < data.n_features; ++f)
                if (data.row(i)[f] == 1.0f)
                    active.push_back(static_cast<double>(f));
            check.relative_to(title + " active", active == numbers(row.at("active")), 1, 0, {0, 0});
            check.relative_to(title + " edible", data.labels[i] == edible, row.at("edible").get<bool>(), 0, {0, 0});
        }
}

}   // namespace credence::reference
