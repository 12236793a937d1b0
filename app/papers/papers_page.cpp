// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/papers_page.h"

#include "bandits/bandit_study.h"
#include "gallery/gallery.h"
#include "parts/appearance.h"
#include "parts/buttons.h"
#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "parts/icons.h"
#include "parts/remembered_sizes.h"
#include "parts/toasts.h"
#include "runs/comparison.h"
#include "study/presets.h"
#include "sweeps/sweep.h"
#include "views/views.h"
#include "widgets/chart_view.h"
#include "work/text.h"

#include <QClipboard>
#include <QColor>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QString>
#include <QStringList>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

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
    if (const auto hashes = entry.ours->hashes_text(); !hashes.empty())
        parts += toQString(hashes);
    QString html = paperTr("<b>Ours:</b> %1.").arg(parts.join(QStringLiteral(", ")).toHtmlEscaped());
    for (const auto& difference : differing_settings(entry))
        html += paperTr("<br>The command differs from the run that gave our numbers: %1.")
                    .arg(toQString(with_labels(difference)).toHtmlEscaped());
    return html;
}

QString viewsAsHtml(const GalleryEntry& entry)
{
    QStringList titles;
    for (const auto& id : entry.views)
        titles += toQString(view(id).title);
    return titles.isEmpty() ? QString()
                            : paperTr("<b>Shown in:</b> %1.").arg(titles.join(QStringLiteral(", ")).toHtmlEscaped());
}

/// "the sweep “Two moons, dropout rates”, 15 cells"
QString madeByText(const GalleryEntry& entry)
{
    const auto& how = entry.how;
    const auto with = [](const std::vector<std::string>& settings) {
        QStringList changed;
        for (const auto& assignment : settings)
            changed += toQString(assignment);
        return changed.isEmpty() ? QString() : paperTr(" with %1").arg(changed.join(QStringLiteral(", ")));
    };
    if (const auto* made = std::get_if<MadeBySweep>(&how)) {
        const Sweep sweep = sweep_of(entry);
        return paperTr("the sweep “%1”%2, %3 cells")
            .arg(toQString(shown_title(sweep)), with(made->set), toQString(sweep.n_cells()));
    }
    if (const auto* made = std::get_if<MadeByPreset>(&how))
        return paperTr("the preset “%1”%2").arg(toQString(preset(made->id).name), with(made->set));
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

/// "about 12 minutes on two cores · quick version about 1 minute"; empty if unknown
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

/// The text of a paper entry as HTML: content, printed and our values, difference, and how it is
/// made. Its thumbnail, if any, is the image "thumbnail".
/// @param shade  background of every second table row
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

/// The thumbnail of an entry at this width in screen pixels; null: none.
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

enum PaperColumn { whereColumn, statusColumn };

constexpr int anyStatus      = -1;
constexpr int thumbnailWidth = 300;

/// What each status means.
QString statusesAsHtml()
{
    QString html;
    for (const auto& [status, name] : entry_statuses)
        html += QStringLiteral("<p><b>%1</b>: %2</p>").arg(htmlFrom(title_of(status)), htmlFrom(meaning_of(status)));
    return html;
}

QString papersPageHelp()
{
    return PapersPage::tr(
               "<p>Every table, figure, claim, algorithm and formula of the papers that Credence follows: the printed "
               "result, our result, and the difference.</p><p><b>Run it</b> reproduces a result: a Study "
               "trains and the view that shows the result opens; a sweep opens on its own page. The time is "
               "shown next to the button. The <b>quick version</b> is fast and shows that everything works; it does "
               "not reproduce the printed numbers.</p><p><b>Open result</b> shows an earlier result. On the command "
               "line use <tt>credence reproduce</tt> and the id that <b>Copy command</b> copies.</p>")
           + statusesAsHtml();
}

QString iconOf(EntryKind kind)
{
    switch (kind) {
    case EntryKind::table: return QStringLiteral("table");
    case EntryKind::figure: return QStringLiteral("picture");
    case EntryKind::claim: return QStringLiteral("claim");
    case EntryKind::algorithm: return QStringLiteral("algorithm");
    case EntryKind::formula: return QStringLiteral("formula");
    }
    return {};
}

/// The text searched by the filter.
QString wordsOfEntry(const Gallery& gallery, const GalleryEntry& entry)
{
    std::string words = entry.id + ' ' + gallery.paper_of(entry).short_title + ' ' + entry.number + ' ' + entry.shows
                        + ' ' + entry.difference + ' ' + entry_kinds.name_of(entry.kind);
    for (const auto& value : entry.values)
        words += ' ' + value.name;
    return toQString(words);
}

}   // namespace

PapersPage::PapersPage(const Gallery& gallery, QWidget* parent)
    : ToolPage({.id = QStringLiteral("papers"), .title = tr("Papers"), .help = papersPageHelp, .cancels = false},
               parent),
      m_gallery(gallery), m_tree(new QTreeWidget(this)), m_text(new QTextBrowser(this)), m_chart(new ChartView(this))
{
    auto* content = buildContent();
    fillTree();
    setContent(nullptr, content);
    m_tree->setIndentation(12);   // two levels
    connect(m_tree, &QTreeWidget::currentItemChanged, this, &PapersPage::showChosen);
    connect(new QShortcut(QKeySequence(QKeySequence::Find), this), &QShortcut::activated, m_words, [this] {
        m_words->setFocus(Qt::ShortcutFocusReason);
        m_words->selectAll();
    });
    filter();
    if (!m_items.empty())
        m_tree->setCurrentItem(m_items.front());
    m_tree->setFocus();
}

QWidget* PapersPage::buildContent()
{
    m_tree->setObjectName(QStringLiteral("papersTree"));
    m_tree->setAccessibleName(tr("Tables, figures and claims of the papers"));
    m_tree->setColumnCount(2);
    m_tree->setHeaderLabels({tr("Where"), tr("Status")});
    m_tree->setUniformRowHeights(true);
    for (auto* frameless : std::initializer_list<QFrame*>{m_tree, m_text})
        frameless->setFrameShape(QFrame::NoFrame);
    m_tree->header()->setStretchLastSection(true);
    m_text->setObjectName(QStringLiteral("papersText"));
    m_text->setAccessibleName(tr("Selected entry"));
    m_text->setOpenLinks(false);
    m_text->document()->setDocumentMargin(10);
    m_chart->setObjectName(QStringLiteral("papersChart"));
    m_chart->setAccessibleName(tr("Chart of published values and ours"));
    m_chart->offers().exportFigure->setVisible(false);   // exports are of runs
    m_chart->hide();

    auto* right  = new QWidget(this);
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_text, 1);
    column->addWidget(m_chart, 1);
    column->addLayout(buildButtons());
    auto* halves = new QSplitter(Qt::Horizontal, this);
    halves->addWidget(m_tree);
    halves->addWidget(right);
    halves->setSizes({380, 600});
    halves->setStretchFactor(1, 1);
    halves->setChildrenCollapsible(false);
    auto* content = new QWidget(this);
    auto* rows    = new QVBoxLayout(content);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addLayout(buildFilters());
    rows->addWidget(halves, 1);
    return content;
}

QLayout* PapersPage::buildFilters()
{
    m_words = new QLineEdit(this);
    describeControl(m_words, QStringLiteral("papersFilter"), tr("Search the entries"),
                    tr("Show only entries with all of these words, in any order (Ctrl+F)"));
    m_words->setPlaceholderText(tr("Search"));
    m_words->setClearButtonEnabled(true);
    m_words->setMinimumWidth(200);
    limitWithText(m_words, 260);
    m_status = new QComboBox(this);
    describeControl(m_status, QStringLiteral("papersStatus"), tr("Status of the entries"),
                    tr("Show only entries with this status"));
    m_status->addItem(tr("Any status"), anyStatus);
    for (const auto& [status, name] : entry_statuses) {
        m_status->addItem(toQString(title_of(status)), static_cast<int>(status));
        m_status->setItemData(m_status->count() - 1, toQString(meaning_of(status)), Qt::ToolTipRole);
    }
    m_counts = new QLabel(this);
    m_counts->setObjectName(QStringLiteral("papersCounts"));
    m_counts->setWordWrap(true);
    connect(m_words, &QLineEdit::textChanged, this, &PapersPage::filter);
    connect(m_status, &QComboBox::currentIndexChanged, this, &PapersPage::filter);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_words);
    row->addWidget(m_status);
    row->addStretch(1);
    row->addWidget(takeHelp());
    auto* rows = new QVBoxLayout;
    rows->addLayout(row);
    rows->addWidget(m_counts);   // wraps
    return rows;
}

QLayout* PapersPage::buildButtons()
{
    const auto add = [this](QPushButton* button, const QString& name, auto act) {
        button->setObjectName(name);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, [this, act] {
            if (const auto* entry = chosen())
                act(*entry);
        });
        return button;
    };
    m_run   = add(new PrimaryButton(tr("Run &it"), this), QStringLiteral("papersRun"),
                  [this](const GalleryEntry& entry) { Q_EMIT runRequested(toQString(entry.id), false); });
    m_quick = add(new QPushButton(tr("&Quick version"), this), QStringLiteral("papersQuick"),
                  [this](const GalleryEntry& entry) { Q_EMIT runRequested(toQString(entry.id), true); });
    m_open  = add(new QPushButton(tr("&Open result"), this), QStringLiteral("papersOpen"),
                  [this](const GalleryEntry& entry) { Q_EMIT openRequested(toQString(entry.id)); });
    m_copy  = add(new QPushButton(tr("&Copy command"), this), QStringLiteral("papersCopy"),
                  [this](const GalleryEntry& entry) {
        QGuiApplication::clipboard()->setText(toQString(command_of(entry)));
        notify(tr("Copied: %1").arg(toQString(command_of(entry))));
    });
    m_time  = new QLabel(this);
    m_time->setObjectName(QStringLiteral("papersTime"));
    m_time->setWordWrap(true);
    auto* buttons = new FlowLayout;
    for (auto* button : {m_run, m_quick, m_open, m_copy})
        buttons->addWidget(button);
    auto* rows = new QVBoxLayout;
    rows->addWidget(m_time);
    rows->addLayout(buttons);
    return rows;
}

void PapersPage::fillTree()
{
    QFont bold = m_tree->font();
    bold.setBold(true);
    for (const auto& paper : m_gallery.papers) {
        const auto entries  = m_gallery.of_paper(paper.id);
        const auto counts   = counts_of(entries);
        const QString agree = tr("%1 of %2 agree").arg(toQString(counts[EntryStatus::agrees]), toQString(counts.all()));
        auto* group         = new QTreeWidgetItem(m_tree, {toQString(paper.short_title), agree});
        group->setFont(whereColumn, bold);
        group->setToolTip(whereColumn, toQString(paper.title));
        group->setToolTip(statusColumn, toQString(counts.text()));
    }
    for (const auto& entry : m_gallery.entries) {
        const auto paper = std::find_if(m_gallery.papers.begin(), m_gallery.papers.end(),
                                        [&](const Paper& one) { return one.id == entry.paper; });
        auto* item       = new QTreeWidgetItem(m_tree->topLevelItem(static_cast<int>(paper - m_gallery.papers.begin())),
                                               {toQString(entry.number), toQString(title_of(entry.status))});
        item->setIcon(whereColumn, icon(iconOf(entry.kind)));
        item->setToolTip(whereColumn, toQString(entry.shows));
        item->setToolTip(statusColumn, toQString(entry.difference));
        item->setData(whereColumn, Qt::UserRole, toQString(entry.id));
        m_items.push_back(item);
    }
    m_tree->expandAll();
    m_tree->setColumnWidth(whereColumn, 250);
    rememberColumns(m_tree->header(), QStringLiteral("papers"));
}

void PapersPage::filter()
{
    const auto words       = m_words->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const int status       = m_status->currentData().toInt();
    QTreeWidgetItem* first = nullptr;
    int shown              = 0;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const auto& entry  = m_gallery.entries[i];
        const QString text = wordsOfEntry(m_gallery, entry);
        const bool fits    = (status == anyStatus || status == static_cast<int>(entry.status))
                          && std::all_of(words.begin(), words.end(),
                                         [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
        m_items[i]->setHidden(!fits);
        shown += fits ? 1 : 0;
        if (fits && !first)
            first = m_items[i];
    }
    for (int group = 0; group < m_tree->topLevelItemCount(); ++group) {
        auto* item = m_tree->topLevelItem(group);
        bool any   = false;
        for (int i = 0; i < item->childCount(); ++i)
            any = any || !item->child(i)->isHidden();
        item->setHidden(!any);
    }
    const bool all = shown == static_cast<int>(m_items.size());
    m_counts->setText(toQString(counts_of(m_gallery).text())
                      + (all ? QString() : tr(" · %1 listed").arg(toQString(shown))));
    if (auto* now = m_tree->currentItem(); first && (!now || now->isHidden()))
        m_tree->setCurrentItem(first);
    showChosen();
}

const GalleryEntry* PapersPage::chosen() const
{
    const auto* item = m_tree->currentItem();
    if (!item || item->isHidden())
        return nullptr;
    const auto at = std::find(m_items.begin(), m_items.end(), item);
    return at == m_items.end() ? nullptr : &m_gallery.entries[static_cast<std::size_t>(at - m_items.begin())];
}

void PapersPage::choose(const QString& id)
{
    for (std::size_t i = 0; i < m_items.size(); ++i)
        if (toQString(m_gallery.entries[i].id) == id)
            m_tree->setCurrentItem(m_items[i]);
}

void PapersPage::notify(const QString& sentence) { bar()->warn(sentence); }

void PapersPage::setOpenable(std::function<bool(const GalleryEntry&)> openable)
{
    m_openable = std::move(openable);
    refreshButtons();
}

void PapersPage::showChosen()
{
    const auto* entry = chosen();
    const auto chart  = entry ? benchmark_chart(m_gallery, *entry) : std::nullopt;
    if (chart)
        m_chart->setChart(*chart);
    m_chart->setVisible(chart.has_value());
    if (entry) {
        m_text->clear();
        if (const QImage picture = thumbnailOf(*entry, thumbnailWidth, devicePixelRatioF()); !picture.isNull())
            m_text->document()->addResource(QTextDocument::ImageResource, QUrl(QStringLiteral("thumbnail")), picture);
        QString html = entryAsHtml(m_gallery, *entry, palette().color(QPalette::AlternateBase));
        if (chart)
            html += paragraph(tr("<b>Chart:</b> %1").arg(htmlFrom(chart->caption)));
        m_text->setHtml(html);
    } else if (const auto* paper = m_tree->currentItem(); paper && !paper->isHidden()) {
        const auto& one = m_gallery.papers[static_cast<std::size_t>(
            m_tree->indexOfTopLevelItem(const_cast<QTreeWidgetItem*>(paper)))];
        m_text->setHtml(QStringLiteral("<h3>%1</h3><p><i>%2.</i> %3</p><p>%4.</p>")
                            .arg(toQString(one.short_title).toHtmlEscaped(), toQString(one.title).toHtmlEscaped(),
                                 toQString(one.citation).toHtmlEscaped(),
                                 toQString(counts_of(m_gallery.of_paper(one.id)).text())));
    } else {
        m_text->setPlainText(tr("No entry matches the search and the status."));
    }
    refreshButtons();
}

void PapersPage::refreshButtons()
{
    const auto* entry = chosen();
    const bool page   = entry
                      && (std::holds_alternative<MadeByPage>(entry->how)
                          || std::holds_alternative<MadeByBandit>(entry->how));   // run on the bandit page
    const bool sweep = entry && std::holds_alternative<MadeBySweep>(entry->how);
    const bool runs  = entry && (is_run(*entry) || page);
    const bool quick = entry && has_quick_version(*entry);
    m_run->setText(page ? tr("&Show it") : tr("Run &it"));
    m_run->setEnabled(runs);
    const QString made = entry ? madeByText(*entry) : QString();
    const QString time = entry ? toQString(time_text(entry->minutes)) : QString();
    m_run->setToolTip(!entry  ? QString()
                      : page  ? tr("Open %1").arg(made)
                      : sweep ? tr("Open the sweep page with %1; running it takes %2 on two cores").arg(made, time)
                      : runs  ? tr("Reproduce it by %1; this takes %2 on two cores").arg(made, time)
                              : tr("This result cannot be reproduced in the window; use Copy command to copy the "
                                    "command, if there is one"));
    m_quick->setEnabled(quick);
    const QString quickTime = quick ? toQString(time_text(entry->quick_minutes)) : QString();
    m_quick->setToolTip(!quick ? tr("This entry has no quick version")
                               : tr("Check that everything works; the numbers need not agree with the printed ones")
                                     + (quickTime.isEmpty() ? QString() : tr(". It takes %1").arg(quickTime)));
    const bool open = entry && m_openable && m_openable(*entry);
    m_open->setEnabled(open);
    m_open->setToolTip(open ? tr("Show an earlier result") : tr("No results yet"));
    m_copy->setEnabled(entry && !command_of(*entry).empty());
    m_copy->setToolTip(m_copy->isEnabled() ? toQString(command_of(*entry)) : tr("No command reproduces this entry"));
    m_time->setText(entry && is_run(*entry) ? timesText(*entry) : QString());
    m_time->setVisible(!m_time->text().isEmpty());
}

/// Table shades follow the theme.
void PapersPage::changeEvent(QEvent* event)
{
    ToolPage::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_time)
        showChosen();
}
