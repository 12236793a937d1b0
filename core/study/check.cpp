// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "network/known_networks.h"
#include "network/layer_text.h"
#include "study/fields.h"
#include "study/method.h"
#include "study/study.h"

#include <algorithm>
#include <cmath>
#include <set>

// Rules between settings. What can be wrong with one setting alone stands in its Field.
namespace credence {
namespace {

void require_prior(const Study& study)
{
    const Method& method = method_of(study);
    if (!method.has_kl)
        return;
    if (study.prior.kind == PriorKind::scale_mixture) {
        if (study.training.complexity != Complexity::Kind::sampled)
            throw Error("training.complexity",
                        "training.complexity is closed, but the KL to a scale mixture prior has no closed form: expected sampled, or prior.kind gaussian.");
        if (!method.takes_any_prior)
            throw Error("prior.kind", "prior.kind is scale_mixture, which needs the family mean_field: expected gaussian, or posterior.family mean_field.");
        if (!(study.prior.mixture.sigma_narrow < study.prior.mixture.sigma_wide))
            throw Error("prior.sigma_narrow", "prior.sigma_narrow is " + value_text(study.prior.mixture.sigma_narrow) + ", expected less than prior.sigma_wide, which is " +
                                                  value_text(study.prior.mixture.sigma_wide) + ".");
        return;
    }
    const auto require_numbers = [](const char* path, const std::vector<double>& list) {
        if (list.empty())
            throw Error(path, std::string(path) + " is empty, expected at least one number.");
    };
    require_numbers("prior.weight_mean", study.prior.weight_mean);
    require_numbers("prior.weight_sd", study.prior.weight_sd);
    require_numbers("prior.bias_mean", study.prior.bias_mean);
    require_numbers("prior.bias_sd", study.prior.bias_sd);
}

/// Layers with weights, the last one included; how large images are does not matter.
std::size_t weight_layers(const NetworkSpec& network)
{
    constexpr ImageShape image{1, 28, 28};
    switch (network.kind) {
    case NetworkKind::mlp: return network.hidden.size() + 1;
    case NetworkKind::lenet5: return weights_of_layers(lenet5(image, 2)).size();
    case NetworkKind::lenet_caffe: return weights_of_layers(lenet_caffe(image, 1, 2)).size();
    case NetworkKind::bridge_cnn: return weights_of_layers(bridge_cnn(image, 2)).size();
    case NetworkKind::cifar10_full: return weights_of_layers(cifar10_full(image, 2)).size();
    case NetworkKind::layers: break;
    }
    const std::vector<Layer> written = layers_from_text(network.layers);
    return 1 + static_cast<std::size_t>(std::count_if(written.begin(), written.end(), has_weights));
}

void require_network(const Study& study)
{
    const NetworkSpec& network = study.network;
    if (network.kind == NetworkKind::mlp && network.hidden.size() > 50)
        throw Error("network.hidden", "network.hidden has " + std::to_string(network.hidden.size()) + " layers, expected at most 50.");
    if (network.kind == NetworkKind::layers)
        layers_from_text(network.layers);
    else if (network.kind != NetworkKind::mlp && !is_images(study.data.source))
        throw Error("network.kind", "network.kind is " + value_text(field("network.kind").get(study)) + ", a net for images, but data.source is " +
                                        value_text(field("data.source").get(study)) + ": expected mlp or layers, or images.");
}

void require_images(const DataSpec& data)
{
    const ImageSpec& images = data.images;
    if (data.source == DataSource::images && images.set.empty())
        throw Error("data.set", "data.set is empty, expected the name of a data set, for example mnist, or a path.");
    const auto& classes = images.only_classes;
    if (classes.size() == 1)
        throw Error("data.only_classes", "data.only_classes names 1 class, expected at least 2, or none for all.");
    if (std::set<int>(classes.begin(), classes.end()).size() != classes.size())
        throw Error("data.only_classes", "data.only_classes names a class twice, expected different classes.");
    if (data.source == DataSource::strokes)
        for (const int k : classes)
            if (k > 9)
                throw Error("data.only_classes", "data.only_classes holds " + std::to_string(k) + ", expected classes 0 to 9 of the strokes.");
}

void require_block_lists(const Study& study)
{
    const std::size_t blocks = 2 * weight_layers(study.network);
    const auto require = [&](const std::string& path, const std::vector<double>& list) {
        if (list.empty() || list.size() > blocks)
            throw Error(path, path + " has " + std::to_string(list.size()) + " numbers, expected 1 to " + std::to_string(blocks) +
                                  ": one for the weights and one for the biases of each layer.");
    };
    for (const auto& path : method_of(study).block_lists)
        require(path, std::get<std::vector<double>>(field(path).get(study)));
}

void require_points(const Study& study)
{
    const auto& points = study.data.points;
    if (points.size() < 2)
        throw Error("data.points", "data.points holds " + std::to_string(points.size()) + " points, expected at least 2: draw some on the map.");
    constexpr double most = 1e9;   // squares and their sums stay far within a float
    for (const auto& point : points)
        for (const double coordinate : {point.x, point.y})
            if (!(std::fabs(coordinate) <= most))
                throw Error("data.points", "data.points holds the coordinate " + shortest_text(coordinate) + ", expected numbers from -1e9 to 1e9.");
    if (study.data.drawn_task == Task::regression)
        return;
    std::set<int> labels;
    for (const auto& point : points)
        labels.insert(point.label);
    if (labels.size() < 2)
        throw Error("data.points", "data.points holds points of one class only, expected at least two classes.");
}

}  // namespace

void check(const Study& study)
{
    for (const auto& f : study_fields()) {
        Study copy;   // a setter checks its own range
        f.set(copy, f.get(study));
    }
    if (study.data.source == DataSource::csv && study.data.file.empty())
        throw Error("data.file", "data.file is empty, expected the path of a table.");
    if (study.data.source == DataSource::csv && study.data.csv.decimal_comma && study.data.csv.separator == ',')
        throw Error("data.separator", "data.separator is comma, but data.decimal_comma is true: expected another separator.");
    if (study.data.source == DataSource::drawn)
        require_points(study);
    if (is_images(study.data.source))
        require_images(study.data);
    require_network(study);
    require_prior(study);
    require_block_lists(study);
}

}  // namespace credence
