// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/hessian_diagonal.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/products.h"
#include "laplace/output_curvature.h"
#include "network/network.h"
#include "network/stages.h"

#include <Eigen/Core>

#include <algorithm>

namespace credence {
namespace {

using RowMatrix    = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using WeightMatrix = Eigen::Map<const RowMatrix>;
using TangentRows  = Eigen::Map<RowMatrix, 0, Eigen::OuterStride<>>;

/// Second derivative of a layer's outputs with respect to one of its inputs.
enum class Bend { none, known, unknown };

Bend bend_of(const Layer& layer)
{
    if (const auto* activation = std::get_if<Activation>(&layer))
        return activation->kind == ActivationKind::relu || activation->kind == ActivationKind::identity ? Bend::none
                                                                                                        : Bend::known;
    return std::visit(
        []<class Kind>(const Kind&) {
        constexpr bool straight =
            std::is_same_v<
                Kind,
                Conv2d> || std::is_same_v<Kind, Pool> || std::is_same_v<Kind, Dense> || std::is_same_v<Kind, Dropout> || std::is_same_v<Kind, Flatten> || std::is_same_v<Kind, Grey>;
        return straight ? Bend::none : Bend::unknown;
        },
        layer);
}

/// The layers from the first one with weights on.
std::span<const Layer> layers_behind_weights(const Architecture& architecture)
{
    const auto& layers = architecture.layers;
    const auto first   = std::find_if(layers.begin(), layers.end(), [](const Layer& l) { return has_weights(l); });
    return std::span(layers).subspan(static_cast<std::size_t>(first - layers.begin()));
}

/// One layer: a stage, a dense layer, an activation, or the identity.
struct Link {
    std::unique_ptr<Stage<double>> stage = nullptr;
    bool is_dense                        = false;
    std::optional<ActivationKind> activation;
    ImageShape in, out;
    std::size_t weights = 0, biases = 0, end = 0;   // for a layer with weights; otherwise end is 0

    bool passes() const { return !stage && !is_dense && !activation; }
};

std::vector<Link> links_of(const Architecture& architecture)
{
    const std::vector<ImageShape> shapes = shapes_of(architecture);
    const ParameterLayout layout         = layout_of(architecture);
    ImageShape in                        = architecture.image.value_or(ImageShape{architecture.inputs, 1, 1});
    std::vector<Link> links;
    int weight_layer = 0;
    for (std::size_t l = 0; l < architecture.layers.size(); ++l) {
        const Layer& layer = architecture.layers[l];
        Link link;
        link.in  = in;
        link.out = shapes[l];
        if (has_weights(layer)) {
            const auto [weights, biases] = layout.layer(weight_layer);
            link.weights                 = weights.begin;
            link.biases                  = biases.begin;
            link.end                     = biases.end();
        }
        if (std::holds_alternative<Dense>(layer)) {
            link.is_dense = true;
        } else if (const auto* activation = std::get_if<Activation>(&layer)) {
            link.activation = activation->kind;
        } else {
            std::vector<std::unique_ptr<Stage<double>>> made;
            append_stage<double>(made, layer, place_of(in, shapes[l], l, layout, weight_layer));
            if (!made.empty() && !made.front()->only_with_dropout())
                link.stage = std::move(made.front());
        }
        weight_layer += has_weights(layer);
        in = shapes[l];
        links.push_back(std::move(link));
    }
    return links;
}

constexpr std::size_t images_at_once = 16, weights_at_once = 16;

/// Evaluates one example at a time; each task has its own object.
class ExampleCourse {
public:
    ExampleCourse(const std::vector<Link>& links, std::span<const double> weights)
        : links_(links), weights_(weights), still_(weights.size()), along_(weights_at_once * weights.size())
    {
        ScratchSize most;
        for (const Link& link : links) {
            widest_ = std::max({widest_, link.in.size(), link.out.size()});
            outputs_.emplace_back(static_cast<std::size_t>(link.passes() ? 0 : link.out.size()));
            memory_.push_back(link.stage ? link.stage->memory(1) : nullptr);
            if (link.stage) {
                const ScratchSize size = link.stage->scratch(1);
                most                   = {std::max(most.columns, size.columns), std::max(most.inner, size.inner)};
            }
        }
        scratch_.columns.resize(most.columns);
        scratch_.inner.resize(most.inner);
        for (auto& tangents : tangents_)
            tangents.resize(2 * weights_at_once * static_cast<std::size_t>(widest_));
        slope_.resize(static_cast<std::size_t>(widest_));
        bend_.resize(slope_.size());
        entered_.resize(links.size() + 1);
    }

    /// Returns the outputs [k].
    std::span<const double> forward(const double* inputs)
    {
        entered_[0] = inputs;
        for (std::size_t l = 0; l < links_.size(); ++l) {
            const Link& link = links_[l];
            const double* x  = entered_[l];
            double* y        = outputs_[l].data();
            const int in = link.in.size(), out = link.out.size();
            if (link.stage) {
                link.stage->forward(pass_of(l), image_by_image(x, link.in), image_by_image(y, link.out));
            } else if (link.is_dense) {
                Eigen::Map<Eigen::VectorXd>(y, out) = WeightMatrix(weights_.data() + link.weights, out, in)
                                                          * Eigen::Map<const Eigen::VectorXd>(x, in)
                                                      + Eigen::Map<const Eigen::VectorXd>(weights_.data() + link.biases,
                                                                                          out);
            } else if (link.activation) {
                std::copy_n(x, out, y);
                activate(*link.activation, y, static_cast<std::size_t>(out));
            }
            entered_[l + 1] = link.passes() ? x : y;
        }
        return {entered_.back(), static_cast<std::size_t>(links_.back().out.size())};
    }

    /// Returns ż and z̈ at the outputs along weights first to first + count − 1, all from layer l:
    /// count rows of ż, then of z̈. Requires `forward`.
    TangentRows along(std::size_t l, std::size_t first, std::size_t count)
    {
        const auto n = static_cast<int>(count);
        begin(l, first, n);
        for (std::size_t s = l + 1; s < links_.size(); ++s) {
            const Link& link = links_[s];
            if (link.stage) {
                std::vector<Direction<double>> directions;
                for (int d = 0; d < 2 * n; ++d)
                    directions.push_back(
                        {still_.data(), image_by_image(row(0, d), link.in), image_by_image(row(1, d), link.out)});
                link.stage->tangents(pass_of(s), image_by_image(entered_[s], link.in),
                                     image_by_image(entered_[s + 1], link.out), directions, true);
                tangents_[0].swap(tangents_[1]);
            } else if (link.is_dense) {
                rows(1, 2 * n, link.out.size()).noalias() =
                    rows(0, 2 * n, link.in.size())
                    * WeightMatrix(weights_.data() + link.weights, link.out.size(), link.in.size()).transpose();
                tangents_[0].swap(tangents_[1]);
            } else if (link.activation) {
                through_activation(*link.activation, entered_[s + 1], link.out.size(), n);
            }
        }
        return rows(0, 2 * n, links_.back().out.size());
    }

private:
    double* row(int side, int d) { return tangents_[side].data() + std::ptrdiff_t{d} * widest_; }
    TangentRows rows(int side, int count, int width)
    {
        return {tangents_[side].data(), count, width, Eigen::OuterStride<>(widest_)};
    }
    StagePass<double> pass_of(std::size_t l)
    {
        return {.weights = weights_.data(), .first = 0, .n = 1, .memory = memory_[l].get(), .scratch = &scratch_};
    }

    /// Sets ż to ∂(layer output)/∂w for each weight. z̈ is 0 because the layer is linear in its
    /// weights.
    void begin(std::size_t l, std::size_t first, int n)
    {
        const Link& link = links_[l];
        const int in = link.in.size(), out = link.out.size();
        rows(0, 2 * n, out).setZero();
        if (link.is_dense) {
            for (int d = 0; d < n; ++d) {
                const std::size_t p = first + static_cast<std::size_t>(d);
                if (p >= link.biases)
                    row(0, d)[p - link.biases] = 1;
                else
                    row(0, d)[(p - link.weights) / static_cast<std::size_t>(in)] =
                        entered_[l][(p - link.weights) % static_cast<std::size_t>(in)];
            }
            return;
        }
        std::vector<Direction<double>> directions;
        for (int d = 0; d < n; ++d) {
            double* direction = along_.data() + static_cast<std::size_t>(d) * weights_.size();
            direction[first + static_cast<std::size_t>(d)] = 1;
            directions.push_back({direction, image_by_image(row(1, d), link.in), image_by_image(row(0, d), link.out)});
        }
        link.stage->tangents(pass_of(l), image_by_image(entered_[l], link.in),
                             image_by_image(entered_[l + 1], link.out), directions, false);
        for (int d = 0; d < n; ++d)
            along_[static_cast<std::size_t>(d) * weights_.size() + first + static_cast<std::size_t>(d)] = 0;
    }

    /// @param y  output of the activation
    void through_activation(ActivationKind kind, const double* y, int width, int n)
    {
        const auto size = static_cast<std::size_t>(width);
        std::fill_n(slope_.begin(), size, 1.0);
        multiply_by_derivative(kind, y, slope_.data(), size);
        std::transform(y, y + size, bend_.begin(), [&](double value) { return second_derivative(kind, value); });
        for (int d = 0; d < n; ++d) {
            double *once = row(0, d), *twice = row(0, n + d);
            for (std::size_t i = 0; i < size; ++i) {
                twice[i] = slope_[i] * twice[i] + bend_[i] * once[i] * once[i];
                once[i] *= slope_[i];
            }
        }
    }

    const std::vector<Link>& links_;
    std::span<const double> weights_;
    // Zero direction; directions of the current weights [weights_at_once × weights].
    std::vector<double> still_, along_;
    int widest_ = 1;
    std::vector<aligned_vector<double>> outputs_;
    std::vector<const double*> entered_;   // inputs of each link, then the outputs
    std::vector<std::unique_ptr<StageMemory>> memory_;
    StageScratch<double> scratch_;
    aligned_vector<double> tangents_[2], slope_, bend_;
};

}   // namespace

bool piecewise_linear_in_each_weight(const Architecture& architecture)
{
    const auto behind = layers_behind_weights(architecture);
    return std::all_of(behind.begin(), behind.end(), [](const Layer& layer) { return bend_of(layer) == Bend::none; });
}

std::optional<std::string> refusal_of_hessian_diagonal(const Architecture& architecture)
{
    for (const Layer& layer : layers_behind_weights(architecture))
        if (bend_of(layer) == Bend::unknown)
            return "The exact Hessian does not know the layer '" + text_of(layer)
                   + "' behind layers with weights: choose the GGN.";
    return std::nullopt;
}

std::optional<HessianDiagonal> hessian_diagonal(const Model& model, std::span<const double> weights,
                                                std::span<const double> inputs, const Targets& targets, int n,
                                                std::size_t first_weight, const std::stop_token& stop,
                                                const std::function<void(double)>& advanced)
{
    if (const auto refusal = refusal_of_hessian_diagonal(model.architecture))
        throw Error(*refusal);
    fix_product_blocking();
    const std::vector<Link> links = links_of(model.architecture);
    const auto d                  = static_cast<std::size_t>(model.architecture.inputs);
    const int k                   = model.architecture.outputs();
    const std::size_t covered     = weights.size() - first_weight;

    const auto add_example = [&](ExampleCourse& course, std::size_t i, std::span<double> sums) {
        const auto z = course.forward(inputs.data() + i * d);
        Targets own;
        if (!targets.labels.empty())
            own.labels = targets.labels.subspan(i, 1);
        if (!targets.values.empty())
            own.values = targets.values.subspan(i, 1);
        Eigen::VectorXd gradient(k);
        RowMatrix curvature(k, k);
        const double nll = negative_log_likelihood<double>(model.likelihood, z, 1, k, own,
                                                           {gradient.data(), static_cast<std::size_t>(k)}, 1.0);
        output_hessian(model.likelihood, z, own.values.empty() ? 0.0 : static_cast<double>(own.values[0]),
                       {curvature.data(), static_cast<std::size_t>(k) * static_cast<std::size_t>(k)});
        for (std::size_t l = 0; l < links.size(); ++l)
            for (std::size_t p = std::max(links[l].weights, first_weight); p < links[l].end;) {
                if (stop.stop_requested())
                    return nll;
                const std::size_t count = std::min(weights_at_once, links[l].end - p);
                const TangentRows moved = course.along(l, p, count);
                for (std::size_t c = 0; c < count; ++c) {
                    const auto once            = moved.row(static_cast<Eigen::Index>(c)),
                               twice           = moved.row(static_cast<Eigen::Index>(count + c));
                    sums[p + c - first_weight] = (once * curvature).dot(once) + twice.dot(gradient.transpose());
                }
                p += count;
            }
        return nll;
    };

    std::vector<std::unique_ptr<ExampleCourse>> courses;
    for (std::size_t i = 0; i < std::min<std::size_t>(images_at_once, static_cast<std::size_t>(n)); ++i)
        courses.push_back(std::make_unique<ExampleCourse>(links, weights));
    HessianDiagonal out{.values = std::vector<double>(covered)};
    std::vector<double> sums(courses.size() * covered), nll(courses.size());
    for (std::size_t first = 0; first < static_cast<std::size_t>(n); first += courses.size()) {
        const std::size_t here = std::min(courses.size(), static_cast<std::size_t>(n) - first);
        parallel_for(here, [&](std::size_t i) {
            nll[i] = add_example(*courses[i], first + i, std::span(sums).subspan(i * covered, covered));
        });
        if (stop.stop_requested())
            return std::nullopt;
        for (std::size_t i = 0; i < here; ++i) {   // summed in the order of the examples
            out.nll += nll[i];
            for (std::size_t p = 0; p < covered; ++p)
                out.values[p] += sums[i * covered + p];
        }
        advanced(static_cast<double>(first + here) / n);
    }
    return out;
}

}   // namespace credence
