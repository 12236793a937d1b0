// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/paper_text.h"

#include "parts/help_mark.h"
#include "work/text.h"

#include "bandits/bandit_study.h"
#include "runs/comparison.h"
#include "study/presets.h"
#include "sweeps/sweep.h"
#include "views/views.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

using namespace credence;

namespace {

QString paperTr(const char* words) { return QCoreApplication::translate("PapersPage", words); }

QString paragraph(const QString& html) { return html.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(html); }

/// Resource path of its thumbnail.
QString pictureFileOf(const GalleryEntry& entry)
{
    return QStringLiteral(":/help/") + QFileInfo(toQString(entry.picture)).fileName();
}

/// One row each: quantity, printed value, our value.
QString valuesAsHtml(const GalleryEntry& entry, const QColor& shade)
{
    if (entry.values.empty())
        return {};
    QString html = QStringLiteral("<table cellpadding='4' cellspacing='0'><tr><th align='left'>%1</th>"
                                  "<th align='right'>%2</th><th align='right'>%3</th></tr>")
                       .arg(paperTr("Value"), paperTr("Printed"), paperTr("Ours"));
    for (std::size_t i = 0; i < entry.values.size(); ++i) {
        const auto& value = entry.values[i];
        html += QStringLiteral("<tr%1><td>%2</td><td align='right'>%3</td><td align='right'><b>%4</b></td></tr>")
                    .arg(i % 2 == 0 ? QStringLiteral(" bgcolor='%1'").arg(shade.name()) : QString(),
                         htmlFrom(value.name), htmlFrom(value.printed),
                         value.ours.empty() ? paperTr("–") : htmlFrom(value.ours));
    }
    return html + QStringLiteral("</table>");
}

QString oursAsHtml(const GalleryEntry& entry)
{
    if (!entry.ours)
        return {};
    QStringList parts{toQString(entry.ours->seeds_text())};
    if (!entry.ours->settings.empty())
        parts += toQString(entry.ours->settings);
    parts += {toQString(entry.ours->time), toQString(entry.ours->date),
              paperTr("commit %1").arg(toQString(entry.ours->commit))};
    return paperTr("<b>Ours:</b> %1.").arg(parts.join(QStringLiteral(", ")).toHtmlEscaped());
}

QString viewsAsHtml(const GalleryEntry& entry)
{
    QStringList titles;
    for (const auto& id : entry.views)
        titles += toQString(view(id).title);
    return titles.isEmpty() ? QString()
                            : paperTr("<b>Shown in:</b> %1.").arg(titles.join(QStringLiteral(", ")).toHtmlEscaped());
}

QString howAsHtml(const GalleryEntry& entry)
{
    const QString made = madeByText(entry);
    if (made.isEmpty())
        return {};
    QString html = paperTr("<b>Made by</b> %1.").arg(made.toHtmlEscaped());
    if (const auto command = command_of(entry); !std::holds_alternative<MadeByPage>(entry.how))
        html += QStringLiteral("<br><tt>%1</tt>").arg(htmlFrom(command));
    return html;
}

}   // namespace

QString madeByText(const GalleryEntry& entry)
{
    const auto& how = entry.how;
    if (const auto* sweep = std::get_if<MadeBySweep>(&how)) {
        const Sweep& shipped = shipped_sweep(sweep->id);
        return paperTr("the sweep “%1”, %2 cells").arg(toQString(shown_title(shipped)), toQString(shipped.n_cells()));
    }
    if (const auto* made = std::get_if<MadeByPreset>(&how)) {
        QString words = paperTr("the preset “%1”").arg(toQString(preset(made->id).name));
        QStringList changed;
        for (const auto& assignment : made->set)
            changed += toQString(assignment);
        if (!changed.isEmpty())
            words += paperTr(" with %1").arg(changed.join(QStringLiteral(", ")));
        return words;
    }
    if (const auto* made = std::get_if<MadeByComparison>(&how))
        return paperTr("the reference comparison “%1”").arg(toQString(comparison(made->id).title));
    if (const auto* made = std::get_if<MadeByBandit>(&how)) {
        QStringList agents;
        for (const auto& id : made->ids)
            agents += toQString(bandit_preset(id).name);
        return paperTr("the bandit: %1").arg(agents.join(QStringLiteral(", ")));
    }
    if (const auto* page = std::get_if<MadeByPage>(&how))
        return toQString(place_of(*page));
    if (std::holds_alternative<MadeByTests>(how))
        return paperTr("tests that compare with the printed formulas");
    return std::holds_alternative<MadeByCommand>(how) ? paperTr("a command") : QString();
}

QString timesText(const GalleryEntry& entry)
{
    const QString time = toQString(time_text(entry.minutes));
    if (time.isEmpty())
        return {};
    QString words = paperTr("%1 on two cores").arg(time);
    if (const auto quick = time_text(entry.quick_minutes); has_quick_version(entry) && !quick.empty())
        words += paperTr(" · quick version %1").arg(toQString(quick));
    return words;
}

QString entryAsHtml(const Gallery& gallery, const GalleryEntry& entry, const QColor& shade)
{
    const Paper& paper = gallery.paper_of(entry);
    QString html       = QStringLiteral("<h3>%1</h3>").arg(htmlFrom(paper.short_title + ", " + entry.number));
    html += paragraph(htmlFrom(entry.shows));
    if (!entry.picture.empty() && QFileInfo::exists(pictureFileOf(entry)))
        html += QStringLiteral("<p><img src='thumbnail'></p>");
    html += valuesAsHtml(entry, shade);
    html += paragraph(
        QStringLiteral("<b>%1.</b> %2").arg(htmlFrom(title_of(entry.status)), htmlFrom(entry.difference)));
    for (const auto& part : {oursAsHtml(entry), howAsHtml(entry), viewsAsHtml(entry)})
        html += paragraph(part);
    if (!entry.document.empty())
        html += paragraph(paperTr("See also %1, which is part of the source code.").arg(htmlFrom(entry.document)));
    return html + paragraph(QStringLiteral("<i>%1.</i> %2").arg(htmlFrom(paper.title), htmlFrom(paper.citation)));
}

QImage thumbnailOf(const GalleryEntry& entry, int width, double devicePixelRatio)
{
    if (entry.picture.empty())
        return {};
    QImage picture(pictureFileOf(entry));
    if (picture.isNull())
        return {};
    picture = picture.convertToFormat(QImage::Format_RGB32)
                  .scaledToWidth(qRound(width * devicePixelRatio), Qt::SmoothTransformation);
    picture.setDevicePixelRatio(devicePixelRatio);
    return picture;
}
