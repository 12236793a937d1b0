// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/report_chapters.h"

#include <QCoreApplication>

#include <algorithm>

using namespace credence;

QString chapterOf(const View& view)
{
    const auto tr = [](const char* text) { return QCoreApplication::translate("ReportChapters", text); };
    if (view.id == "scores")
        return tr("First page");
    if (view.needs_input)
        return tr("Selected input");
    if (view.cost == Cost::quick)
        return tr("Weights and training");
    if (view.cost == Cost::draws)
        return tr("Predictions");
    return tr("Test set and comparisons");
}

void sortByChapter(std::vector<ExportFigure>& figures)
{
    std::vector<QString> chapters;   // in the order in which they first occur, the first page in front
    for (const auto& figure : figures)
        if (std::find(chapters.begin(), chapters.end(), figure.chapter) == chapters.end())
            chapters.insert(figure.id == QStringLiteral("scores") ? chapters.begin() : chapters.end(), figure.chapter);
    const auto place = [&](const ExportFigure& figure) {
        return std::find(chapters.begin(), chapters.end(), figure.chapter) - chapters.begin();
    };
    std::stable_sort(figures.begin(), figures.end(),
                     [&](const ExportFigure& a, const ExportFigure& b) { return place(a) < place(b); });
}
