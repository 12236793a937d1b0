// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/fields.h"

#include <QString>

/// What a setting is, in words of its own, as HTML: label, unit, help, choices or what it takes, the value of now, its default and its path.
QString fieldHelp(const credence::Field& field, const credence::FieldValue& now);
