// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/outputs_posterior.h"

#include "foundation/error.h"
#include "foundation/number_text.h"

namespace credence {
namespace {

[[noreturn]] void refuse_weights()
{
    throw Error("These are imported predictions; the weights of their network are not available.");
}

}   // namespace

std::vector<std::uint32_t> rows_named(std::span<const float> inputs, const RowOutputs& outputs)
{
    std::vector<std::uint32_t> rows;
    rows.reserve(inputs.size());
    for (const float input : inputs) {
        const auto row = input >= 0 && input < static_cast<float>(outputs.n_rows()) ? static_cast<std::uint32_t>(input)
                                                                                    : 0;
        if (static_cast<float>(row) != input)
            throw Error("Imported predictions are available for rows 0 to " + std::to_string(outputs.n_rows() - 1)
                        + " only, but row " + number_text(static_cast<double>(input), 6) + " was requested.");
        rows.push_back(row);
    }
    return rows;
}

OutputsPosterior::OutputsPosterior(ParameterLayout layout, std::shared_ptr<const RowOutputs> outputs)
    : Posterior(std::move(layout)), outputs_(std::move(outputs))
{}

std::optional<std::size_t> OutputsPosterior::different_draws() const
{
    return static_cast<std::size_t>(outputs_->n_draws());
}

void OutputsPosterior::draw(NoiseKey, Draw<float>&) const { refuse_weights(); }
void OutputsPosterior::moments(std::span<float>, std::span<float>) const { refuse_weights(); }

const RowOutputs* outputs_of(const Posterior& posterior)
{
    const auto* found = dynamic_cast<const OutputsPosterior*>(&posterior);
    return found ? &found->outputs() : nullptr;
}

}   // namespace credence
