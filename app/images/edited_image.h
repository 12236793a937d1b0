// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "images/image_morph.h"
#include "images/image_transforms.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// An image with its name. Values 0 to 255 [channels × height × width].
struct NamedImage {
    std::vector<float> pixels;
    std::string name;           ///< "test image 3", "drawn image"
    std::optional<int> label;   ///< the class, if known
    std::optional<int> row;     ///< row among the scored images, if any
};

/// The image being edited: its origin and its modifications.
struct EditedImage {
    credence::ImageShape shape;
    NamedImage base;
    credence::Disturbance disturbance;
    NamedImage target;                                   ///< of the morph
    std::shared_ptr<const credence::ImageMorph> morph;   ///< from base to target; null: not computed yet

    /// Morphing takes effect once its path is known.
    credence::Disturbance effective() const
    {
        auto out = disturbance;
        if (!morph)
            out.morph = 0;
        return out;
    }
    bool untouched() const { return effective().none(); }
    std::vector<float> pixels() const { return credence::disturbed(base.pixels, shape, effective(), morph.get()); }
    std::string name() const { return base.name + credence::description_of(effective(), target.name); }
    /// A perturbed image keeps its class; a morphed one has the class of the nearer end.
    std::optional<int> label() const { return effective().morph > 0.5 ? target.label : base.label; }
};
