// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/figure_files.h"
#include "cli/plain_table.h"
#include "cli/progress_line.h"

#include "charts/chart.h"
#include "formats/npy.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/parallel.h"
#include "foundation/text.h"
#include "outputs/bridge_against_sampling.h"
#include "outputs/bridge_of_file.h"
#include "results/own_files.h"
#include "runs/provenance.h"
#include "views/beta_marginals.h"
#include "views/classification_figures.h"
#include "views/simplex.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

namespace {

using namespace credence;

/// credence bridge
struct BridgeCommand {
    std::string file;                     ///< .npz, or a folder of .npy
    bool compareSampling = false;         ///< instead of a file: Hobbhahn 2020, Fig. 5.3
    std::vector<double> mu, covariance;   ///< Gaussian given by hand; empty: the three published ones
    long draws          = 100'000;        ///< maximum samples of a histogram
    double threshold    = 0.05;           ///< T of the uncertainty-aware top-k
    int longest         = 0;              ///< maximum classes in a list; 0: all
    std::string variant = "plain";
    std::size_t row     = 0;          ///< row whose marginals are drawn
    std::string out;                  ///< folder; empty: nothing is written
    bool overwrite = false;           ///< replace files that Credence did not write
    std::optional<FigureSize> size;   ///< empty: default of the figure
    int threads = 0;
};

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
    if (!command.out.empty()) {
        folder.emplace(command.out);
        require_own_files(folder->path(), files_of_bridge_against_sampling, command.overwrite);
    }
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
    for (const auto& distribution : figure->distributions)
        times.columns.push_back({"KL, " + distribution.what.name, "nats", 6});
    for (std::size_t i = 0; i < figure->draws.size(); ++i) {
        times.rows.push_back({figure->draws[i], 1e3 * figure->distributions.front().seconds[i]});
        for (const auto& distribution : figure->distributions)
            times.rows.back().emplace_back(distribution.kl_median[i]);
    }
    std::cout << "\nHistogram of samples on " << figure->n_cells << " cells, medians of " << figure->repeats
              << "; timings from this machine, one thread:\n"
              << plainTable(times);
    if (const std::string one = bridge_and_draw_times(*figure); !one.empty())
        std::cout << '\n' << one.substr(1) << '\n';
    if (command.mu.empty())
        std::cout << "\nValues of the notebooks released with Hobbhahn 2020 (Fig. 5.3 shows curves only): "
                  << why_published_values_differ << '\n';
    if (folder) {
        const auto size = command.size.value_or(FigureSize{200, 150, 300});
        writeFigures(chart, folder->path(), draw, size);
        writeFigures(numbers, folder->path(), draw, size);
        std::cout << "\nWritten to " << command.out << '\n';
    }
    return exitOk;
}

static_assert(std::endian::native == std::endian::little,
              "NPY files are written little-endian, as the numbers are stored in memory");

std::string quotedForCsv(const std::string& text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return text;
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

/// The output of `credence bridge`: alpha.npy [N × K] of float64, top_k.csv, results.json.
/// Unfinished files are removed.
class BridgeFiles {
public:
    BridgeFiles(std::filesystem::path folder, const LogitsFile& file);

    void add(const BridgedBlock& block);
    /// Renames the files to their final names and writes the results.
    void finish(const BridgeOrder& order, const BridgeTotals& totals, std::size_t row, const BetaMarginals& ofRow);
    std::filesystem::path figures() const;   ///< creates the folder for figures

private:
    const LogitsFile& m_file;
    std::filesystem::path m_folder;
    WholeFile m_alpha, m_lists;
};

BridgeFiles::BridgeFiles(std::filesystem::path folder, const LogitsFile& file)
    : m_file(file), m_folder(std::move(folder)), m_alpha(m_folder / "alpha.npy"), m_lists(m_folder / "top_k.csv")
{
    m_alpha.write(npy_bytes(
        {{file.n_rows(), static_cast<std::size_t>(file.n_classes())}, std::vector<double>()}));   // the header only
    const bool labels = !file.labels().empty();
    m_lists.write(std::string("row,") + (labels ? "label," : "") + "predicted,confidence,alpha_0,length,"
                  + (labels ? "label_in_list," : "") + "list\r\n");
}

void BridgeFiles::add(const BridgedBlock& block)
{
    m_alpha.write({reinterpret_cast<const char*>(block.alpha.data()), block.alpha.size() * sizeof(double)});
    std::string lines;
    const auto& names = m_file.class_names();
    const auto named  = [&](int k) { return names[static_cast<std::size_t>(k)]; };
    for (std::size_t i = 0; i < block.n; ++i) {
        const auto& row        = block.rows[i];
        const std::string list = joined(block.lists[i], named, ";");
        lines += std::to_string(block.first + i) + ',' + (row.label >= 0 ? quotedForCsv(named(row.label)) + ',' : "")
                 + quotedForCsv(named(row.predicted)) + ',' + number_text(row.confidence, 7) + ','
                 + number_text(std::exp(static_cast<double>(row.log_total)), 7) + ',' + std::to_string(row.list_length)
                 + ',' + (row.label >= 0 ? (row.listed ? "1," : "0,") : "") + quotedForCsv(list) + "\r\n";
    }
    m_lists.write(lines);
}

void BridgeFiles::finish(const BridgeOrder& order, const BridgeTotals& totals, std::size_t row,
                         const BetaMarginals& ofRow)
{
    m_alpha.keep();
    m_lists.keep();
    const auto orNull = [](const std::optional<double>& value) {
        return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
    };
    nlohmann::ordered_json results{{"credence", 1},
                                   {"provenance", build_to_json(this_build())},
                                   {"file", m_file.name()},
                                   {"rows", m_file.n_rows()},
                                   {"classes", m_file.n_classes()},
                                   {"spread", m_file.full() ? "covariance" : "variance"},
                                   {"labels", !m_file.labels().empty()},
                                   {"variant", name(order.variant)},
                                   {"threshold", order.threshold},
                                   {"top_1_accuracy", orNull(totals.top_1)},
                                   {"top_k_accuracy", orNull(totals.top_k)},
                                   {"mean_list_length", totals.mean_length},
                                   {"mmc", totals.mmc}};
    if (order.longest > 0)
        results["longest"] = order.longest;
    auto lengths = nlohmann::ordered_json::object();
    for (std::size_t l = 1; l < totals.lengths.size(); ++l)
        if (totals.lengths[l] > 0)
            lengths[std::to_string(l)] = totals.lengths[l];
    results["list_lengths"] = lengths;
    const nlohmann::ordered_json times{
        {"seconds",
         {{"reading", totals.reading_seconds}, {"bridge", totals.bridge_seconds}, {"lists", totals.list_seconds}}}};
    write_whole(m_folder / "times.json", times.dump(2) + '\n');
    auto classes = nlohmann::ordered_json::array();
    for (const auto& one : ofRow.classes)
        classes.push_back({{"class", one.name},
                           {"alpha", one.alpha},
                           {"mean", one.mean},
                           {"lower", one.lower},
                           {"upper", one.upper},
                           {"remains", one.listed}});
    results["row"] = {
        {"row", row},
        {"label", ofRow.true_class ? nlohmann::ordered_json(ofRow.true_name) : nlohmann::ordered_json(nullptr)},
        {"list", ofRow.list_names},
        {"most_probable", classes}};
    write_whole(m_folder / "results.json",
                results.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
}

std::filesystem::path BridgeFiles::figures() const
{
    auto folder = m_folder / "figures";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw Error(folder.string() + ": the folder cannot be created (" + error.message() + ").");
    return folder;
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

/// List lengths, marginals of the selected row, and its distribution over three classes.
/// @param leftOut  as in simplexOf
void writeBridgeFigures(const BridgeCommand& command, const BridgeOrder& order, const LogitsFile& file,
                        const BridgeTotals& totals, const LogitGaussian& chosen, const BetaMarginals& marginals,
                        const std::filesystem::path& folder, const DrawPlainFigure& draw, std::string& leftOut)
{
    const ListLengths lengths{totals.lengths, order.threshold,          file.n_classes(), totals.top_1,
                              totals.top_k,   "rows of " + file.name(), order.longest};
    Chart chart = to_chart(marginals);
    chart.caption += " Input: row " + std::to_string(command.row) + " of " + file.name() + ", variant "
                     + name(order.variant) + ".";
    writeFigures(to_chart(lengths), folder, draw, command.size.value_or(FigureSize{}));
    writeFigures(chart, folder, draw, command.size.value_or(FigureSize{}));
    if (file.n_classes() >= 3)
        if (const auto triangle = simplexOf(chosen, file, order.variant, marginals, command.row, leftOut))
            writeFigures(*triangle, folder, draw, command.size.value_or(FigureSize{160, 110, 300}));
}

void printTotals(const BridgeOrder& order, const LogitsFile& file, const BridgeTotals& totals, std::size_t row,
                 const BetaMarginals& marginals)
{
    Table table{.columns = {{"Measure"}, {"Value", "", 4}}, .rows = {}};
    if (totals.top_1) {
        table.rows.push_back({std::string("Top-1 accuracy of the bridge mean"), *totals.top_1});
        table.rows.push_back({std::string("Accuracy of the uncertainty-aware top-k"), *totals.top_k});
    }
    table.rows.push_back({std::string("Mean list length, classes"), totals.mean_length});
    table.rows.push_back({std::string("Mean confidence (MMC)"), totals.mmc});
    std::cout << file.name() << ": " << file.n_rows() << " rows, " << file.n_classes() << " classes, "
              << (file.full() ? "covariances" : "variances") << "; bridge " << name(order.variant)
              << ", T = " << number_text(order.threshold, 6) << "\n\n"
              << plainTable(table);
    if (!totals.top_1)
        std::cout << "The file has no labels: accuracies are omitted.\n";
    if (const auto note = file.note(); !note.empty())
        std::cout << note << '\n';
    std::cout << "Longest list " << totals.lengths.size() - 1 << " classes. Reading " << seconds(totals.reading_seconds)
              << ", bridge " << seconds(totals.bridge_seconds) << ", lists " << seconds(totals.list_seconds) << ".\n"
              << rowText(file, row, marginals);
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
                require_own_files(folder->path(), files_of_bridge, command.overwrite);
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
        writeBridgeFigures(command, order, *file, *totals, *chosen, *marginals, files->figures(), draw, leftOut);
    }
    line.wipe();
    std::cerr << leftOut;
    printTotals(order, *file, *totals, command.row, *marginals);
    if (files)
        std::cout << "\nWritten to " << command.out << '\n';
    return exitOk;
}

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

}   // namespace

Action addBridge(CLI::App& app, const CommandTools& tools)
{
    const auto command = std::make_shared<BridgeCommand>();
    app.add_option(
        "FILE", command->file,
        "An .npz file (or a folder of .npy files) with mean [N x K], variance [N x K] or covariance [N x K x K], "
        "and optionally labels [N] and class_names [K]");
    addValue(app, "--top-k", "T", command->threshold,
             "Threshold T of the lists: a class is included while its 1 - T/2 quantile exceeds the T/2 quantile of "
             "the previous class (default: 0.05)");
    addValue(app, "--longest", "N", command->longest, "Maximum number of classes in a list (default: all)")
        ->check(counts());
    addValue(app, "--variant", "NAME", command->variant,
             "Preprocessing before the bridge: plain (default), conditioned, projected, conditioned_normalised, "
             "projected_normalised");
    addValue(app, "--row", "N", command->row, "Row whose marginals are drawn (default: 0)")
        ->check(CLI::NonNegativeNumber);
    addValue(app, "--out", "DIR", command->out,
             "Folder for alpha.npy, top_k.csv, results.json and figures (default: write nothing)");
    addOverwrite(app, command->overwrite);
    app.add_flag(
        "--compare-sampling", command->compareSampling,
        "Instead of a file: report how many samples a histogram needs to match the bridge, for the three published "
        "Gaussians or for --mu and --covariance");
    addValue(app, "--mu", "M1,M2,M3", command->mu, "With --compare-sampling: mean of the three logits")->delimiter(',');
    addValue(app, "--covariance", "S11,…", command->covariance,
             "With --compare-sampling: covariance of the logits, 3 numbers (its diagonal) or 9")
        ->delimiter(',');
    addValue(app, "--draws", "N", command->draws,
             "With --compare-sampling: maximum number of samples (default: 100000)")
        ->check(CLI::Range(10L, 10'000'000L));
    addSizeInMm(app, command->size);
    addThreads(app, command->threads);
    return [command, &tools] { return execute(*command, tools.drawPlain); };
}
