// A copy that is killed again and again: no account is ever incomplete, and in the end both sides give the same responses.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { tell } from '../support/damage/trial.ts';
import { engine, engines } from '../support/engines/engine.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { answersOf, createOriginal } from '../support/world/complete-database.ts';
import { runProcess, startProcess, stop } from '../support/world/program.ts';
import { isShort, sized } from '../support/world/thorough.ts';

const KILLS = sized(15, 3);

const ways = [
  [engines.sqlite, engine],
  [engine, engines.sqlite],
] as const;

describe('A copy', () => {
  for (const [from, to] of isShort || engine === engines.sqlite ? ways.slice(0, 1) : ways)
    it(`from ${from.name} to ${to.name} leaves no incomplete account, killed ${KILLS} times`, async (t) => {
      const original = createOriginal(t, from, sized(6000, 1000));
      const place = () =>
        to === engines.sqlite ? join(newFolder(), 'new.db') : to.create(t, newFolder());
      let target = place();
      const wordsOf = () => ['copy', '--from', original.database, '--to', target];
      const whole = await answersOf(t, original);
      let began = performance.now();
      assert.equal((await runProcess(wordsOf())).code, 0);
      let ms = performance.now() - began;
      target = place();
      let [kills, open] = [0, 0];
      while (kills < KILLS) {
        began = performance.now();
        const child = startProcess(wordsOf());
        await sleep(ms * (0.2 + 0.7 * Math.random()));
        const isAmid = child.exitCode === null;
        await stop(child, 'SIGKILL');
        // On a machine that became quicker, the next kill comes sooner.
        if (!isAmid) ms = performance.now() - began;
        if (to === engines.sqlite && !existsSync(target)) continue; // killed before the key was created
        const { answers } = await answersOf(t, { ...original, database: target }, whole.links);
        for (const [name, answer] of answers) {
          if (answer.status === 401) continue;
          assert.deepEqual(answer, whole.answers.get(name), name);
          open++;
        }
        if (isAmid) kills++;
        else target = place();
      }
      const { code, stdout } = await runProcess([...wordsOf(), '--json']);
      assert.equal(code, 0);
      tell(t, {
        kills,
        'right answers': open,
        'memories left to copy': JSON.parse(stdout).sent,
      });
      const last = await answersOf(t, { ...original, database: target }, whole.links);
      assert.deepEqual(last.answers, whole.answers);
    });
});
