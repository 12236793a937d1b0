// SPDX-License-Identifier: GPL-3.0-or-later
#include "checks.h"

#include <filesystem>
#include <fstream>
#include <iostream>

// reference_check FILE…: runs the cases of files with reference values through the core.
// The kind of a case follows from its fields, not from its file name. Exit 0: none failed, 1: some
// failed, 2: bad input.

using namespace credence::reference;

namespace {

struct Section {
    const char* key;
    Check check;
};
constexpr Section sections[] = {
    {"big", check_tridiagonal_big},
    {"clamps", check_clamps},
    {"mixture_grid", check_mixture_grid},
    {"minibatch_weights", check_minibatch_weights},
    {"minibatch_weights_long", check_minibatch_weights_long},
    {"pruning", check_pruning},
    {"gaussian_nll", check_gaussian_nll},
    {"quantile_type7", check_quantile_type7},
    {"auroc_ties", check_auroc_ties},
    {"ece_small", check_ece_small},
    {"regression_curve", check_regression_curve},
    {"learning_rate", check_learning_rate},
    {"momentum_sgd", check_momentum_sgd},
    {"adam", check_adam},
    {"bandit", check_bandit},
    {"mushroom", check_mushroom},
    {"conv", check_conv},
    {"maxpool", check_maxpool},
    {"avepool", check_avepool},
    {"lrn_within_channel", check_lrn},
    {"fully_connected", check_fully_connected},
    {"softmax_cross_entropy", check_softmax_cross_entropy},
    {"network", check_small_network},
    {"hash_check", check_hash},
    {"dirichlet_to_gauss", check_dirichlet_to_gauss},
    {"gauss_to_dirichlet", check_gauss_to_dirichlet},
    {"kl", check_dirichlet_kl},
    {"beta_quantiles", check_beta_quantiles},
    {"beta_cdf", check_beta_cdf},
    {"topk", check_topk},
    {"threshold", check_proposition1},
    {"sgld", check_sgld},
    {"psgld", check_psgld},
    {"sghmc", check_sghmc},
    {"sgfuncrld", check_sgfuncrld},
    {"mean_field_U", check_mean_field_U},
    {"double_well", check_double_well},
};

bool has(const Json& values, std::initializer_list<const char*> keys)
{
    return values.is_object()
           && std::all_of(keys.begin(), keys.end(), [&](const char* key) { return values.contains(key); });
}

/// The check for an entry of the list `cases`; none if its kind is not implemented.
Check check_of_case(const Json& values)
{
    if (has(values, {"delta", "gamma", "m", "x", "expected"}))
        return check_tridiagonal;
    if (has(values, {"delta", "m", "eps", "expected"}))
        return check_layerwise_tau;
    if (has(values, {"mu", "rho", "eps", "prior", "expected"}))
        return check_mean_field;
    if (has(values, {"probabilities", "labels", "expected"}))
        return check_metrics;
    if (has(values, {"layers", "parameters", "input_shape", "expected"}))
        return check_whole_network;
    if (has(values, {"mu", "sigma", "expected"}))
        return check_logistic_normal;
    if (has(values, {"theta", "sizes", "activation", "X", "X_test", "expected"}))
        return check_laplace_mlp;
    if (has(values, {"alpha", "expected"}))
        return check_dirichlet;
    return nullptr;
}

Check check_of(const std::string& key, const Json& values)
{
    if (key == "cases")
        return check_of_case(values);
    for (const Section& section : sections)
        if (key == section.key)
            return section.check;
    return nullptr;
}

std::string name_of(const std::string& key, const Json& values, std::size_t index, bool in_list)
{
    if (values.is_object() && values.contains("name") && values.at("name").is_string())
        return key == "cases" || values.at("name") == key ? values.at("name").get<std::string>()
                                                          : key + " " + values.at("name").get<std::string>();
    return in_list ? key + " " + std::to_string(index) : key;
}

void run(const std::string& key, const Json& values, const std::string& name, Report& report)
{
    const Check check = check_of(key, values);
    if (check == nullptr)
        return report.skip(name, "this kind is not implemented");
    try {
        check(values, name, report);
    } catch (const std::exception& error) {
        report.fail(name, std::string("could not be run: ") + error.what());
    }
}

/// The momentum steps follow the inverse decay whose γ and power the file gives in its section learning_rate.
Json with_decay(Json steps, const Json& file)
{
    for (const char* key : {"gamma", "power"})
        if (!steps.contains(key) && file.contains("learning_rate") && file.at("learning_rate").contains(key))
            steps[key] = file.at("learning_rate").at(key);
    return steps;
}

void run_file(const std::filesystem::path& path, const Json& file, Report& report)
{
    report.begin_file(path.filename().string());
    for (const auto& [key, section] : file.items()) {
        const bool is_list_of_cases = section.is_array() && !section.empty() && section.front().is_object();
        if (is_list_of_cases)
            for (std::size_t i = 0; i < section.size(); ++i)
                run(key, section[i], name_of(key, section[i], i, true), report);
        else if (section.is_object())
            run(key, key == "momentum_sgd" ? with_decay(section, file) : section, name_of(key, section, 0, false),
                report);
    }
}

/// @throws std::runtime_error with a sentence
Json read(const std::filesystem::path& path)
{
    std::ifstream stream(path);
    if (!stream || std::filesystem::is_directory(path))
        throw std::runtime_error(path.string() + ": the file cannot be read.");
    Json file;
    try {
        file = Json::parse(stream);
    } catch (const Json::parse_error& error) {
        throw std::runtime_error(path.string() + ": found no valid JSON: " + error.what());
    }
    if (!file.is_object())
        throw std::runtime_error(path.string()
                                 + ": found JSON that is no object, expected one object with reference values.");
    return file;
}

}   // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::cerr << "reference_check: no file given, expected reference_check FILE...\n";
        return 2;
    }
    std::vector<std::pair<std::filesystem::path, Json>> files;
    try {
        for (int i = 1; i < argc; ++i)
            files.emplace_back(argv[i], read(argv[i]));
    } catch (const std::exception& error) {
        std::cerr << "reference_check: " << error.what() << '\n';
        return 2;
    }
    Report report;
    for (const auto& [path, file] : files)
        run_file(path, file, report);
    report.print_summary();
    return report.failed() > 0 ? 1 : 0;
}
