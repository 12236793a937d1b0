// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"
#include "study/source.h"

namespace credence {

/// The seed of what is made.
Field seed_field();

/// How many images are drawn.
Field drawn_training_images_field();
Field drawn_test_images_field();

/// Settings of all images.
Field only_classes_field();
Field validation_images_field();
Field pixels_field();
/// Steps of the data between its images and the net.
Field grey_field();
Field local_normalisation_field();

/// @throws Error (field "data.local_normalisation") for a window that has no middle
void require_steps(const DataSpec& data);
/// @throws Error (field "data.only_classes") for one class or one that is named twice
void require_classes(const DataSpec& data);

/// Runs `work`; a refusal becomes one of `field`.
template <class Work>
auto in_field(const char* field, Work&& work)
{
    try {
        return work();
    } catch (const Error& error) {
        throw Error(error.field().empty() ? field : error.field(), error.what());
    }
}

/// Of both parts the classes that data.only_classes names; all where it is empty.
ImageData with_only_classes(ImageData parts, const DataSpec& data);

}   // namespace credence
