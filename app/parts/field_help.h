// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/fields.h"

#include <QString>

/// Help on a setting as HTML: label, unit, help, choices or range, current value, default and path.
QString fieldHelp(const credence::Field& field, const credence::FieldValue& now);
