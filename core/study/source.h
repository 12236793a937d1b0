// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/dataset.h"
#include "data/image_set.h"
#include "study/fields.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace credence {

/// Where a Study's data come from: everything the program knows of it. Each stands in a file of its own in study/sources/, and once in the list there,
/// study/sources/list.cmake; fields, checks, experiments and captions read this list and know no source by name.
struct Source {
    std::string id;      ///< in JSON: "toy"
    std::string title;   ///< "Toy problem"
    std::string hint;    ///< one line on when to pick it

    /// Its settings in the group "data", in the order of the panel. One that several sources have stands in each of their lists.
    std::vector<Field> fields = {};
    /// What names of studies call the data: "Two moons".
    std::function<std::string(const DataSpec& data)> name;
    /// Classes or a number to predict, as far as the settings say it. Empty: always classes.
    std::function<std::optional<Task>(const DataSpec& data)> task = {};
    /// Rules between its settings. Empty: none. @throws Error with the field that is wrong
    std::function<void(const DataSpec& data)> check = {};

    /// A table: all of its rows; they are split afterwards. Exactly one of `load` and `load_images` is there.
    std::function<Dataset(const DataSpec& data)> load = {};
    /// Images with classes, in two parts, chosen from as the settings say; validation images are split from them afterwards. @throws Error with the field
    std::function<ImageData(const DataSpec& data)> load_images = {};
    /// The file or folder that they are read from. Empty: they are made, or stand in the Study.
    std::function<std::filesystem::path(const DataSpec& data)> place = {};
    /// Of images: sets at hand that a net on this one is commonly shown, without itself.
    std::function<std::vector<std::string>(const DataSpec& data)> relatives = {};
    /// Of images: the net of a first study; if that is a LeNet, its hidden units; and the steps of its training.
    NetworkKind first_network = NetworkKind::lenet_caffe;
    int first_units = 500, first_steps = 10000;

    /// Of one input: the stretch of x that is looked at. Empty: that of the data, widened.
    std::function<std::pair<double, double>(const DataSpec& data)> shown_range = {};
    /// Of one input: the curve behind the noise. Empty: nobody knows it.
    std::function<double(const DataSpec& data, double x)> noise_free = {};

    bool gives_images() const { return static_cast<bool>(load_images); }
};

/// All sources, in the order of the list in the window.
const std::vector<Source>& sources();
const Source& source(const std::string& id);   ///< @throws Error (field "data.source") that names those there are
inline const Source& source_of(const DataSpec& data) { return source(data.source); }

}   // namespace credence
