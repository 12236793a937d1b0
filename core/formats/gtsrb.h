// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"

#include <filesystem>
#include <string>
#include <vector>

namespace credence {

// The German Traffic Sign Recognition Benchmark: pictures in PPM format of many sizes, and tables that say where in a picture the sign is.
// Source: Stallkamp, Schlipsing, Salmen and Igel 2012

/// The 43 kinds of signs in words, in the order of their numbers: "Speed limit (20 km/h)", …
const std::vector<std::string>& gtsrb_classes();

/// One picture of a table: where it lies, the region of interest, the class.
struct AnnotatedSign {
    std::filesystem::path picture;
    std::string where;                            ///< of the table: "GT-00003.csv, line 5"
    std::size_t width = 0, height = 0;            ///< of the whole picture
    std::size_t x1 = 0, y1 = 0, x2 = 0, y2 = 0;   ///< the region: columns x1 … x2 − 1 and rows y1 … y2 − 1
    int label = 0;
};

/// Reads a table `Filename;Width;Height;Roi.X1;Roi.Y1;Roi.X2;Roi.Y2;ClassId` with line ends of any kind; columns are found by their names.
/// @param folder  in which its pictures lie
/// @throws Error "GT-00003.csv, line 5: ClassId is 43, expected 0 to 42." and the like for missing columns, what is no number, a region outside of the picture
std::vector<AnnotatedSign> read_annotations(const std::filesystem::path& table, const std::filesystem::path& folder);

/// The signs, cut to their regions of interest and scaled to 32 × 32 pixels in colour by the filter of all pictures (images/image_resize.h).
/// @param tracks  frames of one track (files TT_FF.ppm of one class) become one group of the set: 30 pictures of the same sign while a car passes it
/// @throws Error "GT-00003.csv, line 5: 00000_00003.ppm: found 100 bytes of pixels, …" of the first picture that cannot be read or has another size than its table says
ImageSet read_annotated_signs(const std::vector<AnnotatedSign>& signs, bool tracks, std::string name,
                              std::vector<std::string> class_names);

}   // namespace credence
