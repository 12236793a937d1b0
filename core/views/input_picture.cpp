// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/input_picture.h"

#include "charts/pictures.h"

namespace credence::view_support {

void add_input_picture(Chart& chart, const Experiment& experiment, const ChosenInput& input)
{
    const auto& data = *experiment.data;
    const auto bytes = picture_values(experiment, input.standardised);
    set_beside(
        chart, picture_of(std::span<const float>(bytes), *data.image),
        input.name
            + (input.label ? "\ntrue class " + data.training.class_names[static_cast<std::size_t>(*input.label)] : ""));
}

}   // namespace credence::view_support
