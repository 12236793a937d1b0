#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills the program at random times during a run, a sweep, an export, a download and a session: complete files stay intact, and the next call finishes the work."""
import json
import random
import shutil
import sys
import time

import fire

RUN = ['run', 'xor', '--set', 'training.steps=400', '--set', 'prediction.samples=5', '--checkpoint-every', '0.05', '--threads', '1']


def snapshot(folder):
    return {file.relative_to(folder): file.read_bytes() for file in folder.rglob('*') if file.is_file()}


class Kills:
    """One operation: its call, and the conditions after a kill and after the next call."""
    name = ''

    def __init__(self, program, folder, variables):
        self.program, self.folder, self.variables = program, folder / self.name, variables
        self.folder.mkdir(exist_ok=True)
        self.place = self.folder / 'place'
        self.killed = self.calls = self.unfinished = 0
        self.prepare()
        start = time.monotonic()
        self.complete(first=True)
        self.duration = time.monotonic() - start
        self.reference = self.values()

    def prepare(self):
        pass

    def command(self):
        raise NotImplementedError

    def fresh(self, dice):
        """Before a kill: no files, or all files of an earlier call."""
        if dice.random() < 0.6:
            shutil.rmtree(self.place, ignore_errors=True)

    def look(self):
        """After a kill."""
        if self.place.exists():
            self.unfinished += fire.check_whole(self.place)[1]

    def complete(self, first=False):
        answer = fire.call([self.program, *self.command()], self.variables)
        if answer.status != 0:
            raise fire.Finding(f'{self.name}: the call {"before the first kill" if first else "after a kill"} fails: {answer.error[-800:]}')

    def values(self):
        """The results that must not depend on the number of kills."""
        return {}

    def once(self, dice):
        self.fresh(dice)
        before = snapshot(self.place) if self.place.exists() else {}
        for _ in range(dice.choice((1, 1, 2, 3))):   # sometimes several in a row
            self.calls += 1
            self.killed += fire.call_and_kill([self.program, *self.command()], self.variables, dice.random() * 1.05 * self.duration)
            self.look()
            gone = [str(name) for name in before if not (self.place / name).exists() and not fire.is_temporary(name)]
            if gone and not self.may_remove(gone):
                raise fire.Finding(f'{self.name}: a kill cost {", ".join(gone[:5])}')
        self.complete()
        self.look_at_the_end()
        values = self.values()
        if values != self.reference:
            different = [str(key) for key in self.reference.keys() | values.keys() if self.reference.get(key) != values.get(key)]
            raise fire.Finding(f'{self.name}: after kills other values came out: {", ".join(different[:5])}')

    def may_remove(self, _names):
        return False

    def look_at_the_end(self):
        if fire.check_whole(self.place)[1] != 0:
            raise fire.Finding(f'{self.name}: unfinished files are left in {self.place}')


class KilledRun(Kills):
    name = 'run'

    def command(self):
        return [*RUN, '--out', self.place]

    def values(self):
        tables = {file.name: file.read_bytes() for file in (self.place / 'data').glob('*.csv') if not file.name.startswith('bridge_scores')}   # these contain times
        return {'results.json': fire.without_times(json.loads((self.place / 'results.json').read_text())), **tables}

    def may_remove(self, names):   # the state of an interrupted run is removed when the run is complete
        return all(name.startswith('run.credence-progress') for name in names)


class KilledSweep(Kills):
    name = 'sweep'

    def prepare(self):
        (self.folder / 'sweep.json').write_text(json.dumps({
            'credence_sweep': 1, 'base': 'xor', 'set': {'training.steps': 60, 'prediction.samples': 5},
            'axes': {'training.learning_rate': [0.01, 0.02], 'seed': [1, 2]}}))

    def command(self):
        return ['sweep', self.folder / 'sweep.json', '--out', self.place, '--threads', '1']

    def values(self):
        return {name: (self.place / name).read_bytes() for name in ('cells.csv', 'summary.csv', 'comparisons.csv', 'summary.tex')}


class KilledExport(Kills):
    name = 'export'

    def prepare(self):
        self.run = self.folder / 'run'
        fire.call([self.program, *RUN, '--no-figures', '--out', self.run], self.variables)
        self.suffix = 'pdf'

    def command(self):
        self.place.mkdir(exist_ok=True)
        return ['figure', self.run, '--view', 'decision_map', '--to', self.place / f'map.{self.suffix}', '--samples', '50', '--threads', '1']

    def fresh(self, dice):
        super().fresh(dice)
        self.suffix = dice.choice(('pdf', 'svg', 'png', 'csv', 'tex'))

    def look_at_the_end(self):
        super().look_at_the_end()
        if not (self.place / f'map.{self.suffix}').exists():
            raise fire.Finding(f'export: there is no map.{self.suffix}')


class KilledDownload(Kills):
    name = 'download'

    def prepare(self):
        self.server = fire.Server()
        catalogue, self.server.pages = fire.tiny_set(self.folder, self.server.address)
        self.variables = {**self.variables, 'CREDENCE_CATALOGUE': str(catalogue), 'XDG_DATA_HOME': str(self.place)}

    def command(self):
        return ['data', 'fetch', 'tiny']

    def look(self):
        super().look()
        if self.place.exists():   # a file under its final name is correct
            for name, content in snapshot(self.place).items():
                if not fire.is_temporary(name) and self.server.pages.get('/tiny/' + name.name) != content:
                    raise fire.Finding(f'download: {name} is not what was fetched')

    def values(self):
        return {file.name: file.read_bytes() for file in self.place.rglob('*') if file.is_file()}


class KilledSession(Kills):
    """The window, clicked by credence_monkey; the next one starts from its files."""
    name = 'session'

    def __init__(self, monkey, folder, variables):
        self.number = 0
        super().__init__(monkey, folder, variables)

    def command(self):
        self.number += 1
        return ['--seconds', '2', '--seed', self.number, '--home', self.place, '--log', self.folder / 'monkey.log']

    def fresh(self, dice):
        if dice.random() < 0.1:
            shutil.rmtree(self.place, ignore_errors=True)

    def may_remove(self, _names):   # random clicks also delete
        return True

    def look(self):
        for folder in [*self.place.glob('XDG_*'), self.place / 'files']:
            if folder.exists():
                self.unfinished += fire.check_whole(folder, but_not='seeds')[1]   # copied by the clicker before it starts

    def look_at_the_end(self):
        self.look()


def main():
    options = fire.arguments(__doc__)
    table = fire.Table(options.table)

    def work(folder):
        dice = random.Random(options.seed)
        variables = fire.environment(folder / 'home')
        kinds = [KilledRun, KilledSweep, KilledExport, KilledDownload]
        all_kinds = [kind(options.program, folder, variables) for kind in kinds]
        if options.monkey:
            all_kinds.append(KilledSession(options.monkey, folder, variables))
        start, done = time.monotonic(), 0
        try:
            while done < options.rounds or time.monotonic() - start < options.seconds:
                for one in all_kinds:
                    one.once(dice)
                done += 1
        finally:
            for one in all_kinds:
                table.line('kills', one.name, f'{one.killed} kills in {one.calls} calls', f'{one.unfinished} unfinished files, all removed by the next call')
    return fire.finish(work, options, 'kills')


if __name__ == '__main__':
    sys.exit(main())
