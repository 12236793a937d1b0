// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/density.h"
#include "prediction/calibration.h"
#include "prediction/class_predictions.h"
#include "prediction/scores.h"
#include "prediction/set_predictions.h"
#include "views/page_images.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace credence {

/// Reliability diagrams of confidence with bins and by isotonic regression (CORP), calibration errors,
/// and the rejection curve by predictive entropy.
struct Calibration {
    std::vector<ReliabilityBin> bins;   ///< empty without inputs
    double ece = 0, adaptive_ece = 0, classwise_ece = 0;
    double accuracy = 0, mean_confidence = 0;
    std::vector<RejectionPoint> rejection;              ///< from none rejected to all but one
    CorpReliability corp{};                             ///< of "the predicted class is right"
    std::vector<std::vector<DataRow>> rows_of_bins{};   ///< for a click on a bin; empty: none
    long n = 0;
};
/// @param resamples  for the consistency band of CORP; 0: without one
Calibration calibration(const ClassPredictions& predictions, std::span<const int> labels, int resamples = 400);
Chart to_chart(const Calibration& calibration);

/// Correct/wrong × certain/uncertain by both criteria at several levels (Posch and Pilz 2021, Table
/// III).
struct CertaintyTable {
    struct Row {
        int criterion = 1;   ///< 1: (i) no overlap; 2: (ii) posterior probability
        double level  = 0.95;
        CertaintyCounts counts;
    };
    long n = 0, n_samples = 0;
    std::vector<Row> rows;
};

inline constexpr double published_levels[] = {0.95, 0.99, 0.99999};   ///< Posch and Pilz 2021, Table III

/// @param probabilities  of the labelled inputs [S × N × K]
CertaintyTable certainty_table(const SampleView<float>& probabilities, std::span<const int> labels,
                               std::span<const double> levels = published_levels);
/// Computes the table for predictions without stored samples, at the levels they were computed for,
/// in rising order.
CertaintyTable certainty_table(const SetPredictions& predictions, std::span<const int> labels);
Chart to_chart(const CertaintyTable& table);

/// Counts of true against predicted class.
struct Confusion {
    std::vector<std::string> class_names;   ///< [K]
    std::vector<long> counts;               ///< [K × K], rows are true classes
    long n = 0;

    long at(std::size_t truth, std::size_t predicted) const { return counts[truth * class_names.size() + predicted]; }
};
Confusion confusion(const ClassPredictions& predictions, std::span<const int> labels,
                    const std::vector<std::string>& class_names);
Chart to_chart(const Confusion& confusion);

/// Predictions of an image under increasing disturbance.
struct DisturbanceCurve {
    std::string input;                      ///< "test image 3"
    std::string quantity, unit;             ///< "Rotation", "°"
    std::vector<double> at;                 ///< strengths, rising [n]
    ClassPredictions predictions;           ///< of the image at each strength [n]
    std::vector<std::string> class_names;   ///< [K]
    std::optional<int> true_class;
    std::optional<double> now;       ///< strength of the displayed image
    std::vector<Picture> pictures;   ///< some of the images, with their strengths as captions
};

/// Three panels: pictures, p̄ of each class that reaches 5 % somewhere, predictive entropy with its
/// aleatoric and epistemic parts.
Chart to_chart(const DisturbanceCurve& curve);

/// List lengths of the uncertainty-aware top-k over a whole set (Hobbhahn 2020, Fig. 5.6).
struct ListLengths {
    std::vector<long> counts;   ///< lists of each length, 0 … longest; index 0 is unused
    double threshold = 0.05;
    int n_classes    = 0;
    std::optional<double> top_1, top_k;   ///< shares; empty without labels
    std::string rows;                     ///< "rows of the test set"
    int longest = 0;                      ///< maximum number of classes in a list; 0: no limit

    long total() const;
    double mean() const;
};

Chart to_chart(const ListLengths& figure);

/// A network's uncertainty about in-distribution inputs compared with out-of-distribution (OOD)
/// inputs (Hobbhahn 2020, Table 5.1; the functional-BNN submission, Fig. 2).
struct OodFigure {
    OutOfDistribution numbers;
    std::string in_name, out_name;                    ///< "MNIST, test set", "Fashion-MNIST"
    Histogram in_entropy, out_entropy;                ///< the same bins over [0, ln K]
    std::vector<double> at, in_cdf, out_cdf;          ///< share of inputs with H(p̄) <= at
    ImagePage::Row surest_ood, least_confident_own;   ///< images; can be empty
    std::vector<std::string> class_names;
};

/// Computes numbers and curves; the caller fills the rows of images.
OodFigure ood_figure(const ClassPredictions& in, const ClassPredictions& out, std::string in_name,
                     std::string out_name);
Chart to_chart(const OodFigure& figure);

/// Returns the mean of the numbers and of the distribution functions of runs that were evaluated on
/// the same inputs; no images. At least one.
OodFigure mean_of_uncertainties(std::span<const OodFigure> figures);

/// The uncertainty of several networks about the same OOD inputs: their distribution functions in
/// one panel, together with those of the in-distribution inputs (the functional-BNN submission,
/// Fig. 2). @param names  of the networks
Chart overlay_of_uncertainties(std::span<const OodFigure> figures, std::span<const std::string> names);

/// One-against-all ROC curves and their mean (Steinbrener et al. 2020, Fig. 3).
struct RocFigure {
    OneAgainstAll roc;
    std::vector<std::string> class_names;   ///< [K]
    long n = 0;
};
RocFigure roc_figure(const ClassPredictions& predictions, std::span<const int> labels,
                     const std::vector<std::string>& class_names);

/// Draws the curves. A second panel enlarges the corner if the mean curve is close to it. With more
/// than 100 classes, only the ten curves with the smallest areas and the mean of all are drawn.
/// Areas are those of the full curves; drawn curves have at most 800 points (200 with more than 16
/// classes), and the caption gives the tolerance.
Chart to_chart(const RocFigure& figure);

/// The mean ROC curves of runs that share a line: one run, or runs that differ only in their seed.
struct RocOfRuns {
    std::string name{};
    std::vector<RocCurve> means{};   ///< mean over the classes of each run (OneAgainstAll::mean)
};

/// Draws the mean ROC curve of each entry, over its classes and runs, in one panel, with the area
/// in the legend: the mean over the runs, ± standard deviation (divisor n − 1) for two or more. If
/// curves are close to the corner, a second panel enlarges it. The table has one row per entry.
/// Entries without a run are omitted; if none remain, the chart is a message.
/// Source: Steinbrener et al. 2020, Fig. 3.
Chart overlay_of_rocs(std::span<const RocOfRuns> entries);

}   // namespace credence
