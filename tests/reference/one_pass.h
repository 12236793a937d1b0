// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "json_compare.h"

#include "network/network.h"

// One forward and backward pass of a network, in either precision, through the interface that training uses.
namespace credence::reference {

template <class T>
struct Pass {
    std::vector<double> outputs, features;                 // [n × k], [n × fan-in of the last dense layer]
    std::vector<double> weight_gradient, input_gradient;   // of Σ output_gradient · outputs
};

/// @param output_gradient  called with the outputs, gives dL/d outputs [n × k]
template <class T, class OutputGradient>
Pass<T> pass_through(const Architecture& architecture, const std::vector<double>& weights,
                     const std::vector<double>& inputs, OutputGradient output_gradient)
{
    const Network<T> network(architecture);
    const int n = static_cast<int>(inputs.size()) / architecture.inputs;
    if (weights.size() != network.layout().size() || n < 1
        || inputs.size() != static_cast<std::size_t>(n) * architecture.inputs)
        throw std::runtime_error("found " + std::to_string(weights.size()) + " weights and "
                                 + std::to_string(inputs.size()) + " inputs, the layers want "
                                 + std::to_string(network.layout().size()) + " and a multiple of "
                                 + std::to_string(architecture.inputs));
    const auto w = as<T>(weights), x = as<T>(inputs);
    typename Network<T>::Workspace workspace(network, n);
    const auto outputs = network.forward(w, x.data(), n, workspace);
    const auto phi     = network.features(workspace);
    Pass<T> pass{{outputs.begin(), outputs.end()}, {phi.begin(), phi.end()}, {}, {}};
    const auto dz = as<T>(output_gradient(pass.outputs));
    std::vector<T> dw(w.size()), dx(x.size());
    network.backward(w, dz, workspace, dw, dx);
    pass.weight_gradient.assign(dw.begin(), dw.end());
    pass.input_gradient.assign(dx.begin(), dx.end());
    return pass;
}

/// The layers alone, with a gradient dy [n × size] that comes from above: a dense layer of n units
/// after them has dy as its weights, and unit i of example i gets the gradient 1.
template <class T>
Pass<T> pass_through_layers(Architecture layers, std::vector<double> weights, const std::vector<double>& inputs,
                            const std::vector<double>& dy)
{
    const auto n                = inputs.size() / static_cast<std::size_t>(layers.inputs);
    const std::size_t n_weights = weights.size();
    layers.layers.push_back(Dense{static_cast<int>(n)});
    weights.insert(weights.end(), dy.begin(), dy.end());
    weights.insert(weights.end(), n, 0.0);
    Pass<T> pass = pass_through<T>(layers, weights, inputs, [&](const std::vector<double>&) {
        std::vector<double> identity(n * n);
        for (std::size_t i = 0; i < n; ++i)
            identity[i * (n + 1)] = 1;
        return identity;
    });
    pass.weight_gradient.resize(n_weights);
    return pass;
}

inline std::vector<double> joined(std::vector<double> first, const std::vector<double>& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

}   // namespace credence::reference
