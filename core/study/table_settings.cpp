// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/table_settings.h"

#include <algorithm>

namespace credence {

Study with_table_settings(const Study& study, std::size_t n_rows)
{
    constexpr long epochs                   = 60;
    constexpr int batch                     = 100;
    Study changed                           = study;
    changed.network.hidden                  = {50};
    changed.network.activation              = ActivationKind::relu;
    changed.training.batch_size             = batch;
    changed.training.schedule.kind          = ScheduleKind::cosine;
    changed.training.schedule.learning_rate = 0.003;
    const long per_epoch                    = static_cast<long>(n_rows / batch) + 1;
    changed.training.steps = std::clamp((epochs * per_epoch + 500) / 1000 * 1000, 3000L, 30000L);   // a round number
    return changed;
}

}   // namespace credence
