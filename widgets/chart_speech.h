// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/spoken_items.h"

namespace credence {

/// Movable items on a chart for screen readers, supplied by their owner.
class ChartSpeech : public SpokenItems {
public:
    SpokenItems* onPicture = nullptr;   ///< the owner's items; null: none. Must outlive the view or reset this pointer

    std::vector<SpokenItem> spokenItems() const override
    {
        return onPicture ? onPicture->spokenItems() : std::vector<SpokenItem>();
    }
    void pressItem(int index) override
    {
        if (onPicture)
            onPicture->pressItem(index);
    }
};

}   // namespace credence
