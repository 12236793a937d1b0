// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QTcpServer>

#include <map>

/// The server's answer to one path, and how the transfer fails.
struct Page {
    QByteArray body;
    int status         = 200;
    qint64 cutAfter    = -1;     ///< closes the connection after this many bytes of an announced longer body
    int pieceEvery     = 0;      ///< milliseconds between pieces of 1000 bytes; 0: all at once
    qint64 silentAfter = -1;     ///< keeps the connection open and sends nothing more after this many bytes
    bool length        = true;   ///< announces the length of the body
};

/// A small HTTP server on the loopback address, in the thread that made it.
class WebServer : public QTcpServer {
    Q_OBJECT
public:
    explicit WebServer(quint16 port = 0);                   ///< 0: any that is free
    std::string address(const std::string& folder) const;   ///< "http://127.0.0.1:4711/folder/"
    std::map<QString, Page> pages;                          ///< by path, "/folder/name"; others are answered with 404
    QStringList asked;                                      ///< paths, in the order of the requests

private:
    void answer(class QTcpSocket* socket);
};
