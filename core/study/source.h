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

/// A data source, with everything that the program knows of it. Each source has its own file in
/// study/sources/ and one entry in study/sources/list.cmake. Fields, checks, experiments and
/// captions use this list and contain no source names.
struct Source {
    std::string id;      ///< in JSON: "toy"
    std::string title;   ///< "Toy problem"
    std::string hint;    ///< one line on when to choose it

    /// Its settings in the group "data", in the order of the panel. A setting that several sources
    /// share is in the list of each.
    std::vector<Field> fields = {};
    /// Name of the data in names of studies: "Two moons".
    std::function<std::string(const DataSpec& data)> name;
    /// Classification or regression, if the settings determine it. Empty: always classification.
    std::function<std::optional<Task>(const DataSpec& data)> task = {};
    /// Checks rules between its settings. Empty: none. @throws Error with the wrong field
    std::function<void(const DataSpec& data)> check = {};

    /// For a table: returns all rows, which are split afterwards. Exactly one of `load` and
    /// `load_images` is set.
    std::function<Dataset(const DataSpec& data)> load = {};
    /// For images with classes: returns both parts, selected by the settings; validation images are
    /// split off afterwards. @throws Error with the field
    std::function<ImageData(const DataSpec& data)> load_images = {};
    /// The file or folder that is read. Empty: the data are generated, or stored in the Study.
    std::function<std::filesystem::path(const DataSpec& data)> place = {};
    /// Refuses missing files without reading them. Empty: the source reads no files. @throws Error
    /// with the field
    std::function<void(const DataSpec& data)> require_files = {};
    /// For images: other installed sets that suit as out-of-distribution data, excluding itself.
    std::function<std::vector<std::string>(const DataSpec& data)> relatives = {};
    /// For images: the network of a first study, its hidden units if it is a LeNet, and its
    /// training steps.
    NetworkKind first_network = NetworkKind::lenet_caffe;
    int first_units = 500, first_steps = 10000;

    /// For one input: the displayed range of x. Empty: the range of the data, widened.
    std::function<std::pair<double, double>(const DataSpec& data)> shown_range = {};
    /// For one input: the curve without noise. Empty: unknown.
    std::function<double(const DataSpec& data, double x)> noise_free = {};

    bool gives_images() const { return static_cast<bool>(load_images); }
};

/// All sources, in the order shown in the window.
const std::vector<Source>& sources();
const Source& source(const std::string& id);   ///< @throws Error (field "data.source") that lists the ids
inline const Source& source_of(const DataSpec& data) { return source(data.source); }

}   // namespace credence
