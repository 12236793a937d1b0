// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/spoken_items.h"

namespace credence {

/// What lies on the picture of a view to be moved, for screen readers: of whoever put it there.
class ChartSpeech : public SpokenItems {
public:
    SpokenItems* onPicture =
        nullptr;   ///< whose items they are; null: there are none. It outlives the view, or takes itself away

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
