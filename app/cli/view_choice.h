// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/command_line.h"
#include "posterior/pruning.h"
#include "views/views.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

// What `figure` and `film` draw: a view and the options of a view.

struct ViewChoice {
    std::string view;
    std::vector<double> input;   ///< original units; empty: test row `row`
    std::size_t row = 0;
    std::string picture;                 ///< image file used as the selected input; empty: none
    std::string invert;                  ///< invert the image: "yes", "no"; empty: decided by its border
    std::optional<std::size_t> oodRow;   ///< row of the OOD data used as the selected input
    std::string quantity;                ///< for the decision map: "epistemic", …; empty: predictive entropy
    std::string variant;                 ///< for the Laplace Bridge: "plain", …; empty: projected
    double epsilon = -1;                 ///< attack strength in the units of the data; -1: that of ViewOptions
    std::string attack;                  ///< "projected_gradient", …; empty: fast gradient sign
    std::string gradient;                ///< attack loss: "one_draw", …; empty: mean_predictive
    int rows = 0;                        ///< maximum for views of the whole test set; 0: the view's default
    credence::PruneRule prune;           ///< weights set to zero before the figure is made
    std::string pruneBy;                 ///< "magnitude", …; empty: signal_to_noise
    bool keepBiases = false;             ///< prune weights only
    int longest     = 0;                 ///< maximum classes in an uncertainty-aware top-k list; 0: all
    std::string logits;                  ///< "linearisation" or "draws"; empty: default of the family
    int samples    = 0;                  ///< posterior samples; 0: those of the run
    int classIndex = -1;                 ///< for class probabilities; -1: that of ViewOptions
    std::string target;                  ///< of several numeric targets, by name; empty: the first
    credence::SliceChoice slice;         ///< for slice
    std::string hold;                    ///< for slice: "median", …; empty: row
    std::string sliceScale;              ///< for slice: "linear", …; empty: automatic
    /// Use a logarithmic vertical axis for overlay_training_curves, whose `quantity` is "error",
    /// "loss" or "kl".
    bool logarithmic = false;
};

void addView(CLI::App& app, ViewChoice& choice);
/// Adds the options of views, from the selected input to pruning.
void addViewChoice(CLI::App& app, ViewChoice& choice);

/// Imported predictions: an archive of arrays, or a folder of them that is not a run.
bool holdsOutputs(const std::filesystem::path& file);

/// The file of a run, which can be named by its folder.
std::filesystem::path fileOfRun(std::filesystem::path run);

/// @param first  the run that an image is transformed for
/// @param tools  reads images; called only if the selected input is one
credence::ViewOptions optionsOf(const ViewChoice& choice, const credence::View& wanted,
                                const credence::RunSnapshot& first,
                                const std::function<credence::ImportTools()>& tools);

/// Never empty, since nothing can stop it.
/// @throws credence::Error if the view does not apply to the runs or the options
credence::Chart makeChart(const credence::View& wanted, std::span<const credence::RunSnapshot> snapshots,
                          const credence::ViewOptions& options);
