// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/export_dialog.h"

#include "parts/appearance.h"
#include "parts/ask_path.h"
#include "parts/form_controls.h"
#include "parts/keyboard.h"
#include "parts/setting_lines.h"
#include "runs/film_frames.h"
#include "session/settings.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSize>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace credence;

namespace {

constexpr double leastFilmSeconds = 0.2, mostFilmSeconds = 600;

QComboBox* filmBox(const QString& name, const QString& label, const QString& tip, QWidget* parent)
{
    auto* box = new QComboBox(parent);
    describeControl(box, name, label, tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(24);
    return box;
}

}   // namespace

FilmDialog::FilmDialog(FilmChoices choices, QWidget* parent)
    : QDialog(parent), m_choices(std::move(choices)),
      m_view(filmBox(QStringLiteral("filmView"), tr("View"), tr("Select the view to film"), this)),
      m_format(filmBox(QStringLiteral("filmFormat"), tr("Format"),
                       tr("Select one animated file for slides and web pages, or separate images"), this)),
      m_size(filmBox(QStringLiteral("filmSize"), tr("Size"), tr("Select the size of a frame in pixels"), this)),
      m_frames(countBox(QStringLiteral("filmFrames"), tr("Frames"),
                        tr("Set the number of frames, evenly chosen from the recorded steps"),
                        std::min(m_choices.recorded, static_cast<int>(usual_film_frames)), 2, m_choices.recorded,
                        this)),
      m_seconds(new QDoubleSpinBox(this)), m_dark(new QCheckBox(tr("&Dark background"), this)),
      m_title(new QLineEdit(this)), m_folder(new FolderField(this)), m_note(new QLabel(this)),
      m_preview(new ExportPreview(this))
{
    setWindowTitle(tr("Film of the run"));
    setObjectName(QStringLiteral("filmDialog"));
    for (const auto& view : m_choices.views)
        m_view->addItem(view.title, view.id);
    m_view->setCurrentIndex(std::max(0, m_view->findData(m_choices.chosen)));
    m_format->addItem(tr("Animated PNG"), QStringLiteral("png"));
    m_format->addItem(tr("GIF (256 colours per frame)"), QStringLiteral("gif"));
    m_format->addItem(tr("Series of PNG files in a new folder"), QString::fromLatin1(film_folder_suffix));
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080), QSize(1024, 768), QSize(800, 450)})
        m_size->addItem(tr("%1 × %2 pixels").arg(size.width()).arg(size.height()), size);
    describeBox(m_seconds, QStringLiteral("filmSeconds"), tr("Duration"),
                tr("Set the duration of the film; the last frame is shown 2 seconds longer"));
    m_seconds->setRange(leastFilmSeconds, mostFilmSeconds);
    m_seconds->setDecimals(1);
    m_seconds->setSuffix(tr(" s"));
    m_seconds->setValue(m_frames->value() / std::max(1e-3, read(settings::filmSpeed)));
    describeControl(m_dark, QStringLiteral("filmDark"), tr("Dark background"),
                    tr("Use light text on a dark background"));
    describeControl(m_title, QStringLiteral("filmCaption"), tr("Caption"),
                    tr("Type the start of the caption; the step follows. Empty: data and method"));
    m_title->setPlaceholderText(tr("Data and method"));

    auto* body = new LineScroll(this, 1);   // with large text on a small screen
    body->setFocusPolicy(Qt::NoFocus);
    auto* form = new QWidget(body);
    addForm(form);
    body->setWidget(form);
    m_note->setObjectName(QStringLiteral("filmNote"));
    m_note->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_write       = buttons->addButton(tr("&Write"), QDialogButtonBox::AcceptRole);
    m_write->setObjectName(QStringLiteral("writeFilm"));
    connect(buttons, &QDialogButtonBox::accepted, this, &FilmDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (auto* box : {m_view, m_format, m_size})
        connect(box, &QComboBox::currentIndexChanged, this, &FilmDialog::refresh);
    connect(m_frames, &QSpinBox::valueChanged, this, &FilmDialog::refresh);
    connect(m_seconds, &QDoubleSpinBox::valueChanged, this, [this] {
        m_paced = true;
        refresh();
    });
    connect(m_dark, &QCheckBox::toggled, this, &FilmDialog::refresh);
    connect(m_title, &QLineEdit::textChanged, this, &FilmDialog::refresh);
    connect(m_folder, &FolderField::changed, this, &FilmDialog::refresh);

    auto* middle = new QHBoxLayout;
    middle->addWidget(body, 3);
    middle->addWidget(m_preview, 3);
    auto* all = new QVBoxLayout(this);
    all->addLayout(middle, 1);
    all->addWidget(m_note);
    all->addWidget(buttons);
    resizeWithText(*this, 860, std::min(640, atUsualFont(sizeHint().height())));
    refresh();
    orderTabs({this});
}

void FilmDialog::addForm(QWidget* form)
{
    auto* rows = new QFormLayout(form);
    rows->setContentsMargins(0, 0, 8, 0);
    const auto add = [&](const QString& text, QWidget* control, QWidget* editor) {
        auto* label = new QLabel(text, form);
        label->setBuddy(editor);
        rows->addRow(label, control);
    };
    add(tr("&View"), m_view, m_view);
    add(tr("&Frames"), m_frames, m_frames);
    add(tr("D&uration"), m_seconds, m_seconds);
    add(tr("F&ormat"), m_format, m_format);
    add(tr("&Size"), m_size, m_size);
    rows->addRow(QString(), m_dark);
    add(tr("C&aption"), m_title, m_title);
    add(tr("Fol&der"), m_folder, m_folder->editor());
}

FilmOrder FilmDialog::order() const
{
    FilmOrder order;
    order.view            = m_view->currentData().toString();
    order.frames          = m_frames->value();
    order.title           = m_title->text().trimmed();
    const QSize size      = m_size->currentData().toSize();
    order.style.width     = size.width();
    order.style.height    = size.height();
    order.style.dark      = m_dark->isChecked();
    order.style.duration  = std::max(shortest_frame,
                                     static_cast<int>(std::lround(100 * m_seconds->value() / order.frames)));
    order.target.suffixes = {m_format->currentData().toString()};
    order.target.folder   = m_folder->path();
    order.target.report   = m_choices.names.value(order.view, order.view) + QStringLiteral("_film");
    order.target.copy     = m_copy;
    return order;
}

void FilmDialog::accept()
{
    m_copy            = 1;
    const auto finish = [this](const ExportOrder& allowed) {
        m_copy = allowed.copy;
        if (m_paced)
            write(settings::filmSpeed, m_frames->value() / m_seconds->value());
        if (const QString mistake = m_folder->create(); mistake.isEmpty())
            QDialog::accept();
        else
            m_note->setText(mistake);
    };
    if (const auto target = order().target; target.suffixes.front() == QLatin1String(film_folder_suffix))
        finish(target.keepingBoth());
    else
        askToReplace(target, this, finish);
}

void FilmDialog::refresh()
{
    const auto wanted = order();
    const QString why = m_folder->mistake();
    m_write->setEnabled(why.isEmpty());
    m_note->setText(why.isEmpty() ? tr("File: %1. All frames have the same axes and colour scale.")
                                        .arg(QFileInfo(wanted.target.files().front()).fileName())
                                  : why);
    m_preview->setFilm(wanted.style, m_choices.frames(wanted.frames, wanted.title).back());
    m_preview->showFigure(wanted.view, m_choices.preview(wanted.view));
}
