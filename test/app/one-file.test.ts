// A memory as one HTML file: what is in it, and that it is only text.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { oneFileOf } from '../../src/app/browser/screens/reader/keep/one-file.ts';
import { splitTranscript } from '../../src/text/turns.ts';

const content = {
  title: 'Plan <b>"A"</b> & B',
  when: 'Monday, 16 November 2026, 10:00',
  saved: '26 Nov 2026',
  summary: { quick_summary: 'About <i>milk</i>.', key_takeaways: ['Buy & drink'] },
  lines: splitTranscript(
    'Mira: <script>alert(1)</script>\nMira: Milk.\nno name\nTomas: "Yes" &amp; no.',
  ),
  colorOf: (speaker: string) => (speaker === 'Mira' ? 'red' : 'blue'),
};

describe('A memory as one file', () => {
  it('has the name, the times, the summary and all lines with names and numbers', () => {
    const html = oneFileOf(content);
    assert.match(html, /^<!doctype html>/);
    assert.ok(html.includes('<title>Plan &lt;b&gt;&quot;A&quot;&lt;/b&gt; &amp; B</title>'));
    assert.ok(html.includes('Monday, 16 November 2026, 10:00'));
    assert.ok(html.includes('<p dir="auto">About &lt;i&gt;milk&lt;/i&gt;.</p>'));
    assert.ok(html.includes('<li dir="auto">Buy &amp; drink</li>'));
    const lines = html.match(/<p class="line.*<\/p>/g) ?? [];
    assert.equal(lines.length, 4);
    assert.ok(
      lines[3]?.includes(
        '<b><i style="background:blue"></i>Tomas</b>&quot;Yes&quot; &amp;amp; no.<a class="note" href="#L4">4</a>',
      ),
    );
    assert.match(html, /Saved from Memory Gateway on 26 Nov 2026\./);
  });

  it('shows a name once a turn', () => {
    assert.equal(oneFileOf(content).match(/<\/i>Mira<\/b>/g)?.length, 1);
  });

  it('has the score: who speaks where, in the order of the lines and in the colours of the names', () => {
    const bands = [...oneFileOf(content).matchAll(/<path fill="(\w+)" d="M(\d+) 0h(\d+)/g)];
    assert.deepEqual(
      bands.map(([, color]) => color),
      ['red', 'blue'],
    );
    const [first, second] = bands.map(([, , from, width]) => [Number(from), Number(width)]);
    assert.deepEqual([first?.[0], second?.[0]], [0, first?.[1]], 'no gap between them');
    assert.equal((second?.[0] ?? 0) + (second?.[1] ?? 0), 600, 'to the end');
    const nameless = oneFileOf({ ...content, lines: splitTranscript('Hm.\nWell.') });
    assert.doesNotMatch(nameless, /<svg/);
  });

  it('has chosen lines alone, which begin with a name and keep their numbers', () => {
    const html = oneFileOf({ ...content, range: { first: 2, last: 3 } });
    assert.equal(html.match(/<p class="line/g)?.length, 2);
    assert.ok(html.includes('id="L2" dir="auto"><b><i style="background:red"></i>Mira</b>Milk.'));
    assert.ok(html.includes('Lines 2–3 of 4.'));
    assert.ok(!html.includes('About'), 'no summary');
  });

  it('has no script, no address that it loads, and forbids both', () => {
    const html = oneFileOf(content);
    assert.doesNotMatch(html, /<script|https?:|src=/);
    assert.match(
      html,
      /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/,
    );
  });
});
