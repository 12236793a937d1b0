// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/bridge_files.h"
#include "command/commands.h"
#include "command/figure_files.h"
#include "command/interrupt.h"
#include "command/plain_table.h"
#include "command/progress_line.h"

#include "charts/chart.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/parallel.h"
#include "outputs/bridge_against_sampling.h"
#include "views/beta_marginals.h"
#include "views/list_lengths.h"
#include "views/simplex.h"

#include <cmath>
#include <iostream>
#include <optional>

namespace {

using namespace credence;

/// The Gaussian given by --mu and --covariance: μ of three logits; Σ as 1, 3 (its diagonal) or 9
/// numbers.
SamplingCase caseByHand(const BridgeCommand& command)
{
    const auto count = [](const char* option, std::size_t found, const char* expected) {
        return Error(std::string(option) + " has " + std::to_string(found) + " numbers, expected " + expected + ".");
    };
    if (command.mu.size() != 3)
        throw count("--mu", command.mu.size(), "3, one per logit");
    const auto& given = command.covariance;
    if (given.empty())
        throw Error("--mu also needs --covariance: 3 numbers for a diagonal covariance, or 9.");
    if (given.size() != 3 && given.size() != 9)
        throw count("--covariance", given.size(), "3 for a diagonal covariance, or 9, row by row");
    SamplingCase one{"",
                     given.size() == 3 ? LogitGaussian::from_diagonal(command.mu, given)
                                       : LogitGaussian::from_covariance(command.mu, given),
                     {}};
    one.name = gaussian_text(one.logits);
    return one;
}

int compareSampling(const BridgeCommand& command, const DrawPlainFigure& draw)
{
    if (command.mu.empty() && !command.covariance.empty())
        throw Error("--covariance also needs --mu: 3 numbers, one per logit.");
    std::vector<SamplingCase> cases = published_sampling_cases();
    if (!command.mu.empty())
        cases = {caseByHand(command)};
    SamplingOptions options;
    options.most = command.draws;
    std::optional<OutputFolder> folder;   // checked before the computation starts
    if (!command.out.empty())
        folder.emplace(command.out);
    std::optional<BridgeAgainstSampling> figure;
    {
        ProgressLine line;
        const Interrupt interrupt;
        Threads threads(command.threads);
        threads.run([&] {
            figure = bridge_against_sampling(cases, options, interrupt.token(), [&](double share) {
                line.show("histograms " + std::to_string(std::lround(100 * share)) + " %");
            });
        });
    }
    if (!figure) {
        std::cerr << "credence: Cancelled.\n";
        return exitCancelled;
    }
    const Chart chart = to_chart(*figure), numbers = numbers_chart(*figure);
    std::cout << plainTable(*numbers.table);
    Table times{.columns = {{"Draws"}, {"Time", "ms", 4}}, .rows = {}};
    for (const auto& law : figure->laws)
        times.columns.push_back({"KL, " + law.what.name, "nats", 6});
    for (std::size_t i = 0; i < figure->draws.size(); ++i) {
        times.rows.push_back({figure->draws[i], 1e3 * figure->laws.front().seconds[i]});
        for (const auto& law : figure->laws)
            times.rows.back().emplace_back(law.kl_median[i]);
    }
    std::cout << "\nHistogram of samples on " << figure->n_cells << " cells, medians of " << figure->repeats
              << "; timings from this machine, one thread:\n"
              << plainTable(times);
    if (const std::string one = one_bridge_beside_one_draw(*figure); !one.empty())
        std::cout << '\n' << one.substr(1) << '\n';
    if (command.mu.empty())
        std::cout << "\nPublished values (Hobbhahn 2020, Fig. 5.3): " << why_published_values_differ << '\n';
    if (folder) {
        const auto size = command.size.value_or(FigureSize{200, 150, 300});
        writeFigures(chart, folder->path(), draw, size);
        writeFigures(numbers, folder->path(), draw, size);
        std::cout << "\nWritten to " << command.out << '\n';
    }
    return exitOk;
}

std::string seconds(double value) { return fixed_text(value, value < 10 ? 2 : 1) + " s"; }

std::string rowText(const LogitsFile& file, std::size_t row, const BetaMarginals& marginals)
{
    std::string text = "Row " + std::to_string(row) + ": ";
    if (marginals.true_class)
        text += "true " + marginals.true_name + ", ";
    return text + "predicted " + file.class_names()[static_cast<std::size_t>(marginals.list.front())]
           + "; remain: " + remaining_classes(marginals) + "\n";
}

/// The distribution over the three most probable classes of the row, next to its Dirichlet.
/// @param leftOut  receives the reason if there is no figure: a singular covariance has no density
std::optional<Chart> simplexOf(const LogitGaussian& logits, const LogitsFile& file, BridgeVariant variant,
                               const BetaMarginals& marginals, std::size_t row, std::string& leftOut)
{
    const std::string place = "row " + std::to_string(row) + " of " + file.name();
    try {
        auto value = simplex_density(
            logits, file.class_names(),
            {.variant = variant,
             .classes = {marginals.classes[0].index, marginals.classes[1].index, marginals.classes[2].index}});
        value.numbers = bridge_numbers(value);
        Chart chart   = to_chart(value);
        chart.caption += " Input: " + place + ".";
        return chart;
    } catch (const Error& error) {
        leftOut = "Triangle omitted: " + place + ": " + error.what() + "\n";
        return {};
    }
}

int bridgeFile(const BridgeCommand& command, const DrawPlainFigure& draw)
{
    const BridgeOrder order{bridge_variant_named(command.variant), command.threshold, command.longest};
    if (!(order.threshold > 0 && order.threshold < 1))
        throw Error("--top-k is " + number_text(order.threshold, 6)
                    + ", expected a threshold between 0 and 1, for example 0.05.");
    ProgressLine line;
    const Interrupt interrupt;
    line.show("reading " + command.file + " …");
    const auto file = LogitsFile::open(command.file, interrupt.token());
    std::optional<BridgeTotals> totals;
    std::optional<BetaMarginals> marginals;
    std::optional<LogitGaussian> chosen;
    std::string leftOut;
    Threads threads(command.threads);
    std::optional<OutputFolder> folder;
    std::unique_ptr<BridgeFiles> files;
    if (file)
        threads.run([&] {
            chosen = LogitsReader(file).row(command.row);   // refuses a missing row before anything is written
            if (!command.out.empty()) {
                folder.emplace(command.out);
                files = std::make_unique<BridgeFiles>(folder->path(), *file);
            }
            totals = bridge_of_file(
                file, order, interrupt.token(),
                [&](const BridgedBlock& block) {
                if (files)
                    files->add(block);
                },
                [&](double share) {
                line.show("row " + std::to_string(std::lround(share * static_cast<double>(file->n_rows()))) + " of "
                          + std::to_string(file->n_rows()));
            });
            if (totals)
                marginals = beta_marginals(bridged(*chosen, order.variant), file->class_names(), order.threshold, 6,
                                           file->labels().empty() ? std::optional<int>() : file->labels()[command.row],
                                           order.longest);
        });
    if (!totals) {
        line.wipe();
        std::cerr << "credence: Cancelled; nothing was written.\n";
        return exitCancelled;
    }
    if (files) {
        line.show("writing figures …");
        files->finish(order, *totals, command.row, *marginals);
        const ListLengths lengths{totals->lengths, order.threshold,           file->n_classes(), totals->top_1,
                                  totals->top_k,   "rows of " + file->name(), order.longest};
        Chart chart = to_chart(*marginals);
        chart.caption += " Input: row " + std::to_string(command.row) + " of " + file->name() + ", variant "
                         + name(order.variant) + ".";
        writeFigures(to_chart(lengths), files->figures(), draw, command.size.value_or(FigureSize{}));
        writeFigures(chart, files->figures(), draw, command.size.value_or(FigureSize{}));
        if (file->n_classes() >= 3)
            if (const auto triangle = simplexOf(*chosen, *file, order.variant, *marginals, command.row, leftOut))
                writeFigures(*triangle, files->figures(), draw, command.size.value_or(FigureSize{160, 110, 300}));
    }
    line.wipe();
    std::cerr << leftOut;
    Table table{.columns = {{"Measure"}, {"Value", "", 4}}, .rows = {}};
    if (totals->top_1) {
        table.rows.push_back({std::string("Top-1 accuracy of the bridge mean"), *totals->top_1});
        table.rows.push_back({std::string("Accuracy of the uncertainty-aware top-k"), *totals->top_k});
    }
    table.rows.push_back({std::string("Mean list length, classes"), totals->mean_length});
    table.rows.push_back({std::string("Mean confidence (MMC)"), totals->mmc});
    std::cout << file->name() << ": " << file->n_rows() << " rows, " << file->n_classes() << " classes, "
              << (file->full() ? "covariances" : "variances") << "; bridge " << name(order.variant)
              << ", T = " << number_text(order.threshold, 6) << "\n\n"
              << plainTable(table);
    if (!totals->top_1)
        std::cout << "The file has no labels: accuracies are omitted.\n";
    std::cout << "Longest list " << totals->lengths.size() - 1 << " classes. Reading "
              << seconds(totals->reading_seconds) << ", bridge " << seconds(totals->bridge_seconds) << ", lists "
              << seconds(totals->list_seconds) << ".\n"
              << rowText(*file, command.row, *marginals);
    if (files)
        std::cout << "\nWritten to " << command.out << '\n';
    return exitOk;
}

}   // namespace

int execute(const BridgeCommand& command, const DrawPlainFigure& draw)
{
    if (command.compareSampling && !command.file.empty())
        throw Error("--compare-sampling takes no file: found " + command.file
                    + ", expected --mu and --covariance, or neither for the published Gaussians.");
    if (!command.compareSampling && command.file.empty())
        throw Error(
            "bridge: found no file, expected an .npz with mean and variance or covariance, or --compare-sampling.");
    if (!command.compareSampling && (!command.mu.empty() || !command.covariance.empty()))
        throw Error("--mu and --covariance can be used only with --compare-sampling.");
    return command.compareSampling ? compareSampling(command, draw) : bridgeFile(command, draw);
}
