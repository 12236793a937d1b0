// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"

#include <memory>
#include <string>
#include <vector>

namespace credence {

/// Out-of-distribution inputs as the network sees them.
struct OtherData {
    std::string name;            ///< "Fashion-MNIST", "classes left out of MNIST", "points beyond the data"
    std::string note;            ///< how they were changed: "resized from 3 × 32 × 32"; may be empty
    std::vector<float> inputs;   ///< standardised [n × n_features]
    std::size_t n = 0;
    std::vector<int> labels;   ///< images: their own classes [n], not classes of the network
    std::vector<std::string> class_names;
};

/// Returns the out-of-distribution inputs of an experiment.
/// Images: the test part of the set in prediction.other_data, resized to the study's images. If
/// that setting is empty, the classes left out, otherwise an installed default (stroke letters for
/// digits and vice versa, a related set in the catalogue, finally stroke letters).
/// Tables with classes: points uniform over a box three times as wide as the training data along
/// each input, outside the data's own box.
/// Imported predictions: all rows of the second file. In all other cases at most 10,000 inputs,
/// evenly spaced over the set. Cached while the experiment exists.
/// @throws Error (field "prediction.other_data") for an unavailable set
std::shared_ptr<const OtherData> other_data(const std::shared_ptr<const Experiment>& experiment);

/// An input that is not a row of the study's data, and its name, as used for a selected input in
/// ViewOptions.
struct NamedInput {
    std::vector<double> input;   ///< original units [n_features]; for imported predictions the row number
    std::string name;            ///< "image 3 of notMNIST (class A)"
};
/// Returns row `row` of the out-of-distribution data, with pixels as whole numbers. Its class, if
/// any, is not a class of the network and only part of the name.
/// @throws Error "Row 10000 was requested, but notMNIST has rows 0 to 9999."
NamedInput other_input(const Experiment& experiment, const OtherData& other, std::size_t row);

/// Images: returns ids of installed sets related to the study's data, excluding these data and the
/// set used by other_data. Tables: none.
std::vector<std::string> further_data(const Experiment& experiment);
/// Loads one of these sets, or any other image set, as other_data does; the result is not cached.
/// @throws Error for an unavailable set
OtherData load_further_data(const Experiment& experiment, const std::string& set);

}   // namespace credence
