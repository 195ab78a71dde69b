// Passwords that are long but easy to guess are refused, in Settings and in a terminal, and others are not.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';

import { isWeakPassword, WEAK_PASSWORD } from '../../src/app/server/sign-in/weak-password.ts';
import { createAppWorld, NO_STORE } from '../support/app/app-world.ts';
import { appAddress } from '../support/engines/database-addresses.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { run } from '../support/world/program.ts';
import { createWorld } from '../support/world/world.ts';

const MIRA = { id: 'mira', name: 'Mira Okafor' };

describe('A password that is easy to guess', () => {
  for (const [kind, passwords] of Object.entries({
    'one character': ['aaaaaaaaaaaaaaaaaaaa', '               ', '\0'.repeat(30)],
    'a repetition': ['abcabcabcabcabcabc', 'sunflowersunflower', 'teapot1teapot1teapot1'],
    'a count': ['123456789012345', '98765432109876543210', 'abcdefghijklmnopqrstuvwxyz'],
    'keys of a row': [
      'qwertyuiopasdfghjkl',
      'QWERTZUIOPyxcvbnm',
      '1qaz2wsx3edc4rfv',
      '!@#$%^&*()_+123',
    ],
    'well-known words': [
      'passwordpassword',
      'P@ssw0rdP4$$word',
      'Password123456789!',
      'correct horse battery staple',
      'letmeinletmeinletmein',
      'iloveyou iloveyou 2026',
    ],
    'the product': ['memory-gateway-2026', 'MemoryGateway123456'],
    'the account': ['mira okafor 2026', 'MiraOkafor1234567', 'okafor.mira.okafor'],
  }))
    it(`is ${kind}`, () => {
      for (const password of passwords) assert.ok(isWeakPassword(password, MIRA), password);
    });

  it('is judged by the account that it is for', () => {
    const password = 'teodora vs lindqvist';
    assert.equal(isWeakPassword(password, MIRA), false);
    assert.equal(isWeakPassword(password, { id: 'teodora', name: 'Teodora Lindqvist' }), true);
  });

  it('is no phrase of other words, and nothing random', () => {
    for (const password of [
      'violet teapots orbit quietly',
      'my sister paints sunshine on tins',
      'Mira Okafor reads in the bathtub',
      'über den Dächern von Görlitz',
      '雨の日に古い本を三冊読みましたとさ',
      'x7#Kq!2vLp9&Wd4z',
    ])
      assert.equal(isWeakPassword(password, MIRA), false, password);
    for (let i = 0; i < 500; i++) {
      const password = randomBytes(16).toString('base64url');
      assert.equal(isWeakPassword(password, MIRA), false, password);
    }
  });

  it('is found in the longest password, however it repeats', () => {
    for (const unit of ['a', 'ab', 'aab', 'qwe', 'a\0'])
      assert.equal(isWeakPassword(unit.repeat(1024 / unit.length), MIRA), true, unit);
    assert.equal(isWeakPassword(randomBytes(768).toString('base64url'), MIRA), false);
  });

  it('is refused in Settings and by accounts password, and nothing is set', async (t) => {
    const { signIn, browser } = await createAppWorld(t);
    const opened = await signIn('ana');
    const password = 'Account Ana 2026!';
    const answer = await opened.post('/password', { password });
    assert.equal(assertFailure(answer, 422, '', NO_STORE), WEAK_PASSWORD);
    const body = { way: 'password', account: 'ana', password };
    assert.equal((await browser().post('/sessions', body)).status, 401);
    const world = await createWorld(t);
    world.addAccount('ana');
    const from = ['--database', appAddress(world.database)];
    const set = await run(['accounts', 'password', 'ana', ...from], { input: password });
    assert.deepEqual([set.code, set.stdout], [2, '']);
    assert.ok(set.stderr.includes(WEAK_PASSWORD), set.stderr);
  });
});
