// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// How people labelled a set of images, such as CIFAR-10H (Peterson et al. 2019): shares of their
/// answers, in the order of the images.
struct HumanLabels {
    std::size_t n = 0, n_classes = 0;
    std::vector<double> shares{};   ///< [n × n_classes]; each row sums to 1

    std::span<const double> row(std::size_t i) const { return {shares.data() + i * n_classes, n_classes}; }
};

/// The file of CIFAR-10H below a data folder.
inline constexpr const char* human_labels_file_name = "cifar-10h/cifar10h-counts.npy";

/// The file in the first of data_folders() that has it.
std::optional<std::filesystem::path> human_labels_file();

/// @throws Error "counts.npy: row 3 has no answers, expected at least one."
HumanLabels read_human_labels(const std::filesystem::path& file);

/// CIFAR-10H, read again only if its file has changed. Can be called from any thread.
/// @return  null: not installed  @throws Error as read_human_labels
std::shared_ptr<const HumanLabels> human_labels();

/// How to get a missing file, as a sentence.
std::string where_to_get_human_labels();

}   // namespace credence
