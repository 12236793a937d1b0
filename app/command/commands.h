// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/double_well.h"
#include "command/command_line.h"
#include "posterior/pruning.h"

#include <optional>
#include <string>
#include <vector>

/// Loads a Study from a file, or the preset of this id or name. @throws credence::Error
credence::Study findStudy(const std::string& name);

/// credence run
struct RunCommand {
    std::string study;                      ///< file, or id or name of a preset
    std::string out;                        ///< folder; empty: out/<name of the study>
    long seed   = -1;                       ///< -1: that of the study
    int threads = 0;                        ///< 0: all
    std::vector<std::string> assignments;   ///< "path=value"
    bool figures           = true;
    bool saveOutputs       = false;   ///< also write outputs.npz
    bool saveWeights       = false;   ///< weights.npz
    bool fresh             = false;   ///< start over instead of continuing an interrupted run
    bool mixBuilds         = false;   ///< continue a run started by another build of the program
    bool overwrite         = false;   ///< replace files that the program did not write
    double checkpointEvery = 60;      ///< seconds; 0: none
};
int execute(const RunCommand& command, const DrawFigure& draw);

/// credence list
struct ListCommand {
    std::string folder;         ///< empty: presets only
    bool views       = false;   ///< list views instead
    bool comparisons = false;   ///< list comparisons instead
    bool sweeps      = false;   ///< list built-in sweeps instead
};
int execute(const ListCommand& command);

/// credence compare
struct CompareCommand {
    std::string comparison;                 ///< id
    std::string out;                        ///< folder; empty: out/<id>
    std::vector<std::string> methods;       ///< ids; empty: all. The reference posterior is always included
    std::vector<std::string> assignments;   ///< "path=value", applied to every run
    int threads  = 0;
    bool figures = true;
};
int execute(const CompareCommand& command, const DrawFigure& draw);

/// credence figure
struct FigureCommand {
    std::vector<std::string>
        runs;   ///< run.credence, its folder, or imported predictions; several are compared in one figure
    std::string view;
    std::string to;              ///< file; the suffix selects pdf, svg, png, csv or tex
    std::vector<double> input;   ///< original units; empty: test row `row`
    std::size_t row = 0;
    std::string picture;                     ///< image file used as the selected input; empty: none
    std::string invert;                      ///< invert the image: "yes", "no"; empty: decided by its border
    std::optional<std::size_t> foreignRow;   ///< row of the OOD data used as the selected input
    std::string quantity;                    ///< for the decision map: "epistemic", …; empty: predictive entropy
    std::string variant;                     ///< for the Laplace Bridge: "plain", …; empty: projected
    double epsilon = -1;                     ///< attack strength in the units of the data; -1: that of ViewOptions
    std::string attack;                      ///< "projected_gradient", …; empty: fast gradient sign
    std::string gradient;                    ///< attack loss: "one_draw", …; empty: mean_predictive
    int rows = 0;                            ///< maximum for views of the whole test set; 0: the view's default
    credence::PruneRule prune;               ///< weights set to zero before the figure is made
    std::string pruneBy;                     ///< "magnitude", …; empty: signal_to_noise
    int longest = 0;                         ///< maximum classes in an uncertainty-aware top-k list; 0: all
    std::string logits;                      ///< "linearisation" or "draws"; empty: default of the family
    int samples = 0;                         ///< posterior samples; 0: those of the run
    long step   = -1;                        ///< nearest recorded step; -1: the last
    FigureSize size;
    std::string page;               ///< "240x140" in mm, "column", …; empty: that of `size`
    std::optional<double> fontPt;   ///< font size, points; empty: that of the page
    std::string caption;            ///< format of a separate file with caption and settings: "txt", "tex"; empty: none
    bool each   = false;            ///< one figure per run instead of one for all
    int threads = 0;
    /// Use a logarithmic vertical axis for overlay_training_curves, whose `quantity` is "error",
    /// "loss" or "kl".
    bool logarithmic = false;
};
/// @param tools  reads images; called only if the selected input is one
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
        file;   ///< .npz, or a folder of .npy; for the window also a Study, a saved run or its folder, or a link
    std::string other;        ///< imported OOD predictions; empty: none
    std::string out;          ///< folder; empty: nothing is written
    bool overwrite = false;   ///< replace files that the program did not write
    int longest    = 0;       ///< maximum classes in an uncertainty-aware top-k list; 0: all
    int threads    = 0;
    bool figures   = true;
    std::string view;                 ///< window: view to show first; empty: as in the link, or the predictions
    std::optional<long> step;         ///< window: nearest recorded step
    std::vector<double> input;        ///< window: selected input in the units of the data
    std::optional<std::size_t> row;   ///< window: selected input by its test-set row
    std::string quantity;             ///< window: quantity of the decision map; empty: last used
};
/// Scores imported predictions, unless a view, step or input is given; everything else opens in the
/// window.
int execute(const OpenCommand& command, const DrawPlainFigure& draw, const ShowWindow& window);

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
    std::optional<FigureSize> size;   ///< empty: default of the figure
    int threads = 0;
};
int execute(const BridgeCommand& command, const DrawPlainFigure& draw);

/// credence sweep
struct SweepCommand {
    std::string sweep;                      ///< file, or id of a built-in sweep
    std::string out;                        ///< folder; empty: out/<id>
    std::vector<std::string> assignments;   ///< "path=value", applied to every cell
    std::string part;                       ///< "i/n"; empty: all cells
    int jobs       = 0;                     ///< 0: one per thread
    int threads    = 0;                     ///< 0: all
    bool quick     = false;
    bool collect   = false;
    bool mixBuilds = false;   ///< add cells to those of another build of the program
    bool overwrite = false;   ///< replace files that the program did not write
    bool noFigures = false;
    bool slurm     = false;                  ///< submit the cells to Slurm instead of running them
    bool writeOnly = false;                  ///< with slurm: write the script only
    int slurmTasks = 0;                      ///< maximum tasks; 0: one per cell, as far as the cluster allows
    std::vector<std::string> slurmOptions;   ///< additional sbatch options, one word each
};
int execute(const SweepCommand& command, const DrawPlainFigure& draw);

/// credence bandit
struct BanditCommand {
    std::vector<std::string> bandits;       ///< files, or ids of presets
    std::string out;                        ///< folder; empty: out/bandit
    std::vector<std::string> assignments;   ///< "path=value", applied to each
    long steps     = 0;                     ///< 0: as in the bandit
    int seeds      = 0;                     ///< 0: as in the bandit
    int threads    = 0;
    bool noFigures = false;
    bool overwrite = false;   ///< replace files that the program did not write
    bool list      = false;   ///< list the presets instead
};
int execute(const BanditCommand& command, const DrawPlainFigure& draw);

/// credence double-well
struct DoubleWellCommand {
    credence::double_well::WalkOptions options;
    long steps = 5000;
    std::string out;                  ///< folder; empty: nothing is written
    std::optional<FigureSize> size;   ///< empty: default of the figure
};
int execute(const DoubleWellCommand& command, const DrawPlainFigure& draw);

/// credence reproduce
struct ReproduceCommand {
    std::vector<std::string> entries;   ///< gallery ids, or prefixes of ids
    std::string out;                    ///< folder; empty: out/ and the entry, sweep, comparison or bandit
    long seed      = -1;                ///< -1: that of the entry
    int threads    = 0;
    bool quick     = false;
    bool noFigures = false;
    bool mixBuilds = false;   ///< continue a run started by another build of the program
    bool list      = false;   ///< list the entries instead
};
int execute(const ReproduceCommand& command, const CommandTools& tools);

/// credence papers
struct PapersCommand {
    std::string write;   ///< file of the page; empty: print the counts
};
int execute(const PapersCommand& command);

/// credence linter
struct LinterCommand {
    std::string write;   ///< file of the page; empty: list the rules
};
int execute(const LinterCommand& command);

/// "Two moons, τ and correlation ρ" → "two-moons-tau-and-correlation-rho"
std::string folderName(const std::string& title);
