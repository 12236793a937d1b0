#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A full disk, a read-only folder, a lost network and two programs using one folder: each gives one error, damages no complete file, and the program works again afterwards."""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

import fire
import kills

RUN = ['run', 'xor', '--set', 'training.steps=30', '--set', 'prediction.samples=5', '--threads', '1']


def expect(law, sentence):
    if not law:
        raise fire.Finding(sentence)


def check_sentence(answer, where, statuses=(1, 2)):
    """It exited by itself with an error message."""
    expect(answer.status in statuses, f'{where}: status {answer.status}, expected one of {statuses}: {answer.error[-400:]}')
    expect('credence: ' in answer.error, f'{where}: there is no sentence on the error channel: {answer.error[-400:]!r}')


def small_files(most):
    """Limits the file size to this many bytes: like a full disk, but without root."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    return limit


def full_disk(program, folder, variables, dice):
    """A file size limit during a whole run: existing files stay."""
    place = folder / 'small'
    expect(fire.call([program, *RUN, '--no-figures', '--out', place], variables).status == 0, 'full disk: the run before fails')
    before = {name: content for name, content in kills.snapshot(place).items() if name.suffix == '.credence'}
    most = dice.choice((0, 100, 1000, 5000, 20000, 60000))
    answer = fire.call([program, *RUN, '--seed', dice.randrange(2, 1000), '--no-figures', '--out', place], variables, before=small_files(most))
    if answer.status != 0:
        check_sentence(answer, f'files of at most {most} bytes')
        after = kills.snapshot(place)
        broken = [str(name) for name, content in before.items() if name in after and not fire.is_whole(place / name)]
        expect(not broken, f'full disk: {", ".join(broken)} is broken')
    fire.check_whole(place)
    expect(fire.call([program, *RUN, '--no-figures', '--out', place], variables).status == 0, 'full disk: with space again it fails')
    expect(fire.check_whole(place)[1] == 0, 'full disk: unfinished files are left')


class SmallDisk:
    """A file system in memory with this many bytes; only root can mount one."""

    def __init__(self, folder, size):
        self.folder, self.mounted = folder, False
        folder.mkdir(exist_ok=True)
        if os.geteuid() == 0 and shutil.which('mount'):
            self.mounted = subprocess.run(['mount', '-t', 'tmpfs', '-o', f'size={size}', 'credence_small_disk', str(folder)],
                                          stderr=subprocess.DEVNULL, check=False).returncode == 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.mounted:
            subprocess.run(['umount', str(self.folder)], check=False)


def really_full_disk(program, folder, variables, dice):
    """A disk of about 100 KiB fills up at some point during a run, an export or a download."""
    with SmallDisk(folder / 'disk', f'{dice.choice((16, 64, 200, 400))}k') as disk:
        if not disk.mounted:
            return 'skipped: only root can mount a small disk'
        command = dice.choice((['--save-outputs', '--save-weights'], ['--no-figures'], ['--checkpoint-every', '0.02']))
        answer = fire.call([program, *RUN, *command, '--out', disk.folder / 'run'], variables)
        if answer.status != 0:
            check_sentence(answer, 'a disk that fills up')
        fire.check_whole(disk.folder)
        (disk.folder / 'filler').write_bytes(b'')
        with (disk.folder / 'filler').open('wb', buffering=0) as filler:
            try:
                while filler.write(bytes(4096)):
                    pass
            except OSError:
                pass
        answer = fire.call([program, *RUN, '--out', disk.folder / 'second'], variables)
        check_sentence(answer, 'a full disk')
        fire.check_whole(disk.folder)
    return 'done'


def read_only(program, folder, variables, _dice):
    """Root can write to every folder, but nobody can write to a path that is not a folder."""
    place = folder / 'locked'
    place.mkdir(exist_ok=True)
    (place / 'file').write_text('kept\n')
    places = [place / 'file' / 'run', '/proc/credence', '/dev/full/run']
    if os.geteuid() != 0:
        place.chmod(0o555)
        places.append(place / 'run')
    try:
        for where in places:
            check_sentence(fire.call([program, *RUN, '--no-figures', '--out', where], variables), f'--out {where}')
    finally:
        place.chmod(0o755)
    expect((place / 'file').read_text() == 'kept\n', 'a file in the way is overwritten')
    return 'done' if os.geteuid() != 0 else 'done, without locked folders: root may write them'


def lost_network(program, folder, variables, dice):
    """The connection ends before, during and after the answer, answers are wrong, or the connection is refused."""
    home = folder / 'network'
    shutil.rmtree(home, ignore_errors=True)
    server = fire.Server()
    home.mkdir()
    catalogue, server.pages = fire.tiny_set(home, server.address)
    variables = {**variables, 'CREDENCE_CATALOGUE': str(catalogue), 'XDG_DATA_HOME': str(home / 'data')}
    for trouble in dice.sample(('reset', 'cut', 'noise'), 2):
        server.trouble = trouble
        check_sentence(fire.call([program, 'data', 'fetch', 'tiny'], variables), f'a network with {trouble}')
        expect(not any(file.is_file() for file in (home / 'data').rglob('*')), f'a network with {trouble} leaves files')
    server.trouble = None
    pages, server.pages = server.pages, {}
    check_sentence(fire.call([program, 'data', 'fetch', 'tiny'], variables), 'a server without the files')
    server.pages = pages
    expect(fire.call([program, 'data', 'fetch', 'tiny'], variables).status == 0, 'with the network again a download fails')
    shutil.rmtree(home / 'data')
    server.close()
    check_sentence(fire.call([program, 'data', 'fetch', 'tiny'], variables), 'nobody listens')


def two_programs(program, folder, variables, dice):
    """Both write to one folder: a sweep is shared, a run belongs to one of them, and one can be killed."""
    place = folder / 'both'
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    sweep = place / 'sweep.json'
    sweep.write_text(json.dumps({'credence_sweep': 1, 'base': 'xor', 'set': {'training.steps': 30, 'prediction.samples': 5}, 'axes': {'seed': [1, 2, 3]}}))
    for command in ([*RUN, '--no-figures', '--out', place / 'run'], ['sweep', sweep, '--no-figures', '--out', place / 'sweep', '--threads', '1']):
        both = [subprocess.Popen([str(word) for word in (program, *command)], env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE) for _ in range(2)]
        if dice.random() < 0.5:
            time.sleep(dice.random() * 0.5)
            both[0].kill()
        for one in both:
            error = one.communicate()[1].decode(errors='replace')
            fire.check_words(error, 'two programs')
            expect(one.returncode in (0, 1, 2, -signal.SIGKILL), f'two programs: one ends with {one.returncode}: {error[-400:]}')
        fire.check_whole(place)
        answer = fire.call([program, *command], variables)
        expect(answer.status == 0, f'two programs: the call afterwards fails: {answer.error[-400:]}')
        expect(fire.check_whole(place)[1] == 0, 'two programs: unfinished files are left')


def main():
    options = fire.arguments(__doc__)
    table = fire.Table(options.table)
    troubles = (full_disk, really_full_disk, read_only, lost_network, two_programs)

    def work(folder):
        dice = random.Random(options.seed)
        variables = fire.environment(folder / 'home')
        times, results = dict.fromkeys(troubles, 0), {}
        start, done = time.monotonic(), 0
        try:
            while done < options.rounds or time.monotonic() - start < options.seconds:
                for trouble in troubles:
                    results[trouble] = trouble(options.program, folder, variables, dice) or 'done'
                    times[trouble] += 1
                done += 1
        finally:
            for trouble in troubles:
                table.line('trouble', trouble.__name__.replace('_', ' '), f'{times[trouble]} times', results.get(trouble, 'not done'))
    return fire.finish(work, options, 'trouble')


if __name__ == '__main__':
    sys.exit(main())
