// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/toy.h"

#include "study/field_makers.h"
#include "study/source.h"
#include "study/sources/shared_fields.h"

namespace credence {

using namespace field_makers;

namespace {

bool two_classes(const Study& s)
{
    const ToyKind kind = s.data.toy.kind;
    return kind == ToyKind::two_moons || kind == ToyKind::circles || kind == ToyKind::xor_squares;
}
bool many_classes(const Study& s) { return s.data.toy.kind == ToyKind::blobs || s.data.toy.kind == ToyKind::spirals; }
bool curve(const Study& s) { return s.data.toy.kind == ToyKind::blundell_curve; }

std::vector<Option<ToyKind>> kinds()
{
    return {
        {ToyKind::two_moons,
         {"two_moons", "Two moons",
          "Two interleaved half circles: the classic example of uncertainty away from the data."}},
        {ToyKind::circles,
         {"circles", "Circles", "One ring inside another: the boundary must close around the inner class."}},
        {ToyKind::spirals, {"spirals", "Spirals", "Interleaved arms: a difficult boundary that needs width or depth."}},
        {ToyKind::xor_squares, {"xor", "XOR", "Opposite quadrants share a class: not separable by a line."}},
        {ToyKind::blobs, {"blobs", "Blobs", "K round clouds: the simplest problem with more than two classes."}},
        {ToyKind::four_gaussians,
         {"four_gaussians", "Four Gaussians",
          "Four classes at (±2, ±2), adapted from Hobbhahn 2020, section 5.4, which gives no centres."}},
        {ToyKind::blundell_curve,
         {"blundell_curve", "Blundell's curve",
          "Regression with points on [0, 0.5] only (Blundell et al. 2015, section 5.2): the band widens beyond them."}},
        {ToyKind::cubic, {"cubic", "Cubic", "A smooth cubic with noise: the classic example of extrapolation."}},
        {ToyKind::sine_gap,
         {"sine_gap", "Sine with a gap", "A sine without its middle: see whether the band widens in the gap."}},
        {ToyKind::step, {"step", "Step", "A jump: see how a smooth network fits it."}},
        {ToyKind::heteroscedastic,
         {"heteroscedastic", "Growing noise",
          "Noise whose standard deviation depends on x: for a learned noise level."}},
    };
}

std::vector<Option<CurveNoise>> curve_noises()
{
    return {
        {CurveNoise::standard_deviation,
         {"standard_deviation", "Standard deviation",
          "The default: the curve stays visible (explained variance 0.87)."}},
        {CurveNoise::variance,
         {"variance", "Variance", "The other reading of the paper: the noise hides most of the curve."}},
    };
}

Field toy_noise()
{
    return plain(
        {.path  = "data.noise",
         .label = "Noise",
         .unit  = "data units",
         .help  = "Standard deviation of the noise added to the points (classes) or to y (curves). Moons: they barely "
                  "touch at 0.1 and overlap at 0.3. For Blundell's curve it is the number 0.02 of ε ~ N(0, 0.02) in "
                  "y = x + 0.3 sin 2π(x + ε) + 0.3 sin 4π(x + ε) + ε (Blundell et al. 2015, section 5.2).",
         .min   = 0,
         .max   = 100},
        [](auto& s) -> auto& { return s.data.toy.noise; });
}

Field curve_noise()
{
    return choice(
        {.path  = "data.curve_noise",
         .label = "Noise is a",
         .help = "How to read the 0.02 in ε ~ N(0, 0.02). Elsewhere the paper writes variances (Blundell et al. 2015, "
                 "(7)), but with variance 0.02 the noise dominates the curve, so the standard deviation is the "
                 "default.",
         .advanced = true,
         .applies  = curve},
        [](auto& s) -> auto& { return s.data.toy.curve_noise; }, curve_noises());
}

std::vector<Field> toy_fields()
{
    return {
        choice(
            {.path  = "data.kind",
             .label = "Problem",
             .help =
                 "Toy problem to generate. Classification problems are in the plane, so that the decision map shows "
                 "the whole input space; curves have one input. The same options and data seed always give the same "
                 "points."},
            [](auto& s) -> auto& { return s.data.toy.kind; }, kinds()),
        plain(
            {.path  = "data.n",
             .label = "Points n",
             .unit  = "points",
             .help =
                 "Number of examples, training and test together. More data narrow the posterior, since the KL term "
                 "has weight 1/N relative to the mean loss. Typical: 100 to 1,000.",
             .min = 2,
             .max = 1e6},
            [](auto& s) -> auto& { return s.data.toy.n; }),
        toy_noise(),
        curve_noise(),
        plain(
            {.path  = "data.class_ratio",
             .label = "Share of class 0",
             .help =
                 "Share of the points in the first class; 0.5 is balanced. Far from 0.5, the network can score well by "
                 "ignoring the rare class: check the confusion matrix.",
             .min      = 0,
             .max      = 1,
             .min_open = true,
             .max_open = true,
             .advanced = true,
             .applies  = two_classes},
            [](auto& s) -> auto& { return s.data.toy.class_ratio; }),
        plain(
            {.path  = "data.classes",
             .label = "Classes K",
             .help =
                 "Number of clouds or arms. The largest predictive entropy is ln K nats: 0.69 for two classes, 1.39 "
                 "for four.",
             .min     = 2,
             .max     = 20,
             .applies = many_classes},
            [](auto& s) -> auto& { return s.data.toy.classes; }),
        seed_field()};
}

}   // namespace

/// Small problems whose solution is visible.
Source toy_source()
{
    return {.id          = "toy",
            .title       = "Toy problem",
            .hint        = "Start here: small problems whose solution you can see.",
            .fields      = toy_fields(),
            .name        = [](const DataSpec& data) -> std::string { return title_of(data.toy.kind); },
            .task        = [](const DataSpec& data) -> std::optional<Task> { return task_of(data.toy.kind); },
            .load        = [](const DataSpec& data) { return make_toy(data.toy); },
            .shown_range = [](const DataSpec& data) { return shown_range(data.toy.kind); },
            .noise_free  = [](const DataSpec& data, double x) { return noise_free(data.toy.kind, x); }};
}

}   // namespace credence
