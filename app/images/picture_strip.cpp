// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/picture_strip.h"

#include "images/tool_button.h"
#include "parts/help_mark.h"
#include "parts/icons.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>

namespace {

QString pictureHelp()
{
    return PictureStrip::tr(
        "<b>Your images</b><p>Any image can be the selected input: boxplots, verdict, simplex, attack and nearest "
        "images then show the network's prediction for it. Choose a file or folder with the button above the "
        "images, drop them onto the images, or paste an image (Ctrl+V).</p><p>Each image is resized to the size of "
        "the training images, with the same filter as the training and OOD images, and converted to grey if they "
        "are grey. If the training images have a uniform background, as digits on black do, the image keeps its "
        "proportions, and it is inverted if its border is light and theirs is dark, or vice versa; <i>Inverted</i> "
        "shows this and lets you change it. The true class of the image is unknown.</p>");
}

}   // namespace

PictureStrip::PictureStrip(QWidget* parent)
    : QWidget(parent), m_strip(new ThumbnailStrip(this)), m_scroll(new QScrollArea(this)), m_words(new QLabel(this)),
      m_invert(new QCheckBox(tr("Inverted"), this))
{
    setObjectName(QStringLiteral("pictureStrip"));
    m_strip->setObjectName(QStringLiteral("ownPictures"));
    m_strip->setAccessibleName(tr("Your images"));
    connect(m_strip, &ThumbnailStrip::activated, this, &PictureStrip::activated);
    m_words->setObjectName(QStringLiteral("pictureWords"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_invert->setObjectName(QStringLiteral("pictureInverted"));
    m_invert->setToolTip(
        tr("Exchange light and dark. The initial setting makes the border light or dark like that of the training "
           "images"));
    connect(m_invert, &QCheckBox::toggled, this, &PictureStrip::inversionChanged);
    auto* close = toolButton(QStringLiteral("pictureClose"), tr("Close these images"), this);
    close->setIcon(icon(QStringLiteral("cancel")));
    connect(close, &QToolButton::clicked, this, &PictureStrip::closed);

    auto* line = new QHBoxLayout;
    line->setSpacing(2);
    line->addWidget(m_words, 1);
    line->addWidget(m_invert);
    line->addWidget(new HelpMark(
        tr("Your images"), [] { return pictureHelp(); }, this));
    line->addWidget(close);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(false);
    m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);   // the focus belongs to the images in it
    m_scroll->setWidget(m_strip);
    m_scroll->setFixedHeight(m_strip->sizeHint().height() + m_scroll->horizontalScrollBar()->sizeHint().height());
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(6, 2, 4, 0);
    all->setSpacing(0);
    all->addLayout(line);
    all->addWidget(m_scroll);
    hide();
}

void PictureStrip::setEntries(std::vector<Entry> entries)
{
    m_entries = std::move(entries);
    m_current = std::clamp(m_current, 0, std::max(0, count() - 1));
    showEntries();
    setVisible(!m_entries.empty());
}

void PictureStrip::setCurrent(int index)
{
    m_current = index;
    showEntries();
    const int column = m_strip->wholeWidth() / std::max(1, count());
    m_scroll->ensureVisible(index * column + column / 2, 0, column, 0);
}

void PictureStrip::setChosen(bool chosen)
{
    if (std::exchange(m_chosen, chosen) != chosen)
        showEntries();
}

void PictureStrip::showEntries()
{
    std::vector<ThumbnailStrip::Thumbnail> thumbnails;
    for (int i = 0; i < count(); ++i) {
        const auto& each = m_entries[static_cast<std::size_t>(i)];
        thumbnails.push_back({.picture = each.prepared,
                              .first   = each.name,
                              .second  = each.inverted ? tr("inverted") : QString(),
                              .tip     = tr("%1: %2").arg(each.name, each.note),
                              .chosen  = m_chosen && i == m_current});
    }
    m_strip->setThumbnails(std::move(thumbnails));
    m_strip->resize(std::max(1, m_strip->wholeWidth()), m_strip->sizeHint().height());
    if (m_entries.empty())
        return;
    const auto& now = m_entries[static_cast<std::size_t>(m_current)];
    m_words->setText(tr("%1: %2").arg(now.name, now.note));
    m_words->setToolTip(m_words->text());
    const QSignalBlocker quiet(m_invert);
    m_invert->setChecked(now.inverted);
}
