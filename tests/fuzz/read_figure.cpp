// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz/reader.h"
#include "widgets/study_metadata.h"

#include <nlohmann/json.hpp>

namespace credence::fuzz {

namespace {

/// The Study in a figure is JSON.
bool read_figure(const std::string& name, Bytes input)
{
    const auto path = file_in_memory(name, input);
    return attempt([&] {
        if (const auto study = studyIn(QString::fromStdString(path.string())))
            holds(nlohmann::json::accept(study->toStdString()), "the Study of a figure is JSON");
    });
}

}   // namespace

bool read_pdf_figure(Bytes input) { return read_figure("figure.pdf", input); }
bool read_png_figure(Bytes input) { return read_figure("figure.png", input); }
bool read_svg_figure(Bytes input) { return read_figure("figure.svg", input); }

/// The first byte selects the kind: a table, a report or LaTeX.
bool read_text_figure(Bytes input)
{
    const int kind = input.empty() ? 0 : input[0];
    return read_figure(kind == '#' ? "figure.csv" : kind == '%' ? "figure.tex" : "figure.html", input);
}

}   // namespace credence::fuzz
