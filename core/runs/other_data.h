// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"

#include <memory>
#include <string>
#include <vector>

namespace credence {

/// Inputs that a net has not learned from, as it sees them.
struct OtherData {
    std::string name;            ///< "Fashion-MNIST", "classes left out of MNIST", "points beyond the data"
    std::string note;            ///< what was done to them: "resized from 3 × 32 × 32"; may be empty
    std::vector<float> inputs;   ///< standardised [n × n_features]
    std::size_t n = 0;
    std::vector<int> labels;   ///< images: their own classes [n], which are none of the net's
    std::vector<std::string> class_names;
};

/// Images: the set that prediction.other_data names, by its test part, brought to the size of the study's images; where it is empty, the classes that were
/// left out, else a partner at hand (stroke letters for digits and the other way round, a relative of the catalogue, in the end stroke letters).
/// Tables with classes: points uniform over a box three times as wide as the training data along each input, outside of the data's own box.
/// Outputs from elsewhere: the rows of the second file, all of them. Else at most 10,000, evenly over the set. Kept while the experiment is held.
/// @throws Error (field "prediction.other_data") for a set that cannot be had
std::shared_ptr<const OtherData> other_data(const std::shared_ptr<const Experiment>& experiment);

/// One input that is no row of the study's data, and what to call it: as ViewOptions takes a chosen input.
struct NamedInput {
    std::vector<double> input;   ///< original units [n_features]; of outputs from elsewhere the number of the row
    std::string name;            ///< "image 3 of notMNIST (class A)"
};
/// Returns row `row` of the foreign data. Pixels are whole numbers again. Its class, where it has one, is none of the net's: it stands in the name alone.
/// @throws Error "Row 10000 was asked for, notMNIST has rows 0 to 9999."
NamedInput other_input(const Experiment& experiment, const OtherData& other, std::size_t row);

/// Images: ids of the sets at hand that are relatives of the study's data, without those data and without what other_data gives. Tables: none.
std::vector<std::string> further_data(const Experiment& experiment);
/// One of them, or any other set of images, in the same way; not kept. @throws Error for a set that cannot be had
OtherData load_further_data(const Experiment& experiment, const std::string& set);

}   // namespace credence
