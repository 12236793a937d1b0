// SPDX-License-Identifier: GPL-3.0-or-later
#include "web_server.h"

#include <QTcpSocket>
#include <QTimer>

namespace {

/// Sends a body piece by piece as configured; deleted with its socket.
class Sender : public QObject {
public:
    Sender(QTcpSocket* socket, Page page) : QObject(socket), m_socket(socket), m_page(std::move(page))
    {
        connect(&m_timer, &QTimer::timeout, this, &Sender::piece);
        m_timer.start(m_page.pieceEvery);
    }

private:
    void piece()
    {
        qint64 n = m_page.pieceEvery > 0 ? 1000 : m_page.body.size();
        if (m_page.cutAfter >= 0)
            n = std::min(n, m_page.cutAfter - m_sent);
        if (m_page.silentAfter >= 0)
            n = std::min(n, m_page.silentAfter - m_sent);
        m_socket->write(m_page.body.mid(m_sent, n));
        m_sent += n;
        if (m_page.silentAfter >= 0 && m_sent >= m_page.silentAfter)
            m_timer.stop();
        else if (m_sent >= m_page.body.size() || (m_page.cutAfter >= 0 && m_sent >= m_page.cutAfter)) {
            m_timer.stop();
            m_socket->disconnectFromHost();
        }
    }

    QTcpSocket* m_socket;
    Page m_page;
    QTimer m_timer;
    qint64 m_sent = 0;
};

}   // namespace

WebServer::WebServer(quint16 port)
{
    listen(QHostAddress::LocalHost, port);
    connect(this, &QTcpServer::newConnection, this, [this] {
        while (auto* socket = nextPendingConnection()) {
            connect(socket, &QTcpSocket::readyRead, this, [this, socket] { answer(socket); });
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        }
    });
}

std::string WebServer::address(const std::string& folder) const
{
    return "http://127.0.0.1:" + std::to_string(serverPort()) + "/" + folder + "/";
}

void WebServer::answer(QTcpSocket* socket)
{
    const QByteArray request = socket->peek(65536);
    if (!request.contains("\r\n\r\n"))
        return;
    socket->readAll();
    const QString path = QString::fromUtf8(request.split(' ').value(1));
    asked += path;
    const auto found = pages.find(path);
    const Page page  = found == pages.end() ? Page{"<html>There is no such page.</html>", 404} : found->second;
    QByteArray head  = "HTTP/1.1 " + QByteArray::number(page.status) + (page.status == 200 ? " OK" : " Not Found")
                      + "\r\nConnection: close\r\n";
    if (page.length)
        head += "Content-Length: " + QByteArray::number(page.body.size()) + "\r\n";
    socket->write(head + "\r\n");
    new Sender(socket, page);
}
