// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/export_dialog.h"

#include "parts/appearance.h"
#include "parts/ask_path.h"
#include "parts/form_controls.h"
#include "parts/keyboard.h"
#include "parts/setting_lines.h"
#include "parts/sheet.h"
#include "session/settings.h"
#include "work/text.h"

#include "charts/figure_files.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include <utility>

using namespace credence;

namespace {

QWidget* sideBySide(std::initializer_list<QWidget*> parts, QWidget* parent)
{
    auto* row    = new QWidget(parent);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    for (auto* part : parts)
        layout->addWidget(part);
    layout->addStretch(1);
    return row;
}

}   // namespace

void askToReplace(const ExportOrder& order, QWidget* window, std::function<void(const ExportOrder&)> go)
{
    const auto existing = order.existing();
    if (existing.isEmpty())
        return go(order);
    constexpr int named = 5;
    QStringList names;
    for (const auto& file : existing.mid(0, named))
        names += QFileInfo(file).fileName();
    if (existing.size() > named)
        names += ExportDialog::tr("and %1 more").arg(existing.size() - named);
    const QString folder = QDir::toNativeSeparators(order.folder);
    auto* question       = new Sheet(QStringLiteral("replaceFiles"), ExportDialog::tr("Replace files?"),
                               existing.size() == 1
                                         ? ExportDialog::tr("%1 already exists in %2.").arg(names.front(), folder)
                                         : ExportDialog::tr("%1 of these files already exist in %2: %3.")
                                         .arg(existing.size())
                                         .arg(folder, names.join(QStringLiteral(", "))),
                                     window);
    question->addAnswer(ExportDialog::tr("&Replace"), QStringLiteral("replace"), [order, go] { go(order); });
    question
        ->addAnswer(ExportDialog::tr("&Keep both"), QStringLiteral("keepBoth"),
                    [order, go = std::move(go)] { go(order.keepingBoth()); })
        ->setToolTip(ExportDialog::tr("Append -2, -3, … to the new file names"));
    question->open();
}

ExportDialog::ExportDialog(const ExportChoices& choices, QWidget* parent)
    : QDialog(parent),
      m_views(new FigureTicks(choices.figures, choices.chosen,
                              choices.report.isEmpty() ? QStringList() : read(settings::reportLeftOut), this)),
      m_runs(choices.runFiles), m_names(choices.names), m_report(choices.report), m_page(new QComboBox(this)),
      m_caption(new QComboBox(this)), m_width(new QDoubleSpinBox(this)), m_height(new QDoubleSpinBox(this)),
      m_font(new QDoubleSpinBox(this)), m_dpi(new QSpinBox(this)),
      m_title(new QCheckBox(tr("&Title above the figure"), this)), m_table(new QCheckBox(tr("Ta&ble below it"), this)),
      m_folder(new FolderField(this)), m_note(new QLabel(choices.note, this)), m_files(new QLabel(this))
{
    const bool report = !m_report.isEmpty();
    setWindowTitle(report ? tr("Report") : tr("Export figures"));
    setObjectName(QStringLiteral("exportDialog"));
    m_views->setMinimumHeight(report ? 130 : 70);
    auto* body = new LineScroll(this, 1);   // with large text on a small screen
    body->setFocusPolicy(Qt::NoFocus);
    auto* page = new QWidget(body);
    auto* form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 8, 0);
    form->addRow(report ? tr("&Chapters") : tr("&Figures"), m_views);
    if (!choices.runs.isEmpty())
        addRuns(form, choices);
    form->addRow(tr("Formats"), formats(report));
    for (auto* row : {pageRow(), sizeRow(), lettersRow()})
        if (report)
            row->hide();   // pages of a report are A4
        else
            form->addRow(row->accessibleName(), row);
    auto* captionLabel = new QLabel(tr("C&aption"), this);
    captionLabel->setBuddy(m_caption);
    if (!report)
        form->addRow(captionLabel, m_caption);
    captionLabel->setHidden(report);
    m_caption->setHidden(report);
    auto* folderLabel = new QLabel(tr("F&older"), this);
    folderLabel->setBuddy(m_folder->editor());
    connect(m_folder, &FolderField::changed, this, &ExportDialog::refresh);
    form->addRow(folderLabel, m_folder);

    if (choices.note.isEmpty())
        m_note->setText(
            tr("Each file contains the Study that made it; open it with File › Open. Files use the print palette."));
    m_note->setWordWrap(true);
    m_files->setObjectName(QStringLiteral("exportFiles"));
    m_files->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_write       = buttons->addButton(tr("&Write"), QDialogButtonBox::AcceptRole);
    m_write->setObjectName(QStringLiteral("writeFiles"));
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_views, &FigureTicks::changed, this, &ExportDialog::refresh);

    auto* middle = new QHBoxLayout;
    body->setWidget(page);
    middle->addWidget(body, 3);
    addPreview(middle, choices);
    auto* all = new QVBoxLayout(this);
    all->addLayout(middle, 1);
    all->addWidget(m_files);
    all->addWidget(m_note);
    all->addWidget(buttons);
    resizeWithText(*this, m_preview ? 860 : 480, std::min(640, atUsualFont(sizeHint().height())));
    refresh();
    orderTabs({this});
}

/// Exports the displayed run or each ticked run.
void ExportDialog::addRuns(QFormLayout* form, const ExportChoices& choices)
{
    const auto& names = choices.runs;
    m_of              = new QComboBox(this);
    m_of->setObjectName(QStringLiteral("exportOf"));
    m_of->addItem(tr("the displayed run, as on screen"));
    m_of->addItem(names.size() == 1 ? tr("the ticked run: %1").arg(names.front())
                                    : tr("each of the %1 ticked runs, at its last step").arg(names.size()));
    m_of->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);   // names may be long
    m_of->setMinimumContentsLength(24);
    m_of->setItemData(1, names.join(QLatin1Char('\n')), Qt::ToolTipRole);
    m_of->setToolTip(tr("Export the same figures for every ticked run in the table of runs; file names start with "
                        "the run's name"));
    connect(m_of, &QComboBox::currentIndexChanged, this, [this] { m_views->offerOnlyThoseOfEachRun(eachRun()); });
    m_of->setCurrentIndex(choices.ofEachRun ? 1 : 0);
    auto* label = new QLabel(tr("R&uns"), this);
    label->setBuddy(m_of);
    form->addRow(label, m_of);
}

bool ExportDialog::eachRun() const { return m_of && m_of->currentIndex() == 1; }

QWidget* ExportDialog::formats(bool report)
{
    using Known      = std::vector<std::pair<QString, QString>>;
    const auto known = report ? Known{{"pdf", "PDF"}, {"html", "HTML"}}
                              : Known{{"pdf", "PDF"}, {"svg", "SVG"}, {"png", "PNG"}, {"csv", "CSV"}, {"tex", "LaTeX"}};
    const auto last  = read(report ? settings::reportFormats : settings::exportFormats);
    auto* row        = new QWidget(this);
    auto* layout     = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    for (const auto& [suffix, title] : known) {
        auto* box = new QCheckBox(title, this);
        box->setObjectName("format/" + suffix);
        box->setChecked(last.contains(suffix));
        connect(box, &QCheckBox::toggled, this, &ExportDialog::refresh);
        layout->addWidget(box);
        m_formats.emplace_back(suffix, box);
    }
    layout->addStretch(1);
    return row;
}

QWidget* ExportDialog::pageRow()
{
    describeControl(m_page, QStringLiteral("exportPage"), tr("Page"),
                    tr("Select the target of the figure: a typical journal column width, or a slide"));
    for (const auto& size : figure_sizes())
        m_page->addItem(toQString(size.title), toQString(size.id));
    m_page->addItem(tr("Own size"), QString());
    connect(m_page, &QComboBox::activated, this, &ExportDialog::applyPageFormat);
    auto* row = sideBySide({m_page}, this);
    row->setAccessibleName(tr("Page"));
    return row;
}

QWidget* ExportDialog::sizeRow()
{
    const auto millimetres = [this](QDoubleSpinBox* box, double value, const QString& name, const char* object) {
        box->setRange(20, 1000);
        box->setDecimals(0);
        box->setSuffix(tr(" mm"));
        box->setValue(value);
        box->setAccessibleName(name);
        box->setToolTip(name);
        box->setObjectName(QLatin1String(object));
        connect(box, &QDoubleSpinBox::valueChanged, this, &ExportDialog::namePage);
        connect(box, &QDoubleSpinBox::valueChanged, this, &ExportDialog::refresh);
    };
    millimetres(m_width, read(settings::exportWidth), tr("Width"), "exportWidth");
    millimetres(m_height, read(settings::exportHeight), tr("Height"), "exportHeight");
    m_dpi->setRange(50, 1200);
    m_dpi->setSuffix(tr(" dpi"));
    m_dpi->setValue(read(settings::exportDpi));
    m_dpi->setAccessibleName(tr("Resolution of PNG"));
    m_dpi->setToolTip(tr("Set the dots per inch of PNG files; PDF and SVG are vector formats"));
    m_dpi->setObjectName(QStringLiteral("exportDpi"));
    namePage();
    auto* row = sideBySide({m_width, new QLabel(QStringLiteral("×"), this), m_height, m_dpi}, this);
    row->setAccessibleName(tr("Size"));
    return row;
}

QWidget* ExportDialog::lettersRow()
{
    m_font->setRange(4, 48);
    m_font->setDecimals(2);
    m_font->setSingleStep(0.5);
    m_font->setSuffix(tr(" pt"));
    m_font->setValue(read(settings::exportFont));
    m_font->setAccessibleName(tr("Font size"));
    m_font->setToolTip(tr("Set the font size of axes and legends in points; lines scale with it. Side-by-side "
                          "panels can use a font up to a fifth smaller."));
    m_font->setObjectName(QStringLiteral("exportFont"));
    m_title->setChecked(read(settings::exportTitle));
    m_title->setToolTip(tr("Draw the title above the figure: useful on slides; in a paper the caption describes "
                           "the figure"));
    m_title->setObjectName(QStringLiteral("exportTitle"));
    m_table->setChecked(read(settings::exportTable));
    m_table->setToolTip(tr("Draw the table of a figure below its panels. A wide table makes the page wider; CSV and "
                           "LaTeX files have its numbers too"));
    m_table->setObjectName(QStringLiteral("exportTable"));
    connect(m_font, &QDoubleSpinBox::valueChanged, this, &ExportDialog::refresh);
    for (const auto* box : {m_title, m_table})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::refresh);

    describeControl(m_caption, QStringLiteral("exportCaption"), tr("Caption"),
                    tr("Write a file next to each figure with its caption and all settings"));
    m_caption->addItem(tr("no separate file"), QString());
    m_caption->addItem(tr("text file with all settings (FIGURE_caption.txt)"), QStringLiteral("txt"));
    m_caption->addItem(tr("LaTeX file with all settings (FIGURE_caption.tex)"), QStringLiteral("tex"));
    m_caption->setCurrentIndex(std::max(0, m_caption->findData(read(settings::exportCaption))));
    m_caption->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_caption->setMinimumContentsLength(24);
    connect(m_caption, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    auto* row = sideBySide({m_font, m_title, m_table}, this);
    row->setAccessibleName(tr("Font size"));
    return row;
}

void ExportDialog::addPreview(QBoxLayout* columns, const ExportChoices& choices)
{
    if (!choices.preview)
        return;
    m_maker    = choices.preview;
    m_onScreen = choices.onScreen;
    m_preview  = new ExportPreview(this);
    columns->addWidget(m_preview, 2);
}

/// Applies the selected page with a readable font size.
void ExportDialog::applyPageFormat()
{
    const QString id = m_page->currentData().toString();
    if (id.isEmpty())
        return;
    const auto& size = figure_size_named(id.toStdString());
    m_width->setValue(size.width_mm);
    m_height->setValue(size.height_mm);
    m_font->setValue(size.font_pt);
    m_title->setChecked(id == QStringLiteral("slide"));
}

/// Selects the page name that matches the typed size.
void ExportDialog::namePage()
{
    QString id;
    for (const auto& size : figure_sizes())
        if (m_width->value() == size.width_mm && m_height->value() == size.height_mm)
            id = toQString(size.id);
    m_page->setCurrentIndex(m_page->findData(id));
}

ExportOrder ExportDialog::order() const
{
    ExportOrder order;
    order.views = m_views->ticked();
    for (const auto& [suffix, box] : m_formats)
        if (box->isChecked())
            order.suffixes += suffix;
    order.folder  = m_folder->path();
    order.report  = m_report;
    order.names   = m_names;
    order.copy    = m_copy;
    order.options = {m_width->value(), m_height->value(),    m_dpi->value(),
                     m_font->value(),  m_title->isChecked(), m_table->isChecked()};
    if (m_report.isEmpty())
        order.caption = m_caption->currentData().toString();
    if (eachRun())
        order.runs = m_runs;
    return order;
}

void ExportDialog::accept()
{
    m_copy = 1;
    askToReplace(order(), this, [this](const ExportOrder& order) {
        m_copy = order.copy;
        finish();
    });
}

void ExportDialog::finish()
{
    if (const QString mistake = m_folder->create(); !mistake.isEmpty())
        return m_files->setText(mistake);
    remember();
    QDialog::accept();
}

void ExportDialog::remember() const
{
    const auto order = this->order();
    write(m_report.isEmpty() ? settings::exportFormats : settings::reportFormats, order.suffixes);
    if (!m_report.isEmpty()) {
        write(settings::reportLeftOut, m_views->leftOut());
        return;
    }
    write(settings::exportWidth, order.options.widthMm);
    write(settings::exportHeight, order.options.heightMm);
    write(settings::exportDpi, order.options.dpi);
    write(settings::exportFont, order.options.fontPt);
    write(settings::exportTitle, order.options.title);
    write(settings::exportTable, order.options.table);
    write(settings::exportCaption, order.caption);
}

void ExportDialog::refresh()
{
    const auto wanted = order();
    const auto files  = wanted.files();
    QString why       = m_folder->mistake();
    if (why.isEmpty() && wanted.views.isEmpty())
        why = tr("Tick at least one figure.");
    if (why.isEmpty() && wanted.suffixes.isEmpty())
        why = tr("Tick at least one format.");
    m_write->setEnabled(why.isEmpty());
    QString sentence = why;
    if (sentence.isEmpty()) {
        sentence = files.size() == 1 ? tr("Files: %1.").arg(QFileInfo(files.front()).fileName())
                                     : tr("%1 files: %2, …").arg(files.size()).arg(QFileInfo(files.front()).fileName());
        if (!QFileInfo::exists(wanted.folder))
            sentence += tr(" The folder %1 will be created.").arg(QDir::toNativeSeparators(wanted.folder));
    }
    m_files->setText(sentence);
    m_write->setToolTip(sentence);
    if (!m_preview)
        return;
    const QString id = m_views->inFront();
    m_preview->setOptions(wanted.options);
    m_preview->showFigure(id, id.isEmpty() ? ExportPreview::Maker() : m_maker(id),
                          id.isEmpty() || !m_onScreen ? nullptr : m_onScreen(id));
}
