// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "runs/provenance.h"
#include "study/fields.h"
#include "sweeps/sweep.h"

#include <map>

namespace credence {
namespace {

void set_all(Study& study, const SweepSettings& settings)
{
    for (const auto& [path, value] : settings)
        field(path).set(study, value);
}

/// The names of the values of all axes; axes with one value are omitted if others remain.
std::string words_at(const Sweep& sweep, const std::vector<std::size_t>& at)
{
    const bool all_single = sweep.n_cells() == 1;
    std::string words;
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        const auto& axis = sweep.axes[i];
        if (axis.values.size() == 1 && !all_single)
            continue;
        words += (words.empty() ? "" : ", ") + axis.words(at[i]);
    }
    return words.empty() ? sweep.base.study.name : words;
}

Study study_at(const Sweep& sweep, const std::vector<std::size_t>& at)
{
    const SweepBase* base = &sweep.base;
    for (std::size_t i = 0; i < at.size(); ++i)
        if (const auto& own = sweep.axes[i].values[at[i]].base)
            base = &*own;
    Study study = base->study;
    set_all(study, sweep.set);
    for (std::size_t i = 0; i < at.size(); ++i)
        set_all(study, sweep.axes[i].values[at[i]].set);
    set_all(study, sweep.after);
    study.name = base->study.name + ": " + words_at(sweep, at);
    study.note = "A cell of the sweep " + shown_title(sweep) + ".";
    return study;
}

/// Advances, the last axis fastest. False: no further combination.
bool next_place(const Sweep& sweep, std::vector<std::size_t>& at)
{
    for (std::size_t i = at.size(); i-- > 0;) {
        if (++at[i] < sweep.axes[i].values.size())
            return true;
        at[i] = 0;
    }
    return false;
}

}   // namespace

std::vector<SweepCell> cells_of(const Sweep& sweep)
{
    if (sweep.n_cells() > most_cells)
        throw Error("The sweep " + shown_title(sweep) + " has " + std::to_string(sweep.n_cells())
                    + " cells, expected at most " + std::to_string(most_cells) + ".");
    std::vector<SweepCell> cells;
    std::map<std::string, std::size_t> by_hash;
    std::vector<std::size_t> at(sweep.axes.size(), 0);
    do {
        SweepCell cell{.index = cells.size(), .at = at, .study = {}, .hash = {}};
        try {
            cell.study = study_at(sweep, at);
            check(cell.study);
        } catch (const Error& error) {
            throw Error(error.field(), "Cell " + std::to_string(cell.index + 1) + " of the sweep " + shown_title(sweep)
                                           + " (" + words_at(sweep, at) + "): " + error.what());
        }
        cell.hash = study_hash(cell.study);
        if (const auto [before, is_new] = by_hash.emplace(cell.hash, cell.index); !is_new)
            throw Error("The cells " + words_at(sweep, cells[before->second].at) + " and " + words_at(sweep, at)
                        + " of the sweep " + shown_title(sweep)
                        + " are the same run; expected different settings in all cells.");
        if (sweep.choose && (!is_images(cell.study.data.source) || cell.study.data.images.validation_images == 0))
            throw Error("data.validation_images",
                        "The sweep " + shown_title(sweep) + " chooses by scores on validation images, but the cell "
                            + words_at(sweep, at)
                            + " has none; expected images and data.validation_images greater than 0.");
        cells.push_back(std::move(cell));
    } while (next_place(sweep, at));
    return cells;
}

std::string cell_words(const Sweep& sweep, const SweepCell& cell) { return words_at(sweep, cell.at); }

}   // namespace credence
