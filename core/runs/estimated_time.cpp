// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/estimated_time.h"

#include "network/architecture.h"
#include "runs/experiment.h"
#include "study/method.h"
#include "study/names.h"

#include <exception>

namespace credence {

namespace {

/// Multiplications of one example in a forward pass: each weight counts once per output position.
double multiplications_of(const Architecture& network)
{
    const auto shapes = shapes_of(network);
    const auto blocks = layout_of(network);
    double sum        = 0;
    int layer         = 0;
    for (std::size_t l = 0; l < network.layers.size(); ++l)
        if (has_weights(network.layers[l]))
            sum += static_cast<double>(blocks.layer(layer++).weights.size) * shapes[l].height * shapes[l].width;
    return sum;
}

/// The network for data of the assumed shape.
Architecture assumed_network(const Study& study)
{
    constexpr int table_inputs = 10, classes = 10;
    const DataSpec& data = study.data;
    if (is_images(data.source)) {
        const bool colour = data.source == DataSource::images && data.images.set != "mnist";
        const int side    = colour || data.source == DataSource::traffic_signs ? 32 : 28;
        const ImageShape shape{colour && !data.images.grey ? 3 : 1, side, side};
        return network_for(study.network, shape.size(), shape, classes);
    }
    const bool curve = stated_task(data) == Task::regression && data.source != DataSource::csv;
    return network_for(study.network,
                       data.source == DataSource::csv ? table_inputs
                       : curve                        ? 1
                                                      : 2,
                       {}, curve ? 1 : classes);
}

/// @param products  multiplications of one example in a forward pass
/// @param rows      training rows
double seconds_of(const Study& study, double products, double rows)
{
    constexpr double overhead = 1e-4, rate = 2e10;   // seconds per step; multiplications per second
    constexpr double passes = 3, steps_of_trajectory = 32;
    const bool all_rows   = method_of(study).training.sees_all_rows;
    const double examples = all_rows ? rows : 1.0 * study.training.batch_size * study.training.samples_per_step;
    const double steps    = static_cast<double>(steps_of(study)) * (all_rows ? steps_of_trajectory : 1);
    const double seconds  = steps * (overhead + passes * examples * products / rate);
    const double most     = study.training.max_seconds;
    return most > 0 && most < seconds ? most : seconds;
}

}   // namespace

double estimated_seconds(const Study& study)
{
    double products = 0;
    try {
        products = multiplications_of(assumed_network(study));
    } catch (const std::exception&) {   // data of another shape: the steps still count
    }
    return seconds_of(study, products, study.data.toy.n);
}

double estimated_seconds(const Experiment& experiment)
{
    return seconds_of(experiment.study, multiplications_of(experiment.model.architecture),
                      static_cast<double>(experiment.data->training.n_rows));
}

RunTime run_time_of(double seconds)
{
    constexpr double minute = 60, hour = 3600;
    return seconds < 1.5 * minute ? RunTime::seconds : seconds < 1.5 * hour ? RunTime::minutes : RunTime::hours;
}

}   // namespace credence
