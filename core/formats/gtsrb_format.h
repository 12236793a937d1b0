// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"

#include <filesystem>
#include <string>
#include <vector>

namespace credence {

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
