// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "logits_npz.h"
#include "outputs/outputs_file.h"

#include <memory>
#include <vector>

/// Files of draws of class probabilities, as NumPy would save them.
namespace outputs_npz {

/// Two draws of four rows of three classes: confident and right, uncertain, draws that disagree, confident and wrong.
inline const std::vector<float>& draws()
{
    static const std::vector<float> numbers{0.9f, 0.05f, 0.05f, 0.4f, 0.35f, 0.25f, 0.8f, 0.1f, 0.1f, 0, 1, 0,
                                            0.8f, 0.1f,  0.1f,  0.3f, 0.4f,  0.3f,  0.1f, 0.1f, 0.8f, 0, 1, 0};
    return numbers;
}
inline std::vector<ZipMember> four_rows(bool deflate = false)
{
    return {logits_npz::floats("probabilities", {2, 4, 3}, draws(), deflate),
            logits_npz::integers("labels", {0, 1, 2, 2}), logits_npz::strings("class_names", {"cat", "dog", "owl"}, 3)};
}

/// Open files read from these bytes, which therefore stay alive.
inline credence::OutputsFile opened(const std::vector<ZipMember>& members, const std::string& name = "a.npz")
{
    static std::vector<std::unique_ptr<Bytes>> kept;
    kept.push_back(std::make_unique<Bytes>(zip_of(members)));
    return credence::open_outputs(name, *kept.back());
}

/// All draws of some rows.
inline std::vector<float> read(const credence::RowOutputs& rows, std::vector<std::uint32_t> which,
                               credence::RowOutputs::Kind kind = credence::RowOutputs::Kind::probabilities)
{
    std::vector<double> out(static_cast<std::size_t>(rows.n_draws()) * which.size()
                            * static_cast<std::size_t>(rows.n_classes()));
    rows.read(kind, which, rows.n_draws(), out, {});
    return {out.begin(), out.end()};
}

}   // namespace outputs_npz
