// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/plain_table.h"
#include "cli/progress_line.h"
#include "cli/view_choice.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "foundation/text.h"
#include "results/own_files.h"
#include "results/predict_table.h"
#include "runs/prediction_data.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

namespace {

using namespace credence;

/// credence predict
struct PredictCommand {
    std::string run;     ///< run.credence, or its folder
    std::string table;   ///< new rows; "-": standard input
    std::string to;      ///< .csv or .npz; "-": CSV on standard output
    PredictOptions options;
    int threads    = 0;
    bool columns   = false;   ///< print the expected columns instead
    bool overwrite = false;   ///< replace an existing file
};

constexpr auto standardStream = "-";

/// Standard input as a file, which error messages call "standard input". Removed with the object.
class StandardInput {
public:
    StandardInput()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "credence-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr)
            throw std::runtime_error("No temporary folder could be created in "
                                     + std::filesystem::temp_directory_path().string() + ".");
        m_folder = pattern;
        WholeFile file(path());
        std::array<char, 1 << 16> bytes;   // NOLINT(cppcoreguidelines-pro-type-member-init): read into
        while (std::cin.read(bytes.data(), bytes.size()), std::cin.gcount() > 0)
            file.write({bytes.data(), static_cast<std::size_t>(std::cin.gcount())});
        file.keep();
    }
    ~StandardInput()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }
    StandardInput(const StandardInput&)            = delete;
    StandardInput& operator=(const StandardInput&) = delete;

    std::filesystem::path path() const { return m_folder / "standard input"; }

private:
    std::filesystem::path m_folder;
};

/// Refuses options that do not fit before anything is read.
void requireUsable(const PredictCommand& command)
{
    if (holdsOutputs(command.run))
        throw Error(command.run + ": found imported predictions, expected a run, which can predict new rows.");
    if (command.columns)
        return;
    if (command.table.empty())
        throw Error("TABLE is missing, expected a table with the columns of the run (see: credence predict RUN "
                    "--columns).");
    if (command.to.empty())
        throw Error("--to is missing, expected FILE.csv, FILE.npz or - for standard output.");
    if (command.to == standardStream)
        return;
    const std::filesystem::path file = command.to;
    if (file.extension() != ".csv" && file.extension() != ".npz")
        throw Error("--to is " + quoted_text(command.to) + ", expected FILE.csv, FILE.npz or - for standard output.");
    require_other_file(file, command.table);
    require_other_file(file, command.run);
    std::error_code ignored;
    if (!command.overwrite && std::filesystem::exists(file, ignored))
        throw Error(command.to + ": this file exists, expected a new name, or --overwrite to replace it.");
}

std::string rowsInWords(std::size_t rows, std::size_t noted)
{
    std::string words = grouped_text(static_cast<long>(rows)) + (rows == 1 ? " row" : " rows") + " predicted";
    if (noted > 0)
        words += ", " + grouped_text(static_cast<long>(noted)) + " with a note";
    return words;
}

void reportIgnored(const NewRows& rows)
{
    if (!rows.decimal_mark.empty())
        std::cerr << "credence: " << rows.decimal_mark << '\n';
    if (rows.ignored.empty())
        return;
    constexpr std::size_t most = 10;
    std::string names;
    for (std::size_t i = 0; i < std::min(most, rows.ignored.size()); ++i)
        names += (i > 0 ? ", " : "") + quoted_text(rows.ignored[i]);
    if (rows.ignored.size() > most)
        names += ", …";
    std::cerr << "credence: Columns that the run does not use: " << names << ".\n";
}

/// Prints the rows block by block.
std::optional<PredictionSummary> printPredictions(const RunSnapshot& run, const NewRows& rows,
                                                  const PredictOptions& options, std::stop_token stop)
{
    return predict_rows(run, rows, options, stop, [](const PredictedRows& block) {
        std::cout << (block.first == 0 ? to_csv(block.table) : csv_rows(block.table));
        if (!std::cout.flush())
            throw std::runtime_error("Standard output could not be written completely.");
    });
}

int execute(const PredictCommand& command)
{
    requireUsable(command);
    RunSnapshot run;
    NewRows rows;
    std::optional<PredictionSummary> summary;
    const bool prints = command.to == standardStream;
    {
        ProgressLine line;
        const Interrupt interrupt;
        Threads threads(command.threads);
        try {
            const SavedRun saved  = load_run(fileOfRun(command.run), WhichSnapshots::last);
            const auto experiment = experiment_for_prediction(saved, interrupt.token());
            if (experiment && command.columns) {
                line.wipe();
                std::cout << plainTable(prediction_columns(prediction_schema(*experiment)));
                return exitOk;
            }
            if (experiment) {
                run = snapshot_of(saved, 0, experiment);
                std::optional<StandardInput> input;
                if (command.table == standardStream)
                    input.emplace();
                line.show("reading " + command.table + " …");
                threads.run([&] {
                    const StopScope stoppable(interrupt.token());
                    rows = read_new_rows(*experiment, input ? input->path() : std::filesystem::path(command.table));
                });
                line.wipe();
                reportIgnored(rows);
                threads.run([&] {
                    const ProgressScope scope(shareOn(line, "predicting " + grouped_text(static_cast<long>(rows.n))
                                                                + (rows.n == 1 ? " row" : " rows")));
                    summary = prints ? printPredictions(run, rows, command.options, interrupt.token())
                                     : write_predictions(run, rows, command.options, command.to, interrupt.token());
                });
            }
        } catch (const Stopped&) {
            summary.reset();
        }
    }
    if (!summary) {
        std::cerr << "credence: Cancelled.\n";
        return exitCancelled;
    }
    auto& words = prints ? std::cerr : std::cout;
    words << rowsInWords(rows.n, rows.n_notes()) << (prints ? "" : "; written to " + command.to) << ".\n";
    if (!summary->conformal.empty())
        words << "Conformal: " << summary->conformal << '\n';
    if (!summary->scores.rows.empty())
        words << '\n' << plainTable(summary->scores);
    return exitOk;
}

}   // namespace

Action addPredict(CLI::App& app, const CommandTools&)
{
    const auto command = std::make_shared<PredictCommand>();
    app.add_option("RUN", command->run, "Saved run (run.credence) or its folder")->required();
    app.add_option("TABLE", command->table,
                   "Table with the new rows, whose columns are matched by name; - reads standard input");
    addValue(app, "--to", "FILE", command->to,
             "File to write: FILE.csv with one line per row, FILE.npz with the posterior samples, or - for CSV on "
             "standard output");
    addValue(app, "--level", "SHARE", command->options.level, "Level of intervals and sets (default: that of the run)")
        ->check(CLI::Range(0.01, 0.9999));
    addValue(app, "--samples", "N", command->options.samples, "Posterior samples (default: as in the run)")
        ->check(CLI::Range(1, 100'000));
    app.add_flag(
        "--conformal", command->options.conformal,
        "Conformal intervals or sets: they contain the true value with probability --level, on average over rows "
        "exchangeable with the calibration rows");
    app.add_flag("--columns", command->columns, "Print the columns that the run expects, and predict nothing");
    app.add_flag("--overwrite", command->overwrite, "Replace the file if it exists");
    addThreads(app, command->threads);
    return [command] { return execute(*command); };
}
