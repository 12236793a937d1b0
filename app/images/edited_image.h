// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "images/image_morph.h"
#include "images/image_transforms.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// One image and what it is called. Numbers 0 to 255 [channels × height × width].
struct NamedImage {
    std::vector<float> pixels;
    std::string name;           ///< "test image 3", "drawn image"
    std::optional<int> label;   ///< where the class is known
    std::optional<int> row;     ///< of the scored images, if it is one of them
};

/// The image under the hands of the user: where it came from and what was done to it.
struct EditedImage {
    credence::ImageShape shape;
    NamedImage base;
    credence::Disturbance disturbance;
    NamedImage target;                                   ///< of the morph
    std::shared_ptr<const credence::ImageMorph> morph;   ///< from base to target; null: not made (yet)

    /// Morphing counts once the way there is known.
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
    /// A disturbed image keeps its class; one that is morphed has the class of the end it is nearer to.
    std::optional<int> label() const { return effective().morph > 0.5 ? target.label : base.label; }
};
