// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/input_groups.h"
#include "session/selection.h"

#include <QObject>
#include <QTimer>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

class ViewBinder;
struct AppContext;

namespace credence {
struct Experiment;
}

/// The selected row of a table with more than two inputs, and the user's changes to it by *What if*
/// or the handle of a slice. The changed row becomes the selected input, so that all its views
/// follow.
class ChangedRow : public QObject {
    Q_OBJECT
public:
    /// The values of a numeric input in the training rows.
    struct Numbers {
        double low = 0, high = 1;   ///< low < high
        double step      = 0.01;    ///< a power of ten
        int decimals     = 2;       ///< of the step
        bool whole       = false;   ///< only whole numbers
        bool logarithmic = false;   ///< see LogAxis::proposed
    };

    ChangedRow(AppContext& context, ViewBinder& binder, QObject* parent);

    /// The inputs of the displayed table; empty: it has no such row.
    const std::vector<credence::InputGroup>& inputs() const { return m_inputs; }
    std::optional<std::size_t> inputNamed(const std::string& name) const;
    const Numbers& numbersOf(std::size_t input) const;               ///< for an input that is a number
    const std::vector<double>& values() const { return m_values; }   ///< original units [n_features]; empty: none
    double valueOf(std::size_t input) const { return m_inputs[input].value_of(m_values); }
    bool isChanged() const { return m_changed; }
    /// The input that was set last, if the row had already been changed before.
    std::optional<std::size_t> movedInput() const { return m_moved; }

    void set(std::size_t input, double value);   ///< a number, or the index of a category
    /// Returns the nearest value that the input can have: within the range of the training rows and
    /// the unchanged row, integer if all values are integers, and rounded to the precision of a
    /// pointer.
    double nearest(std::size_t input, double value) const;
    void reset();   ///< selects the unchanged row again

signals:
    void changed();   ///< another row, or another value

private:
    void fit(const credence::Experiment& experiment, bool otherData);
    void followSelection();
    void choose(bool moving);

    AppContext& m_context;
    std::vector<credence::InputGroup> m_inputs;
    mutable std::vector<std::optional<Numbers>> m_numbers;   ///< [inputs], made when needed
    ChosenInput m_origin;                                    ///< the row before any change
    std::vector<double> m_original, m_values;                ///< before and after [n_features]
    bool m_changed = false, m_choosing = false;
    std::optional<std::size_t> m_moved;
    QTimer m_rest;   ///< delays updates until the control stops
};
