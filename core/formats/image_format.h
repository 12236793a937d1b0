// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"
#include "data/number_array.h"
#include "formats/byte_source.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace credence {

/// Metadata of a data set.
struct SetDescription {
    std::string title, about = {};
    std::vector<std::string> classes = {};   ///< empty: unknown
};

/// A file format for image data sets, with everything the program knows about it. Each has its own
/// file and one line in formats/list.cmake.
struct ImageFormat {
    std::string id;              ///< "mnist"
    std::string words;           ///< "files in MNIST's format"
    std::string expected = {};   ///< in error messages about loading: "an .npz file with x_train, y_train, x_test and
                                 ///< y_test"
    std::string imported;        ///< in error messages about importing: "a folder"

    /// Returns true if the path is this format or a part of it, by names and first bytes only.
    std::function<bool(const std::filesystem::path&)> recognises;
    /// Returns true if it can be loaded as it is. Empty: it has to be imported first.
    std::function<bool(const std::filesystem::path&)> complete                         = {};
    std::function<ImageData(const std::filesystem::path&, const SetDescription&)> load = {};
    /// For an archive: unpacks it into an empty folder that can be loaded. @throws Error that names
    /// the archive
    std::function<void(const std::filesystem::path& archive, const std::filesystem::path& folder)> unpack = {};
    bool pictures = false;     ///< arbitrary pictures in folders: they are decoded and scaled, see
                               ///< image_folder.h
    bool catalogued = false;   ///< the catalogue has hashes of such files
};

/// All formats, in the order in which a path is tried.
const std::vector<ImageFormat>& image_formats();

/// The format of a set at `path` that can be loaded; null: none.
const ImageFormat* loadable_format(const std::filesystem::path& path);
/// The format of a set at `path` that can be imported.
/// @throws Error "notes.txt: found the bytes 68 65 6C 6C, expected a folder, an .npz file or
/// CIFAR-10's .tar.gz." or that the path does not exist
const ImageFormat& importable_format(const std::filesystem::path& path);
/// What can be loaded, for an error message: "…, … or …".
std::string loadable_formats();

/// Names for unnamed classes: "0", "1", … up to the largest of these labels.
std::vector<std::string> numbered_classes(std::initializer_list<const NumberArray*> labels);

// CIFAR-10's binary format: records of 3073 bytes, a label 0..9 and the red, green and blue planes
// of 32×32 pixels, row by row.
// Source: A. Krizhevsky, "Learning multiple layers of features from tiny images", 2009, and the
// page of the data set.

/// airplane, automobile, bird, cat, deer, dog, frog, horse, ship, truck
std::vector<std::string> cifar10_names();

/// All records of some files in sequence. Lengths and labels are checked before anything is
/// allocated. Plain or gzip.
/// @throws Error "data_batch_1.bin: found 5000 bytes, expected a multiple of 3073 (a label and 3 ×
/// 32 × 32 pixels)."
ImageSet read_cifar10(std::span<const std::filesystem::path> files, std::string name = "CIFAR-10");
ImageSet read_cifar10(std::span<ByteSource* const> files, std::string name = "CIFAR-10");

/// data_batch_1.bin to data_batch_5.bin and test_batch.bin, in the folder itself or in its
/// subfolder cifar-10-batches-bin.
ImageData read_cifar10_folder(const std::filesystem::path& folder);

// The German Traffic Sign Recognition Benchmark: PPM pictures of many sizes, and tables with the
// position of the sign in each picture.
// Source: Stallkamp, Schlipsing, Salmen and Igel 2012

/// The names of the 43 classes in numerical order: "Speed limit (20 km/h)", …
const std::vector<std::string>& gtsrb_classes();

/// One picture of a table: path, region of interest, class.
struct AnnotatedSign {
    std::filesystem::path picture;
    std::string where;                            ///< in the table: "GT-00003.csv, line 5"
    std::size_t width = 0, height = 0;            ///< of the whole picture
    std::size_t x1 = 0, y1 = 0, x2 = 0, y2 = 0;   ///< the region: columns x1 … x2 − 1 and rows y1 … y2 − 1
    int label = 0;
};

/// Reads a table `Filename;Width;Height;Roi.X1;Roi.Y1;Roi.X2;Roi.Y2;ClassId` with any line ends;
/// columns are found by name.
/// @param folder  contains its pictures
/// @throws Error "GT-00003.csv, line 5: ClassId is 43, expected 0 to 42." and similar for missing
/// columns, invalid numbers, or a region outside the picture
std::vector<AnnotatedSign> read_annotations(const std::filesystem::path& table, const std::filesystem::path& folder);

/// The signs, cropped to their regions of interest and scaled to 32 × 32 colour pixels with the
/// filter of all pictures (images/picture_input.h).
/// @param tracks  frames of one track (files TT_FF.ppm of one class) form one group of the set: 30
/// pictures of the same sign from a passing car
/// @throws Error "GT-00003.csv, line 5: 00000_00003.ppm: found 100 bytes of pixels, …" for the
/// first picture that cannot be read or differs in size from its table
ImageSet read_annotated_signs(const std::vector<AnnotatedSign>& signs, bool tracks, std::string name,
                              std::vector<std::string> class_names);

}   // namespace credence
