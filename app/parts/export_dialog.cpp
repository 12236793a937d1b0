// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/export_dialog.h"

#include "parts/ask_path.h"
#include "parts/tab_order.h"
#include "session/settings.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>

ExportDialog::ExportDialog(const std::vector<std::pair<QString, QString>>& views, const QString& chosen, bool report,
                           QWidget* parent)
    : QDialog(parent), m_views(new QListWidget(this)), m_width(new QDoubleSpinBox(this)),
      m_height(new QDoubleSpinBox(this)), m_dpi(new QSpinBox(this)), m_folder(new QLineEdit(this)), m_report(report)
{
    setWindowTitle(report ? tr("Report") : tr("Export figures"));
    setObjectName(QStringLiteral("exportDialog"));
    for (const auto& [id, title] : views) {
        auto* item = new QListWidgetItem(title, m_views);
        item->setData(Qt::UserRole, id);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(chosen.isEmpty() || id == chosen ? Qt::Checked : Qt::Unchecked);
    }
    m_views->setObjectName(QStringLiteral("exportViews"));
    m_views->setAccessibleName(tr("Figures"));
    m_views->setMinimumHeight(180);
    connect(m_views, &QListWidget::itemChanged, this, &ExportDialog::refresh);

    auto* formats = new QHBoxLayout;
    const std::vector<std::pair<QString, QString>> known =
        report ? std::vector<std::pair<QString, QString>>{{"pdf", "PDF"}, {"html", "HTML"}}
               : std::vector<std::pair<QString, QString>>{
                   {"pdf", "PDF"}, {"svg", "SVG"}, {"png", "PNG"}, {"csv", "CSV"}, {"tex", "LaTeX"}};
    for (const auto& [suffix, title] : known) {
        auto* box = new QCheckBox(title, this);
        box->setObjectName("format/" + suffix);
        box->setChecked(suffix == QStringLiteral("pdf") || report);
        connect(box, &QCheckBox::toggled, this, &ExportDialog::refresh);
        formats->addWidget(box);
        m_formats.emplace_back(suffix, box);
    }
    formats->addStretch(1);

    const auto millimetres = [this](QDoubleSpinBox* box, double value, const QString& name) {
        box->setRange(20, 1000);
        box->setDecimals(0);
        box->setSuffix(tr(" mm"));
        box->setValue(value);
        box->setAccessibleName(name);
    };
    millimetres(m_width, read(settings::exportWidth), tr("Width"));
    millimetres(m_height, read(settings::exportHeight), tr("Height"));
    m_dpi->setRange(50, 1200);
    m_dpi->setSuffix(tr(" dpi"));
    m_dpi->setValue(read(settings::exportDpi));
    m_dpi->setAccessibleName(tr("Resolution of PNG"));
    auto* size = new QHBoxLayout;
    size->addWidget(m_width);
    size->addWidget(new QLabel(QStringLiteral("×"), this));
    size->addWidget(m_height);
    size->addWidget(m_dpi);
    size->addStretch(1);

    m_folder->setObjectName(QStringLiteral("exportFolder"));
    const QString last = read(settings::lastFolder);
    m_folder->setText(QDir::toNativeSeparators(last.isEmpty() ? QDir::homePath() : last));
    auto* browse = new QPushButton(tr("Browse…"), this);
    connect(browse, &QPushButton::clicked, this, [this] {
        askForFolder(tr("Folder for the files"), m_folder->text(), this,
                     [this](const QString& chosen) { m_folder->setText(QDir::toNativeSeparators(chosen)); });
    });
    connect(m_folder, &QLineEdit::textChanged, this, &ExportDialog::refresh);
    auto* folder = new QHBoxLayout;
    folder->addWidget(m_folder, 1);
    folder->addWidget(browse);

    auto* form = new QFormLayout;
    form->addRow(tr("&Figures"), m_views);
    form->addRow(tr("Formats"), formats);
    if (!report)
        form->addRow(tr("Size"), size);
    else
        for (QWidget* part : std::initializer_list<QWidget*>{m_width, m_height, m_dpi})
            part->hide();
    auto* folderLabel = new QLabel(tr("F&older"), this);
    folderLabel->setBuddy(m_folder);
    form->addRow(folderLabel, folder);
    m_note = new QLabel(
        tr("Each file carries the Study that made it: File › Open brings it back. Files use the palette of print."),
        this);
    m_note->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_write       = buttons->addButton(tr("&Write"), QDialogButtonBox::AcceptRole);
    m_write->setObjectName(QStringLiteral("writeFiles"));
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        write(settings::lastFolder, m_folder->text());
        write(settings::exportWidth, m_width->value());
        write(settings::exportHeight, m_height->value());
        write(settings::exportDpi, m_dpi->value());
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* all = new QVBoxLayout(this);
    all->addLayout(form);
    all->addWidget(m_note);
    all->addWidget(buttons);
    resize(480, sizeHint().height());
    refresh();
    orderTabs({this});
}

void ExportDialog::setNote(const QString& note) { m_note->setText(note); }

ExportOrder ExportDialog::order() const
{
    ExportOrder order;
    for (int i = 0; i < m_views->count(); ++i)
        if (m_views->item(i)->checkState() == Qt::Checked)
            order.views += m_views->item(i)->data(Qt::UserRole).toString();
    for (const auto& [suffix, box] : m_formats)
        if (box->isChecked())
            order.suffixes += suffix;
    order.folder  = QDir::fromNativeSeparators(m_folder->text());
    order.report  = m_report ? QStringLiteral("report") : QString();
    order.options = {m_width->value(), m_height->value(), m_dpi->value()};
    return order;
}

void ExportDialog::refresh()
{
    const auto wanted = order();
    const bool folder = QFileInfo(wanted.folder).isDir() && QFileInfo(wanted.folder).isWritable();
    m_write->setEnabled(folder && !wanted.views.isEmpty() && !wanted.suffixes.isEmpty());
    m_write->setToolTip(
        !folder                  ? tr("The folder does not exist or cannot be written to")
        : wanted.views.isEmpty() ? tr("Tick at least one figure")
        : wanted.suffixes.isEmpty()
            ? tr("Tick at least one format")
            : tr("Files to be written: %1")
                  .arg(m_report ? wanted.suffixes.size() : wanted.views.size() * wanted.suffixes.size()));
}
