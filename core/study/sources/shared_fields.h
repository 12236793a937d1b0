// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"
#include "study/source.h"

namespace credence {

/// The seed of generated data.
Field seed_field();

/// The number of images drawn.
Field drawn_training_images_field();
Field drawn_test_images_field();

/// Settings of all image sources.
Field only_classes_field();
Field validation_images_field();
Field pixels_field();
/// Preprocessing steps between the images and the network.
Field grey_field();
Field local_normalisation_field();

/// @throws Error (field "data.local_normalisation") for a window without a centre pixel
void require_steps(const DataSpec& data);
/// @throws Error (field "data.only_classes") for a single class or a repeated one
void require_classes(const DataSpec& data);

/// Runs `work` and attributes its errors to `field`.
template <class Work>
auto in_field(const char* field, Work&& work)
{
    try {
        return work();
    } catch (const Error& error) {
        throw Error(error.field().empty() ? field : error.field(), error.what());
    }
}

/// Returns both parts with only the classes in data.only_classes; all classes if it is empty.
ImageData with_only_classes(ImageData parts, const DataSpec& data);

}   // namespace credence
