// SPDX-License-Identifier: GPL-3.0-or-later
#include "fetch/sha256.h"

#include "foundation/error.h"

#include <QCryptographicHash>

std::string sha256Of(credence::ByteSource& source, const std::shared_ptr<const std::atomic<bool>>& stop)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    std::vector<std::uint8_t> piece(1 << 16);
    source.rewind();
    for (std::size_t got = piece.size(); got == piece.size();) {
        if (stop && *stop)
            throw credence::Error("Cancelled.");
        got = source.read(piece);
        hash.addData(QByteArrayView(piece.data(), static_cast<qsizetype>(got)));
    }
    return hash.result().toHex().toStdString();
}

std::string sha256Of(credence::ByteSource& source) { return sha256Of(source, nullptr); }
