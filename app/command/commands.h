// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/double_well_walk.h"
#include "command/command_line.h"
#include "posterior/pruning.h"

#include <optional>
#include <string>
#include <vector>

/// The Study of a file, or the preset of this id or name. @throws credence::Error
credence::Study findStudy(const std::string& name);

/// credence run
struct RunCommand {
    std::string study;                      ///< file, or id or name of a preset
    std::string out;                        ///< folder; empty: out/<name of the study>
    long seed   = -1;                       ///< -1: the study's
    int threads = 0;                        ///< 0: as many as the machine has
    std::vector<std::string> assignments;   ///< "path=value"
    bool figures           = true;
    bool saveOutputs       = false;   ///< outputs.npz beside the results
    bool saveWeights       = false;   ///< weights.npz
    bool fresh             = false;   ///< begins anew where an interrupted run could go on
    bool mixBuilds         = false;   ///< continues what another build of the program began
    bool overwrite         = false;   ///< replaces files that the program did not write
    double checkpointEvery = 60;      ///< seconds; 0: none
};
int execute(const RunCommand& command, const DrawFigure& draw);

/// credence list
struct ListCommand {
    std::string folder;         ///< empty: presets only
    bool views       = false;   ///< list what figure can draw, instead of presets and runs
    bool comparisons = false;   ///< list what compare can run, instead
    bool sweeps      = false;   ///< list the sweeps that ship, instead
};
int execute(const ListCommand& command);

/// credence compare
struct CompareCommand {
    std::string comparison;                 ///< id
    std::string out;                        ///< folder; empty: out/<id>
    std::vector<std::string> methods;       ///< ids; empty: all. The truth is always among them
    std::vector<std::string> assignments;   ///< "path=value", of every run
    int threads  = 0;
    bool figures = true;
};
int execute(const CompareCommand& command, const DrawFigure& draw);

/// credence figure
struct FigureCommand {
    std::vector<std::string>
        runs;   ///< run.credence, or the folder that holds it, or outputs from elsewhere; several are compared in one figure
    std::string view;
    std::string to;              ///< file; its suffix says how: pdf, svg, png, csv or tex
    std::vector<double> input;   ///< original units; empty: test row `row`
    std::size_t row = 0;
    std::string picture;                     ///< file of a picture that is the chosen input; empty: none
    std::string invert;                      ///< of it: "yes", "no"; empty: what its border says
    std::optional<std::size_t> foreignRow;   ///< row of the foreign data that is the chosen input
    std::string quantity;                    ///< of the decision map: "epistemic", …; empty: predictive entropy
    std::string variant;                     ///< of the Laplace Bridge: "plain", …; empty: projected
    double epsilon = -1;                     ///< strength of an attack, in the data's units; -1: that of ViewOptions
    std::string attack;                      ///< "projected_gradient", …; empty: fast gradient sign
    std::string gradient;                    ///< of the attack: "one_draw", …; empty: mean_predictive
    int rows = 0;                            ///< of views of the whole test set, at most; 0: what the view takes
    credence::PruneRule prune;               ///< weights that are set to zero before the figure is made
    std::string pruneBy;                     ///< "magnitude", …; empty: signal_to_noise
    int longest = 0;                         ///< classes of a list of the uncertainty-aware top-k; 0: all
    std::string logits;                      ///< "linearisation" or "draws"; empty: what is usual for the family
    int samples = 0;                         ///< draws of the posterior; 0: those of the run
    long step   = -1;                        ///< the recorded step nearest to it; -1: the last
    FigureSize size;
    std::string page;               ///< "240x140" in mm, "column", …; empty: that of `size`
    std::optional<double> fontPt;   ///< letters, points; empty: those of the page
    std::string caption;            ///< a file of its own for the caption and all settings: "txt", "tex"; empty: none
    bool each   = false;            ///< of several runs a figure each, not one of all
    int threads = 0;
    /// Of overlay_training_curves, whose `quantity` is "error", "loss" or "kl": its vertical axis.
    bool logarithmic = false;
};
/// @param tools  read pictures; asked for where one is the chosen input
int execute(const FigureCommand& command, const DrawFigure& draw, const DrawPlainFigure& drawPlain,
            const std::function<credence::ImportTools()>& tools);

/// credence data list
struct DataListCommand {};
int execute(const DataListCommand& command);

/// credence data fetch
struct DataFetchCommand {
    std::string name;   ///< id in the catalogue
};
int execute(const DataFetchCommand& command, const FetchSet& fetch);

/// credence data import
struct DataImportCommand {
    credence::ImportOrder order;
    std::string colour;   ///< "", "grey" or "colour"
};
int execute(const DataImportCommand& command, credence::ImportTools tools);

/// credence open
struct OpenCommand {
    std::string
        file;   ///< .npz, or a folder of .npy; what the window shows: also a Study, a kept run or its folder, or a link
    std::string other;        ///< foreign outputs; empty: none
    std::string out;          ///< folder; empty: nothing is written
    bool overwrite = false;   ///< replaces files that the program did not write
    int longest    = 0;       ///< classes of a list of the uncertainty-aware top-k; 0: all
    int threads    = 0;
    bool figures   = true;
    std::string view;                 ///< of the window: in front; empty: as the link says, or the predictions
    std::optional<long> step;         ///< of the window: the recorded step nearest to it
    std::vector<double> input;        ///< of the window: the chosen input in the units of the data
    std::optional<std::size_t> row;   ///< the same by its row in the test set
    std::string quantity;             ///< of the window: of the decision map; empty: as it was left
};
/// Outputs from elsewhere are scored here, all else is shown by the window, and so are they with a view, a step or an input.
int execute(const OpenCommand& command, const DrawPlainFigure& draw, const ShowWindow& window);

/// credence bridge
struct BridgeCommand {
    std::string file;                     ///< .npz, or a folder of .npy
    bool compareSampling = false;         ///< in place of a file: Hobbhahn 2020, Fig. 5.3
    std::vector<double> mu, covariance;   ///< of a Gaussian by hand; empty: the published three
    long draws          = 100'000;        ///< most draws of a histogram
    double threshold    = 0.05;           ///< T of the uncertainty-aware top-k
    int longest         = 0;              ///< classes that a list may have; 0: all
    std::string variant = "plain";
    std::size_t row     = 0;          ///< whose marginals are drawn
    std::string out;                  ///< folder; empty: nothing is written
    std::optional<FigureSize> size;   ///< empty: what suits the figure
    int threads = 0;
};
int execute(const BridgeCommand& command, const DrawPlainFigure& draw);

/// credence sweep
struct SweepCommand {
    std::string sweep;                      ///< file, or id of one that ships
    std::string out;                        ///< folder; empty: out/<id>
    std::vector<std::string> assignments;   ///< "path=value", of every cell
    std::string part;                       ///< "i/n"; empty: all cells
    int jobs       = 0;                     ///< 0: as many as threads
    int threads    = 0;                     ///< 0: as many as the machine has
    bool quick     = false;
    bool collect   = false;
    bool mixBuilds = false;   ///< adds cells to those of another build of the program
    bool overwrite = false;   ///< replaces files that the program did not write
    bool noFigures = false;
    bool slurm     = false;                  ///< submit the cells to Slurm in place of running them
    bool writeOnly = false;                  ///< of that: write the script, submit nothing
    int slurmTasks = 0;                      ///< at most; 0: one for each cell, as far as the cluster allows
    std::vector<std::string> slurmOptions;   ///< further ones of sbatch, a word each
};
int execute(const SweepCommand& command, const DrawPlainFigure& draw);

/// credence bandit
struct BanditCommand {
    std::vector<std::string> bandits;       ///< files, or ids of presets
    std::string out;                        ///< folder; empty: out/bandit
    std::vector<std::string> assignments;   ///< "path=value", of each
    long steps     = 0;                     ///< 0: those of the bandit
    int seeds      = 0;                     ///< 0: those of the bandit
    int threads    = 0;
    bool noFigures = false;
    bool overwrite = false;   ///< replaces files that the program did not write
    bool list      = false;   ///< list the presets, instead
};
int execute(const BanditCommand& command, const DrawPlainFigure& draw);

/// credence double-well
struct DoubleWellCommand {
    credence::double_well::WalkOptions options;
    long steps = 5000;
    std::string out;                  ///< folder; empty: nothing is written
    std::optional<FigureSize> size;   ///< empty: what suits the figure
};
int execute(const DoubleWellCommand& command, const DrawPlainFigure& draw);

/// credence reproduce
struct ReproduceCommand {
    std::vector<std::string> entries;   ///< ids of the gallery, or what the ids of several begin with
    std::string out;                    ///< folder; empty: out/ and the entry, or the sweep, comparison or bandit
    long seed      = -1;                ///< -1: the entry's
    int threads    = 0;
    bool quick     = false;
    bool noFigures = false;
    bool mixBuilds = false;   ///< continues what another build of the program began
    bool list      = false;   ///< list the entries, instead
};
int execute(const ReproduceCommand& command, const CommandTools& tools);

/// credence papers
struct PapersCommand {
    std::string write;   ///< file of the page; empty: counts are printed
};
int execute(const PapersCommand& command);

/// credence linter
struct LinterCommand {
    std::string write;   ///< file of the page; empty: the rules are listed
};
int execute(const LinterCommand& command);

/// "Two moons, τ and correlation ρ" → "two-moons-tau-and-correlation-rho"
std::string folderName(const std::string& title);
