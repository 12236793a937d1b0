// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "figures/decision_map.h"
#include "figures/simplex_density.h"
#include "figures/training_curves.h"
#include "images/image_transforms.h"
#include "posterior/pruning.h"
#include "prediction/attack.h"
#include "prediction/posterior_predictive.h"
#include "runs/experiment.h"
#include "simplex/laplace_bridge.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

enum class LogitsBy;   // views/chosen_logits.h

/// What the colours of a map of points say.
enum class PointsColour {
    predicted_class,   ///< of each point
    true_class,        ///< of each point, where it is known
    entropy,           ///< predictive entropy, nats, averaged over small cells
};

/// How the law of the class probabilities is drawn.
struct SimplexChoice {
    SimplexOptions density{};   ///< its variant and seed are those of ViewOptions and Study
    SimplexLook look{};
};

/// What the curve of a disturbance goes over.
enum class DisturbanceSweep { rotation, scale, right, down, blur, noise, morph };

/// Which draws of chains stand out from the others.
struct ChainBrush {
    enum class Which {
        divergent,   ///< whose trajectory diverged
        steps,       ///< that were made after the steps from … to of their chain
        nothing,     ///< none
    };
    Which which = Which::divergent;
    long from = 0, to = 0;   ///< both ends included
    bool operator==(const ChainBrush&) const = default;
};

/// An input as it was before it was attacked.
struct UnattackedInput {
    std::vector<double> input;   ///< original units [n_features]; empty: test row `row`
    std::string name;
    std::optional<int> label;
    std::size_t row = 0;
};

/// What the user chose besides the run. Each view reads what concerns it.
struct ViewOptions {
    std::vector<double> input;   ///< the chosen input, original units [n_features]; empty: test row `row`
    std::string input_name;   ///< what to call `input`: "drawn image", "test image 3, rotated 20°"; empty: its numbers
    std::optional<int> input_label;   ///< the class of `input` where it is known: a disturbed image keeps its own
    /// outputs: `input` stands in no set of data, in no table and on no map (an image that was drawn, disturbed or read from a file), so that nothing beside it shows the same
    /// draws and they may be drawn the quick way; only of images, and not of an attacked one, whose attack was told by draws of weights
    DrawsOf input_draws      = DrawsOf::weights;
    std::size_t row          = 0;
    MapQuantity map_quantity = MapQuantity::predictive_entropy;
    int map_class            = 1;
    int map_cells            = 100;   ///< cells along each side
    std::optional<std::pair<Range, Range>>
        region;   ///< x and y shown; empty: maps: the data's range widened by 40 % on each side; bands: see shown_range
    std::size_t weight         = 0;                               ///< flat index for the view of one weight
    PointsColour points_colour = PointsColour::predicted_class;   ///< of the view points_map
    PruneRule prune{};   ///< which weights are set to zero before anything is drawn: every view follows, see WhenPruned
    int functions          = 20;     ///< posterior function draws in the regression band
    bool picture           = true;   ///< images: the chosen one beside its boxplots and intervals
    DisturbanceSweep sweep = DisturbanceSweep::rotation;
    Disturbance disturbance{};   ///< what was done to `undisturbed` to make `input`; the curve varies one part of it
    std::vector<double> undisturbed;   ///< original units [n_features]; empty: `input` or the row itself
    std::string undisturbed_name;
    std::vector<double> morph_target;   ///< original units [n_features]; empty: none
    AttackOptions attack{};
    double epsilon =
        0.1;   ///< strength of the attack, in the data's units; of images 1 is the step from black to white
    std::optional<UnattackedInput> unattacked;   ///< `input` is this one, attacked; empty: it is not
    SimplexChoice simplex{};
    std::optional<LogitsBy> logits_by;                         ///< empty: usual_logits_by
    int samples                  = 0;                          ///< 0: the study's prediction.samples
    double top_k_threshold       = 0.05;                       ///< T of the uncertainty-aware top-k
    int top_k_longest            = 0;                          ///< classes that such a list may have; 0: all
    BridgeVariant bridge_variant = BridgeVariant::projected;   ///< of simplex, beta_marginals and list_lengths
    ChainBrush brush{};                                        ///< of the views of chains
    CurveChoice curves{};                                      ///< of the curves of several runs in one panel
    int rows = 0;   ///< views of the whole test set: at most so many rows, evenly over it; 0: all
};

/// What a picture needs, and so how long it takes: decides beside which others it is made.
enum class Cost {
    quick,      ///< weights and history as they are
    draws,      ///< sampled outputs for one input, or over a plane
    all_rows,   ///< sampled outputs for the whole test set: of images that takes seconds
    slow,       ///< curvatures are fitted, or ways of predicting are set beside one another
};

/// What a view does while ViewOptions::prune removes weights.
enum class WhenPruned {
    follows,   ///< it is made of moments whose weights are pruned, and knows nothing of it
    shows,   ///< it gets the whole posterior and reads ViewOptions::prune: it shows what is removed, and what that does
    whole,   ///< it stays as it is: what the training did, how chains ran, what a whole curvature says, the true posterior
};

/// What a view asks of a run, and so whether it can be made of outputs from elsewhere, of which nobody knows the weights.
enum class Asks {
    weights,   ///< weights, or outputs at inputs of its own choice
    outputs,   ///< draws of the outputs at rows of the data alone
    labels,    ///< these and the true classes
};

/// One kind of picture that can be made of a run: everything the program knows of it. Each stands in a file of its own in views/, and once in the list there,
/// views/list.cmake; window, command line, reports and help read this list.
struct View {
    std::string id;             ///< "decision_map", "boxplots", … (command line: --view)
    std::string title;          ///< "Decision map"
    std::string help;           ///< what it shows and how to read it; formula and source
    bool needs_input = false;   ///< follows the chosen input
    Asks asks        = Asks::weights;
    Cost cost        = Cost::draws;
    bool with_results =
        true;   ///< is among the tables and figures that `credence run` leaves; false: made where it is asked for, since it costs as much as a training or is as long as the data
    bool table_in_results  = false;   ///< its table stands in results.json too, beside the scores
    bool coarse_while_live = false;   ///< fewer cells and draws while training goes on, so that it keeps up
    WhenPruned when_pruned = WhenPruned::follows;
    /// A sentence why it cannot be made of a run, whatever the moment: "A decision map needs two inputs and classes." Empty: it can.
    std::function<std::optional<std::string>(const Experiment& experiment)> why_not = [](const Experiment&) {
        return std::optional<std::string>();
    };
    /// Makes it: pure; may take long, so call it on a worker. @return  empty if `stop` was requested
    /// @throws Error  the sentence of why_not, or a refusal that shows only now: of this moment, or of these options
    std::function<std::optional<Chart>(const RunMoment& moment, const ViewOptions& options,
                                       const std::stop_token& stop)>
        make;

    /// Several runs in one picture, on one scale; a run that does not fit is a message in it. Empty: the view draws one run only.
    std::function<std::optional<Chart>(std::span<const RunMoment> runs, const ViewOptions& options,
                                       const std::stop_token& stop)>
        compare            = {};
    bool compares_any_data = false;   ///< in the window runs on other data than the one on show stand in it, too

    bool applies(const Experiment& experiment) const { return !why_not(experiment); }
};

/// All views, in the order of the list.
const std::vector<View>& views();
const View& view(const std::string& id);   ///< @throws Error that lists the ids

}   // namespace credence
