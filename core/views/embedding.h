// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/principal_components.h"
#include "views/views.h"

#include <memory>
#include <string>
#include <vector>

namespace credence {

/// Rows in the space of the last hidden layer.
struct EmbeddedRows {
    DataRow::Part part = DataRow::Part::scored;
    std::vector<std::uint32_t> rows{};   ///< of the part [n]
    std::vector<float> inputs{};         ///< standardised [n × n_features]
    std::vector<double> features{};      ///< outputs of the last hidden layer [n × units]
    std::vector<double> places{};        ///< along the first two principal components [n × 2]

    std::size_t n() const { return rows.size(); }
    DataRow row(std::size_t i) const { return {part, rows[i]}; }
};

/// The last hidden layer at fixed weights: training, test and OOD rows, evenly spaced.
struct Embedding {
    std::string weights;   ///< "the mean weights of the posterior"
    std::size_t units = 0;
    PrincipalComponents components;   ///< of the training rows
    EmbeddedRows training, test, ood;
    std::string ood_name;   ///< "points beyond the data"
    std::string no_ood;     ///< why there are none
};

/// Outputs of the last hidden layer [n × units], without dropout.
/// @param inputs  standardised [n × n_features]
/// @return        fewer rows if `stop` was requested
std::vector<double> hidden_features(const Experiment& experiment, std::span<const float> weights,
                                    std::span<const float> inputs, const std::stop_token& stop = {});

/// The weights at which the hidden layer is computed: the mean of the posterior; for a set of samples (chains,
/// ensembles), whose mean is not a network of its own, the first sample.
std::span<const float> embedding_weights(const Posterior& posterior);

/// At most 2,000 training rows, and 1,000 test and 1,000 OOD rows. The last few results are cached.
/// @return  null if `stop` was requested
std::shared_ptr<const Embedding> embedding(const RunSnapshot& run, const std::stop_token& stop);

}   // namespace credence
