# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by the endurance programs: program calls, checks of the files, a catalogue with its own server, and the summary table."""
import argparse
import gzip
import hashlib
import http.server
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree
import zipfile
import zlib

INTERNAL = ('std::', 'basic_string', 'vector::', 'map::at', 'nlohmann', 'json.exception', 'what():', 'terminate called', 'QObject::', 'QPainter::', 'QLayout:',
            'runtime error:', 'AddressSanitizer', 'Assertion')


class Finding(Exception):
    """Something that must never happen."""


def environment(home):
    """Separate folders for settings, data and runs, and no display."""
    variables = {name: value for name, value in os.environ.items() if name not in ('DISPLAY', 'WAYLAND_DISPLAY', 'QT_QPA_PLATFORM', 'CREDENCE_DATA_DIR')}
    for name in ('XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'):
        variables[name] = str(home / name)
    return variables


def check_words(text, where):
    for word in INTERNAL:
        if word in text:
            raise Finding(f'{where}: a message names an internal error: {text.strip()[:400]}')


class Answer:
    def __init__(self, status, out, error):
        self.status, self.out, self.error = status, out, error


def call(arguments, variables, before=None, seconds=600):
    """Runs a program to its end. A crash is a finding, and so is an internal error message or a message that is too long."""
    done = subprocess.run([str(word) for word in arguments], env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=before, timeout=seconds)
    answer = Answer(done.returncode, done.stdout.decode(errors='replace'), done.stderr.decode(errors='replace'))
    if answer.status < 0:
        raise Finding(f'{" ".join(map(str, arguments))} ended by signal {-answer.status}: {answer.error[-800:]}')
    check_words(answer.error, ' '.join(map(str, arguments)))
    return answer


def call_and_kill(arguments, variables, seconds):
    """Kills it after this time, if it has not ended by itself. Returns whether it was killed."""
    with tempfile.TemporaryFile() as error:
        program = subprocess.Popen([str(word) for word in arguments], env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=error)
        try:
            program.wait(timeout=max(seconds, 1e-4))
        except subprocess.TimeoutExpired:
            program.send_signal(signal.SIGKILL)
        status = program.wait()
        error.seek(0)
        text = error.read().decode(errors='replace')
    check_words(text, ' '.join(map(str, arguments)))
    if status < 0 and status != -signal.SIGKILL:
        raise Finding(f'{" ".join(map(str, arguments))} ended by signal {-status}: {text[-800:]}')
    return status == -signal.SIGKILL


def is_temporary(file):
    return '.credence-part-' in str(file)


def png_is_whole(content):
    if not content.startswith(b'\x89PNG\r\n\x1a\n'):
        return False
    at = 8
    while at + 12 <= len(content):
        length = struct.unpack('>I', content[at:at + 4])[0]
        kind, data = content[at + 4:at + 8], content[at + 8:at + 8 + length]
        if struct.unpack('>I', content[at + 8 + length:at + 12 + length] or b'\0' * 4)[0] != zlib.crc32(kind + data):
            return False
        at += 12 + length
        if kind == b'IEND':
            return at == len(content)
    return False


def run_is_whole(file):
    base = sqlite3.connect(f'file:{file}?mode=ro&immutable=1', uri=True)
    try:
        if base.execute('PRAGMA integrity_check').fetchone()[0] != 'ok':
            return False
        for length, packed in base.execute('SELECT bytes, packed FROM part UNION ALL SELECT bytes, packed FROM snapshot'):
            if length != len(packed) and length != len(zlib.decompress(packed)):
                return False
        return base.execute('SELECT count(*) FROM part WHERE name = ?', ('run',)).fetchone()[0] == 1
    finally:
        base.close()


def is_whole(file):
    """Whether a file is complete, judged by the format of its name."""
    content = file.read_bytes()
    kind = file.suffix
    try:
        if kind == '.json' or kind == '.credence-link':
            json.loads(content)
        elif kind == '.credence':
            return run_is_whole(file)
        elif kind == '.png':
            return png_is_whole(content)
        elif kind == '.pdf':
            return content.startswith(b'%PDF') and content.rstrip().endswith(b'%%EOF')
        elif kind == '.svg':
            xml.etree.ElementTree.fromstring(content)
        elif kind == '.html':
            return content.rstrip().endswith(b'</html>')
        elif kind in ('.csv', '.tex', '.sh'):
            return content.endswith(b'\n')
        elif kind == '.npz':
            return zipfile.ZipFile(file).testzip() is None
        elif kind == '.gz':
            gzip.decompress(content)
        elif kind == '.ini':
            content.decode()
        return True
    except (ValueError, OSError, EOFError, sqlite3.Error, zlib.error, zipfile.BadZipFile, xml.etree.ElementTree.ParseError):
        return False


def check_whole(folder, but_not=None):
    """Checks that every file under its final name is complete. Returns the number of these and of unfinished files. Skips folders named `but_not`."""
    whole = unfinished = 0
    for file in sorted(pathlib.Path(folder).rglob('*')):
        if but_not in file.parts:
            continue
        if is_temporary(file.relative_to(folder)):
            unfinished += 1
        elif file.is_file():
            if not is_whole(file):
                raise Finding(f'{file} is not whole')
            whole += 1
    return whole, unfinished


def without_times(value):
    """JSON without the entries that differ between identical runs."""
    if isinstance(value, dict):
        return {key: without_times(one) for key, one in value.items() if key not in ('started', 'seconds') and not key.startswith('time')}
    return [without_times(one) for one in value] if isinstance(value, list) else value


def tiny_set(folder, address):
    """Five images as a downloadable set. Returns the catalogue's path and the files by their paths on the server."""
    numbers = random.Random(1)

    def idx(*sizes):
        content = numbers.randbytes(sizes[0] * 16) if len(sizes) == 3 else bytes(i % 2 for i in range(sizes[0]))
        return bytes((0, 0, 8, len(sizes))) + b''.join(struct.pack('>I', size) for size in sizes) + content
    pages, files = {}, []
    for name, content in (('train-images-idx3-ubyte.gz', idx(2000, 4, 4)), ('train-labels-idx1-ubyte.gz', idx(2000)),
                          ('t10k-images-idx3-ubyte.gz', idx(500, 4, 4)), ('t10k-labels-idx1-ubyte.gz', idx(500))):
        packed = gzip.compress(content, mtime=0)
        pages['/tiny/' + name] = packed
        files.append({'name': name, 'bytes': len(packed), 'content_bytes': len(content), 'content_sha256': hashlib.sha256(content).hexdigest()})
    catalogue = folder / 'catalogue.json'
    catalogue.write_text(json.dumps({'version': 1, 'sets': [
        {'id': 'tiny', 'title': 'Tiny digits', 'about': 'Some noise.', 'format': 'mnist', 'classes': ['0', '1'], 'license': 'none', 'home': 'http://127.0.0.1/',
         'hash_source': 'the test', 'mirrors': [address + '/tiny/'], 'installed': [], 'files': files}]}))
    return catalogue, pages


class Server:
    """Serves files on the loopback address, and simulates network failures on request."""

    def __init__(self):
        self.pages, self.trouble, server = {}, None, self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                page = server.pages.get(self.path)
                if page is None:
                    self.send_error(404)
                    return
                half = page[:len(page) // 2]
                if server.trouble == 'reset':   # before any data
                    self.connection.close()
                    return
                self.send_response(200)
                self.send_header('Content-Length', str(len(page)))
                self.end_headers()
                try:
                    if server.trouble == 'cut':
                        self.wfile.write(half)
                        self.wfile.flush()
                        self.connection.close()
                    elif server.trouble == 'noise':
                        self.wfile.write(bytes(len(page)))
                    else:
                        self.wfile.write(half)
                        time.sleep(0.02)   # so that kills happen in between
                        self.wfile.write(page[len(half):])
                except OSError:
                    pass

            def log_message(self, *_):
                pass
        self.http = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.http.handle_error = lambda *_: None
        self.address = f'http://127.0.0.1:{self.http.server_address[1]}'
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()


def arguments(about):
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument('--program', type=pathlib.Path, required=True, help='the built credence')
    parser.add_argument('--monkey', type=pathlib.Path, help='the built credence_monkey; without it no session is killed')
    parser.add_argument('--folder', type=pathlib.Path, help='working folder; by default a temporary one')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--rounds', type=int, default=1, help='rounds of every operation')
    parser.add_argument('--seconds', type=float, default=0, help='minimum duration')
    parser.add_argument('--table', type=pathlib.Path, help='file for the lines of the table')
    return parser.parse_args()


class Table:
    """Name, count and result, as lines of a text file and on the screen."""

    def __init__(self, file):
        self.file = file

    def line(self, *words):
        print('  '.join(str(word) for word in words), flush=True)
        if self.file:
            with self.file.open('a') as out:
                out.write('\t'.join(str(word) for word in words) + '\n')


def finish(work, options, title):
    """Calls `work(folder)`; a finding is reported and keeps the folder. Returns the exit status."""
    folder = pathlib.Path(options.folder or tempfile.mkdtemp(prefix='credence_fire_'))
    folder.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))   # when stopped, report the results so far
    try:
        work(folder)
    except Finding as finding:
        print(f'{title}: {finding} (seed {options.seed}; all files are kept in {folder})', file=sys.stderr)
        return 1
    if not options.folder:
        shutil.rmtree(folder, ignore_errors=True)
    return 0
