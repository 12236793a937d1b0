// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/view_choices.h"

void ViewChoices::complete(credence::ViewOptions& options) const
{
    for (const auto& source : m_sources)
        source(options);
}
