// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/field_makers.h"

// Settings of the group network.
namespace credence::field_makers {
namespace {

bool may_be_regression(const Study& s)
{
    if (s.data.source == DataSource::toy)
        return task_of(s.data.toy.kind) == Task::regression;
    if (s.data.source == DataSource::drawn)
        return s.data.drawn_task == Task::regression;
    return s.data.csv.task != Task::classification;
}
bool given_noise(const Study& s) { return may_be_regression(s) && s.network.noise == NoiseModel::given; }

const std::vector<Option<ActivationKind>> activations = {
    {ActivationKind::relu, {"relu", "ReLU", "max(0, t). Trains fast; borders and bands continue as straight lines away from the data."}},
    {ActivationKind::tanh, {"tanh", "tanh", "Smooth and bounded: curved borders, and functions that level off far away."}},
    {ActivationKind::sigmoid, {"sigmoid", "Sigmoid", "1/(1 + e⁻ᵗ). The historic choice; slow in deep nets."}},
    {ActivationKind::softplus, {"softplus", "Softplus", "ln(1 + eᵗ). A ReLU without the corner: smooth regression curves."}},
    {ActivationKind::elu, {"elu", "ELU", "t above 0, eᵗ − 1 below. Like ReLU, but never quite dead."}},
    {ActivationKind::identity, {"identity", "Identity", "No bend at all: the whole net is linear, a useful baseline."}},
};

const std::vector<Option<Initialisation>> initialisations = {
    {Initialisation::he, {"he", "He", "N(0, 2/fan-in): for ReLU and its relatives."}},
    {Initialisation::glorot, {"glorot", "Glorot", "U(±√(6/(fan-in + fan-out))): for tanh and sigmoid."}},
    {Initialisation::caffe, {"caffe", "Caffe's uniform", "U(±√(3/fan-in)): to repeat the papers of Posch and Steinbrener."}},
};

const std::vector<Option<NoiseModel>> noises = {
    {NoiseModel::given, {"given", "Given", "You know how precise the measurements are; the band shows what the net does not know."}},
    {NoiseModel::learned, {"learned", "Learned", "A second output gives the noise at each x: for noise that changes with x."}},
};

}  // namespace

void add_network_fields(std::vector<Field>& fields)
{
    const auto add = [&](Field field) { fields.push_back(std::move(field)); };

    add(plain({.path = "network.hidden", .label = "Hidden layers", .unit = "units",
               .help = "Units of each hidden layer from input to output, divided by commas: \"50, 50\" is two layers of 50. Empty is a linear model. Toy problems are "
                       "fine with one to four layers of 20 to 100; wider nets hold more uncertainty and take longer.",
               .min = 1, .max = 10000},
              [](auto& s) -> auto& { return s.network.hidden; }));
    add(choice({.path = "network.activation", .label = "Activation",
                .help = "The bend after each hidden layer. It decides what the functions look like where there are no data, and thereby the shape of the uncertainty."},
               [](auto& s) -> auto& { return s.network.activation; }, activations));
    add(plain({.path = "network.dropout", .label = "Dropout",
               .help = "Sets each hidden activation to zero with this probability and scales the rest by 1/(1 − rate), one mask per example. Here it is a layer of the "
                       "network, beside any posterior; for dropout as the posterior itself pick the family Bernoulli dropout.",
               .min = 0, .max = 1, .max_open = true, .advanced = true},
              [](auto& s) -> auto& { return s.network.dropout; }));
    add(choice({.path = "network.initialisation", .label = "Starting weights",
                .help = "The law of the weights (or of their means) before the first step. Biases start at 0.", .advanced = true},
               [](auto& s) -> auto& { return s.network.initialisation; }, initialisations));
    add(choice({.path = "network.noise", .label = "Noise model",
                .help = "Regression: y = f(x) + noise, nll = (y − f)²/(2s²) + ln s + ½ ln 2π. Either s is given, or the net learns s(x) = softplus(second output).",
                .applies = may_be_regression},
               [](auto& s) -> auto& { return s.network.noise; }, noises));
    add(plain({.path = "network.noise_sd", .label = "Noise s", .unit = "target units",
               .help = "Standard deviation of the measurement noise, in the units of y. It sets how closely the curve must follow the points: too small and the posterior "
                       "is overconfident, too large and it ignores the data.",
               .min = 0, .max = 1e6, .min_open = true, .applies = given_noise},
              [](auto& s) -> auto& { return s.network.noise_sd; }));
}

}  // namespace credence::field_makers
