// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/csv_inputs.h"
#include "network/noise_model.h"
#include "study/field_makers.h"
#include "study/names.h"

// Settings of the group network.
namespace credence::field_makers {
namespace {

bool may_be_regression(const Study& s) { return stated_task(s.data) != Task::classification; }

template <NetworkKind... kinds>
bool is_one_of(const Study& s)
{
    return ((s.network.kind == kinds) || ...);
}
constexpr auto plain_net = is_one_of<NetworkKind::mlp>;

const std::vector<Option<NetworkKind>> kinds = {
    {NetworkKind::mlp, {"mlp", "Dense layers", "Every pixel is a separate input: the MLPs of Blundell et al. 2015."}},
    {NetworkKind::lenet_caffe,
     {"lenet_caffe", "LeNet (Caffe)",
      "conv 20, max 2, conv 50, max 2, dense h, ReLU, dense: the network of Posch and Steinbrener."}},
    {NetworkKind::lenet5,
     {"lenet5", "LeNet-5",
      "conv 6, 16 and 120 with ReLU, dense 84, dense: as in Functional Bayesian Neural Networks."}},
    {NetworkKind::signs_lenet,
     {"signs_lenet", "LeNet for traffic signs",
      "conv 6 and 16 with ReLU, each with max 2, dense 128, dense: as in Functional Bayesian Neural Networks for "
      "GTSRB."}},
    {NetworkKind::bridge_cnn,
     {"bridge_cnn", "CNN of the Laplace bridge",
      "conv 32, conv 64 with ReLU, dense 256, dense: from Hobbhahn's notebooks."}},
    {NetworkKind::cifar10_full,
     {"cifar10_full", "CIFAR10_full",
      "Three convolutions with response normalisation: Caffe's network for CIFAR-10, as in Posch and Pilz."}},
    {NetworkKind::resnet,
     {"resnet", "ResNet",
      "Residual blocks of 16, 32 and 64 filters with filter response normalisation: the CIFAR-10 networks of He et al. "
      "2016."}},
    {NetworkKind::layers, {"layers", "Custom layers", "Your own list of layers."}},
};

const std::vector<Option<ActivationKind>> activations = {
    {ActivationKind::relu,
     {"relu", "ReLU", "max(0, t). Trains fast; boundaries and bands continue as straight lines away from the data."}},
    {ActivationKind::tanh,
     {"tanh", "tanh", "Smooth and bounded: curved boundaries, and functions that level off far from the data."}},
    {ActivationKind::sigmoid, {"sigmoid", "Sigmoid", "1/(1 + e⁻ᵗ). The historic choice; slow in deep networks."}},
    {ActivationKind::softplus,
     {"softplus", "Softplus", "ln(1 + eᵗ). A smooth version of ReLU: smooth regression curves."}},
    {ActivationKind::elu,
     {"elu", "ELU", "t above 0, eᵗ − 1 below. Like ReLU, but units never become completely inactive."}},
    {ActivationKind::identity,
     {"identity", "Identity", "No nonlinearity: the whole network is linear, a useful baseline."}},
};

const std::vector<Option<Initialisation>> initialisations = {
    {Initialisation::he, {"he", "He", "N(0, 2/fan-in): for ReLU and its relatives."}},
    {Initialisation::glorot, {"glorot", "Glorot", "U(±√(6/(fan-in + fan-out))): for tanh and sigmoid."}},
    {Initialisation::caffe,
     {"caffe", "Caffe's uniform", "U(±√(3/fan-in)): to reproduce the papers of Posch and Steinbrener."}},
    {Initialisation::gaussian,
     {"gaussian", "Gaussian", "N(0, sd²) with an sd for each layer, as in Caffe's network for CIFAR-10."}},
};

std::vector<Option<std::string>> noises()
{
    std::vector<Option<std::string>> options;
    for (const NoiseModel& model : noise_models())
        options.push_back({model.id, {model.id, model.title, model.hint}});
    return options;
}

Field field_of(const NoiseModel& model, const NoiseSetting& setting)
{
    return own({.path               = setting.path,
                .label              = setting.label,
                .unit               = setting.unit,
                .help               = setting.help,
                .min                = setting.min,
                .max                = setting.max,
                .min_open           = !setting.min_allowed,
                .written_if_used    = setting.written_if_used,
                .written_if_changed = setting.written_if_changed,
                .applies = [id = model.id](const Study& s) { return may_be_regression(s) && s.network.noise == id; }},
               setting.usual);
}

void add_architecture(std::vector<Field>& fields)
{
    fields.push_back(choice(
        {.path  = "network.kind",
         .label = "Network",
         .help =
             "Architecture of the network. For images: the networks of the papers, with the names used there, or your "
             "own. Whatever the posterior, each layer with weights is Bayesian; the last layer has one output per "
             "class.",
         .applies = [](const Study& s) { return is_images(s.data.source) || s.network.kind != NetworkKind::mlp; }},
        [](auto& s) -> auto& { return s.network.kind; }, kinds));
    fields.push_back(plain(
        {.path  = "network.units",
         .label = "Hidden units h",
         .unit  = "units",
         .help =
             "Units of LeNet's hidden dense layer: 500 in Caffe, 100 and 250 in Posch and Pilz. With 28×28 images the "
             "network has 106,680 weights for 100 units, 228,330 for 250 and 431,080 for 500.",
         .min     = 1,
         .max     = 10000,
         .applies = is_one_of<NetworkKind::lenet_caffe>},
        [](auto& s) -> auto& { return s.network.units; }));
    fields.push_back(plain(
        {.path  = "network.blocks",
         .label = "Blocks per width",
         .unit  = "blocks",
         .help =
             "Residual blocks of two convolutions for each width: 1 is ResNet-8 (75,050 weights for CIFAR-10), 2 is "
             "ResNet-14 (172,042) and 3 is ResNet-20. Time grows in proportion.",
         .min             = 1,
         .max             = 18,
         .written_if_used = true,
         .applies         = is_one_of<NetworkKind::resnet>},
        [](auto& s) -> auto& { return s.network.blocks; }));
    fields.push_back(plain(
        {.path  = "network.layers",
         .label = "Layers",
         .help =
             "Separated by commas: " + layer_syntax()
             + ". “save, …, add” is a residual block: the image saved by save is added. The last dense layer, with one "
               "unit per class, is added automatically.",
         .applies = is_one_of<NetworkKind::layers>},
        [](auto& s) -> auto& { return s.network.layers; }));
    fields.push_back(plain(
        {.path  = "network.hidden",
         .label = "Hidden layers",
         .unit  = "units",
         .help =
             "Units of each hidden layer from input to output, separated by commas: \"50, 50\" is two layers of 50. "
             "Empty is a linear model. For toy problems, one to four layers of 20 to 100 units are enough; wider "
             "networks express more uncertainty and take longer.",
         .min     = 1,
         .max     = 10000,
         .applies = plain_net},
        [](auto& s) -> auto& { return s.network.hidden; }));
    fields.push_back(choice(
        {.path    = "network.activation",
         .label   = "Activation",
         .help    = "Nonlinearity after each hidden layer. It determines the shape of the functions, and thus of the "
                    "uncertainty, where there are no data.",
         .applies = plain_net},
        [](auto& s) -> auto& { return s.network.activation; }, activations));
}

void add_dropout(std::vector<Field>& fields)
{
    fields.push_back(plain(
        {.path  = "network.dropout",
         .label = "Dropout",
         .help =
             "Sets each hidden activation (LeNet: of the first dense layer) to zero with this probability and scales "
             "the rest by 1/(1 − rate), with one mask per example. At prediction, a point estimate uses no dropout; "
             "the other posteriors do (Steinbrener et al. 2020). This setting is a layer of the network, for any "
             "posterior; for dropout as the posterior itself, choose the family Bernoulli dropout.",
         .min      = 0,
         .max      = 1,
         .max_open = true,
         .advanced = true,
         .applies  = is_one_of<NetworkKind::mlp, NetworkKind::lenet_caffe>},
        [](auto& s) -> auto& { return s.network.dropout; }));
    fields.push_back(plain(
        {.path  = "network.input_dropout",
         .label = "Dropout of the inputs",
         .help =
             "Sets each input of the first layer to zero with this probability and scales the rest by 1/(1 − rate), as "
             "dropout does after the hidden layers, and at prediction in the same cases. Usual for dense networks on "
             "MNIST: 0.2 here and 0.5 in the hidden layers (the dropout networks in Table 1 of Blundell et al. 2015).",
         .min      = 0,
         .max      = 1,
         .max_open = true,
         .advanced = true,
         .applies  = plain_net},
        [](auto& s) -> auto& { return s.network.input_dropout; }));
}

void add_initialisation(std::vector<Field>& fields)
{
    fields.push_back(choice(
        {.path     = "network.initialisation",
         .label    = "Starting weights",
         .help     = "Distribution of the weights (or of their means) before the first step. Biases start at 0.",
         .advanced = true},
        [](auto& s) -> auto& { return s.network.initialisation; }, initialisations));
    fields.push_back(plain(
        {.path  = "network.initial_sd",
         .label = "Starting sd",
         .help = "Standard deviation of the initial weights, one number per layer with weights; a shorter list repeats "
                 "its last number. Caffe's network for CIFAR-10 (cifar10_full) uses 0.0001 in the first convolution "
                 "and 0.01 in all other layers; its small version uses 0.1 in the dense layers.",
         .min  = 0,
         .max  = 100,
         .min_open        = true,
         .advanced        = true,
         .written_if_used = true,
         .applies         = [](const Study& s) { return s.network.initialisation == Initialisation::gaussian; }},
        [](auto& s) -> auto& { return s.network.initial_sd; }));
}

void add_class_weights(std::vector<Field>& fields)
{
    const auto may_be_classes = [](const Study& s) { return stated_task(s.data) != Task::regression; };
    const auto kept           = [](const Study& s) { return s.network.own.contains("network.class_weights"); };
    fields.push_back(own(
        {.path  = "network.class_weights",
         .label = "Class weights",
         .help =
             "Classification: multiplies the log likelihood of each row by the weight of its class, so that rare "
             "classes count more. Balanced: N/(K n_k) for n_k of N training rows. The predicted probabilities are then "
             "those for the weighted classes, not for the class frequencies of the data. The weighted sum is not a log "
             "likelihood, so methods that sample from the posterior, and the Laplace approximation, cannot use it.",
         .choices            = {{"none", "None", "All rows count equally: the likelihood itself."},
                                {"balanced", "Balanced", "Each class has the same total weight."},
                                {"list", "List", "One weight per class, in the order of the classes."}},
         .advanced           = true,
         .written_if_changed = true,
         .applies            = may_be_classes},
        std::string("none")));
    fields.push_back(own(
        {.path  = "network.class_weight_list",
         .label = "Class weight list",
         .help = "One positive number per class, in the order of the classes, separated by commas. Choose weights that "
                 "average about 1 over the training rows, to keep the balance with the prior or the weight decay.",
         .min  = 0,
         .max  = 1e6,
         .min_open           = true,
         .advanced           = true,
         .written_if_changed = true,
         .applies =
             [may_be_classes, kept](const Study& s) {
        return may_be_classes(s) && kept(s)
               && s.network.own.at("network.class_weights") == FieldValue{std::string("list")};
         }},
        std::vector<double>{}));
}

void add_noise_model(std::vector<Field>& fields)
{
    fields.push_back(choice(
        {.path  = "network.noise",
         .label = "Noise model",
         .help =
             "Regression: y = f(x) + noise. Under Gaussian noise, nll = (y − f)²/(2s²) + ln s + ½ ln 2π, where s is "
             "given, or learned as one level, or as s(x) = softplus(second output). Student-t noise has heavier tails.",
         .applies = may_be_regression},
        [](auto& s) -> auto& { return s.network.noise; }, noises()));
    for (const NoiseModel& model : noise_models())
        for (const NoiseSetting& setting : model.settings)
            fields.push_back(field_of(model, setting));
    fields.push_back(own(
        {.path  = "network.noise_sd_list",
         .label = "Noise of each target",
         .help  = "Several targets: the standard deviation of the noise of each, in its own unit, separated by commas. "
                  "Empty: the noise s above for all, in standard deviations of each target.",
         .min   = 0,
         .max   = 1e12,
         .min_open           = true,
         .advanced           = true,
         .written_if_changed = true,
         .applies =
             [](const Study& s) {
        return may_be_regression(s) && s.data.source == DataSource::csv && s.network.noise == "given"
               && column_names_in(s.data.csv.target).size() > 1;
         }},
        std::vector<double>{}));
}

}   // namespace

void add_network_fields(std::vector<Field>& fields)
{
    add_architecture(fields);
    add_dropout(fields);
    add_initialisation(fields);
    add_class_weights(fields);
    add_noise_model(fields);
}

}   // namespace credence::field_makers
