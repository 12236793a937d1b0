// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_study.h"
#include "fuzz/reader.h"
#include "results/picture_link.h"
#include "sweeps/sweep.h"
#include "sweeps/sweep_results.h"

namespace credence::fuzz {

namespace {

std::string as_text(Bytes input) { return {reinterpret_cast<const char*>(input.data()), input.size()}; }

/// Reads a value from text, writes it and reads it again: the same. @param read  from a text and
/// the name of its file @return the value
template <class Read, class Write>
auto there_and_back(Bytes input, Read&& read, Write&& write)
{
    auto value              = read(as_text(input), "a.json");
    const std::string first = write(value);
    holds(write(read(first, "b.json")) == first, "a value is the same after it was written and read");
    return value;
}

}   // namespace

/// Any text as a Study.
bool read_study(Bytes input)
{
    return attempt([&] {
        const Study study = there_and_back(input, study_from_text, [](const Study& value) { return to_text(value); });
        holds(study_from_text(to_text(study), "b.json") == study, "a Study is the same after it was written and read");
        check(study);
    });
}

/// Any text as a sweep; of a small one all cells.
bool read_sweep(Bytes input)
{
    const auto read = [](const std::string& text, const std::string& name) {
        return sweep_from_text(text, name, memory_folder());
    };
    return attempt([&] {
        const Sweep sweep = there_and_back(input, read, [](const Sweep& value) { return to_text(value); });
        if (sweep.n_cells() <= 8)
            holds(cells_of(sweep).size() == sweep.n_cells(), "a sweep has one cell for each combination");
    });
}

/// Any text as a link to a picture.
bool read_link(Bytes input)
{
    const auto read = [](const std::string& text, const std::string& name) {
        return picture_link_from_text(text, name, memory_folder());
    };
    return attempt(
        [&] { there_and_back(input, read, [](const PictureLink& link) { return to_text(link, memory_folder()); }); });
}

/// Any text as a bandit.
bool read_bandit(Bytes input)
{
    return attempt([&] {
        check(there_and_back(input, bandit_study_from_text, [](const BanditStudy& value) { return to_text(value); }));
    });
}

/// Any text as the scores of a run.
bool read_scores(Bytes input)
{
    return attempt([&] { read_cell_scores(file_in_memory("results.json", input)); });
}

}   // namespace credence::fuzz
