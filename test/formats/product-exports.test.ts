// What a person is told about files that hold no transcript, by their names.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { adviceFor, PRODUCT_EXPORTS } from '../../src/formats/product-exports.ts';

describe('Advice about a file that is no transcript', () => {
  it('says what to do with sound, video, documents, archives and tables', () => {
    assert.match(adviceFor('2026/Call.MP3') ?? '', /^A sound file has no words/);
    assert.match(adviceFor('call.mp4') ?? '', /captions as \.vtt or \.srt/);
    assert.match(adviceFor('Otter notes.pdf') ?? '', /export the transcript as text/);
    assert.match(adviceFor('all.7z') ?? '', /zip archive/);
    assert.match(adviceFor('all.xlsx') ?? '', /save it as \.csv/);
  });

  it('names the product whose name is in the path, as a word of its own', () => {
    assert.match(adviceFor('downloads/otter_ai/export.json') ?? '', /^It may be of Otter\. Open/);
    assert.match(adviceFor('Takeout/Google-Meet/state.json') ?? '', /^It may be of Google Meet\./);
    assert.equal(adviceFor('potter.json'), undefined);
    assert.equal(adviceFor('meet.json'), undefined);
    assert.equal(adviceFor('omi'), `It may be of Omi. ${PRODUCT_EXPORTS.at(-1)?.how}`);
  });
});
