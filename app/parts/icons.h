// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

/// The icon resources/icons/<name>.svg in the text colour that the palette has when it is painted, disabled ones paler.
QIcon icon(const QString& name);
/// A tool's icon in a colour of its own.
QIcon icon(const QString& name, const QColor& colour);
