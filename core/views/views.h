// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/decision_map.h"
#include "images/image_transforms.h"
#include "posterior/pruning.h"
#include "prediction/attack.h"
#include "prediction/posterior_predictive.h"
#include "runs/experiment.h"
#include "simplex/laplace_bridge.h"
#include "views/simplex.h"
#include "views/slice.h"
#include "views/training_curves.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

enum class LogitsBy;   // views/chosen_logits.h

/// The selected input.
struct InputChoice {
    std::vector<double> values;   ///< original units [n_features]; empty: test row `row`
    std::string name;             ///< "drawn image", "test image 3, rotated 20°"; empty: its numbers
    std::optional<int> label;     ///< its class if known: a disturbed image keeps its class
    std::size_t row = 0;
    /// outputs: `values` occur in no data set, table or map (a drawn or disturbed image, or one
    /// read from a file), so their outputs can be sampled directly, which is faster. Only for
    /// images, and not for an attacked image, whose attack was evaluated with weight samples
    DrawsOf draws     = DrawsOf::weights;
    bool with_picture = true;   ///< images: show it next to its boxplots and intervals
};

/// The parameter that a disturbance curve varies.
enum class DisturbanceSweep { rotation, scale, right, down, blur, noise, morph };

/// How the selected image was disturbed, and how a disturbance curve varies it.
struct DisturbanceChoice {
    DisturbanceSweep sweep = DisturbanceSweep::rotation;
    Disturbance applied{};             ///< turns `undisturbed` into the selected input; the curve varies one part of it
    std::vector<double> undisturbed;   ///< original units [n_features]; empty: the selected input itself
    std::string undisturbed_name;
    std::vector<double> morph_target;   ///< original units [n_features]; empty: none
};

/// How inputs are attacked.
struct AttackChoice {
    AttackOptions method{};
    double epsilon = 0.1;   ///< strength, in the data's units; for images 1 is the step from black to white
    std::optional<InputChoice> unattacked;   ///< the selected input before its attack; empty: it is not attacked
};

/// What the colours of a map of points show.
enum class PointsColour {
    predicted_class,   ///< of each point
    true_class,        ///< of each point, where it is known
    entropy,           ///< predictive entropy, nats, averaged over small cells
};

/// What the colours of the view embedding show.
enum class EmbeddingColour {
    target,        ///< class or target, where it is known
    uncertainty,   ///< epistemic part
};

/// Maps over two inputs, and bands over one.
struct MapOptions {
    MapQuantity quantity = MapQuantity::predictive_entropy;
    int class_index      = 1;     ///< for class probabilities
    int cells            = 100;   ///< along each side
    /// Displayed x and y; empty: maps use the data's range widened by 40 % on each side; bands: see shown_range
    std::optional<std::pair<Range, Range>> region;
    PointsColour points_colour = PointsColour::predicted_class;   ///< of the view points_map
    int functions              = 20;                              ///< posterior function draws in the regression band
    int prior_set              = 0;   ///< which samples from the prior the view prior_predictive shows: 0, 1, …
};

/// The uncertainty-aware top-k list of classes.
struct TopKOptions {
    double threshold = 0.05;
    int longest      = 0;   ///< maximum number of classes in such a list; 0: no limit
};

/// Which chain draws are highlighted.
struct ChainSelection {
    enum class Which {
        divergent,   ///< whose trajectory diverged
        steps,       ///< made after the steps from … to of their chain
        nothing,     ///< none
    };
    Which which = Which::divergent;
    long from = 0, to = 0;   ///< both ends included
    bool operator==(const ChainSelection&) const = default;
};

/// The user's choices besides the run. Each view uses those that concern it.
struct ViewOptions {
    InputChoice input{};
    DisturbanceChoice disturbance{};
    AttackChoice attack{};
    MapOptions map{};
    SliceChoice slice{};
    SimplexChoice simplex{};
    std::optional<LogitsBy> logits_by;   ///< empty: usual_logits_by
    TopKOptions top_k{};
    CurveChoice curves{};                   ///< for curves of several runs in one panel
    ChainSelection chain_selection{};       ///< for the chain views
    std::size_t target               = 0;   ///< of several numeric targets, from 0
    std::size_t weight               = 0;   ///< flat index for the view of one weight
    EmbeddingColour embedding_colour = EmbeddingColour::target;
    PruneRule prune{};   ///< weights set to zero before anything is drawn: every view follows, see WhenPruned
    int samples = 0;     ///< 0: the study's prediction.samples
    int rows    = 0;     ///< views of the whole test set: at most this many rows, evenly spaced; 0: all
};

/// The input that a view needs, and thus its cost; decides which other views are computed with it.
enum class Cost {
    quick,      ///< weights and history as they are
    draws,      ///< sampled outputs for one input, or over a plane
    all_rows,   ///< sampled outputs for the whole test set: seconds for images
    slow,       ///< fits curvatures or compares prediction methods
};

/// The subject of a view: a heading in the menu of views, and a chapter of a report, in this order.
enum class ViewGroup {
    predictions,      ///< for all inputs
    selected_input,   ///< for one input
    training,         ///< progress of the run
    scores,           ///< on the test set
    uncertainty,      ///< how certain the predictions are, and whether rightly so
    attacks,
    chains,
    weights,
    reference,   ///< distance from the reference posterior
};
std::string title_of(ViewGroup group);   ///< "Selected input"

/// What a view does while ViewOptions::prune removes weights.
enum class WhenPruned {
    follows,   ///< is computed from snapshots with pruned weights
    shows,     ///< gets the whole posterior and ViewOptions::prune: it shows what is removed and its
               ///< effect
    whole,     ///< ignores pruning: training history, chain diagnostics, whole curvatures, the
               ///< reference posterior
};

/// The data that a view needs from a run; decides whether it is available for imported predictions,
/// which have no weights.
enum class Asks {
    weights,   ///< weights, or outputs at arbitrary inputs
    outputs,   ///< only sampled outputs at rows of the data
    labels,    ///< these and the true classes
};

/// What a view shows of a run with several numeric targets.
enum class ManyTargets {
    one_at_a_time,   ///< ViewOptions::target: gets a run of this target only
    all,             ///< weights and training history, which they share
    refused,
};

/// One kind of picture of a run, with everything the program knows about it. Each has its own file
/// in views/ and one line in views/list.cmake. Window, command line, reports and help use this
/// list.
struct View {
    std::string id;      ///< "decision_map", "boxplots", … (command line: --view)
    std::string title;   ///< "Decision map"
    ViewGroup group = ViewGroup::predictions;
    std::string help;            ///< what it shows and how to read it; formula and source. `credence list --views`
                                 ///< prints its first sentence
    bool needs_input  = false;   ///< follows the selected input
    Asks asks         = Asks::weights;
    Cost cost         = Cost::draws;
    bool with_results = true;   ///< is among the tables and figures that `credence run` writes; false: on request
                                ///< only, since it costs as much as training or is as long as the data
    bool table_in_results    = false;   ///< its table is also in results.json, next to the scores
    bool coarse_while_live   = false;   ///< fewer cells and samples during training, to keep up
    WhenPruned when_pruned   = WhenPruned::follows;
    ManyTargets many_targets = ManyTargets::one_at_a_time;
    /// Why it is not available for a run at any snapshot: "A decision map needs two inputs and
    /// classes." Empty: it is available.
    std::function<std::optional<std::string>(const Experiment& experiment)> why_not = [](const Experiment&) {
        return std::optional<std::string>();
    };
    /// Makes the chart: pure; can take long, so call it on a worker. @return  empty if `stop` was
    /// requested
    /// @throws Error  the reason of why_not, or a reason that depends on the snapshot or the
    /// options
    std::function<std::optional<Chart>(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)>
        make = {};

    /// Draws several runs in one picture, on one scale; a run that does not fit becomes a message.
    /// Empty: the view draws one run only.
    std::function<std::optional<Chart>(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                       const std::stop_token& stop)>
        compare            = {};
    bool compares_any_data = false;   ///< the window also shows runs on different data

    bool applies(const Experiment& experiment) const { return !why_not(experiment); }
};

/// All views, in the order of the list.
const std::vector<View>& views();
const View& view(std::string_view id);   ///< @throws Error that lists the ids

}   // namespace credence
