// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/csv.h"
#include "formats/encode_rows.h"
#include "fuzz/reader.h"

#include <array>
#include <cmath>

namespace credence::fuzz {

/// Any bytes as a table; an accepted one is a valid data set.
bool read_csv_table(Bytes input)
{
    const auto path = file_in_memory("table.csv", input);
    attempt([&] { preview_csv(path, {}); });
    attempt([&] { preview_csv(path, {.header = CsvHeader::no, .separator = ';', .decimal_comma = true}); });
    return attempt([&] {
        const Dataset read = read_csv(path, {});
        try {
            read.check();
        } catch (const Error&) {
            if (read.n_rows == 0 || read.n_features == 0 || read.n_classes() < 2)
                throw;
            throw BrokenProperty("a table that was read is a sound data set");
        }
    });
}

/// Any bytes as input points of a run: complete rows of finite numbers.
bool read_places(Bytes input)
{
    static const std::array<std::string, 3> names = {"x", "colour=red", "y"};
    return attempt([&] {
        const std::vector<double> rows = read_input_rows(file_in_memory("places.csv", input), names);
        holds(rows.size() % names.size() == 0, "places are whole rows");
        for (const float value : rows)
            holds(std::isfinite(value), "places are finite numbers");
    });
}

}   // namespace credence::fuzz
