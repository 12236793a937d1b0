// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

/// The icon resources/icons/<name>.svg in the palette's text colour at painting time; paler if
/// disabled.
QIcon icon(const QString& name);
/// A tool icon in its own colour.
QIcon icon(const QString& name, const QColor& colour);
