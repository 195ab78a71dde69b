// Word documents: which of their words are read, and what is refused.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { ITEM_BYTES } from '../../src/formats/bytes.ts';
import { readDocument } from '../../src/formats/text/docx.ts';
import { docxOf, docxOfXml, docxWith } from '../support/formats/docx-writer.ts';
import { readWhole } from '../support/formats/read-file.ts';
import { deflatedZeros, zipOf } from '../support/formats/zip-writer.ts';
import { cases } from '../support/world/thorough.ts';

const NO_DOCUMENT = { reason: 'it is not a Word document (.docx), or it is damaged' };
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

describe('The text of a document', () => {
  const texts: Record<string, [body: string, text: string]> = {
    'a line for each paragraph': [`<w:p>${run('a')}${run(' b')}</w:p><w:p/>`, 'a b\n\n'],
    'breaks and tabs': [
      '<w:p><w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t><w:cr/></w:r></w:p>',
      'a\nb\tc\n\n',
    ],
    'no tab for the position of one': [
      `<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr>${run('a')}</w:p>`,
      'a\n',
    ],
    'links and tables': [
      `<w:tbl><w:tr><w:tc><w:p><w:hyperlink>${run('a')}</w:hyperlink></w:p></w:tc></w:tr></w:tbl>`,
      'a\n',
    ],
    'what was added, and not what was deleted or moved away': [
      `<w:p><w:ins>${run('a')}</w:ins><w:del><w:r><w:delText>b</w:delText></w:r></w:del><w:moveFrom>${run('c')}</w:moveFrom><w:moveTo>${run('c')}</w:moveTo></w:p>`,
      'ac\n',
    ],
    'one form of a drawing': [
      `<w:p><mc:AlternateContent><mc:Choice>${run('a')}</mc:Choice><mc:Fallback>${run('a')}</mc:Fallback></mc:AlternateContent></w:p>`,
      'a\n',
    ],
    'escaped characters': [
      `<w:p>${run('&lt;&amp;&#x1F44B;&#228;<![CDATA[<b>]]>')}</w:p>`,
      '<&👋ä<b>\n',
    ],
    'no instructions, and no text of other languages': [
      `<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><x:t xmlns:x="x">no</x:t>${run('a')}</w:p>`,
      'a\n',
    ],
  };
  for (const [what, [body, text]] of Object.entries(texts))
    it(`has ${what}`, async () => {
      assert.deepEqual(await readDocument(docxWith(body)), { text });
    });

  it('is the same in the strict form, and with another prefix', async () => {
    for (const uri of [WORD, 'http://purl.oclc.org/ooxml/wordprocessingml/main']) {
      const xml = `<v:document xmlns:v="${uri}"><v:p><v:r><v:t>a</v:t></v:r></v:p></v:document>`;
      assert.deepEqual(await readDocument(docxOfXml(xml)), { text: 'a\n' });
    }
  });

  it('can be nested deeply', async () => {
    const depth = cases(200_000, 20_000);
    const body = '<w:p>'.repeat(depth) + run('a') + '</w:p>'.repeat(depth);
    assert.deepEqual(await readDocument(docxWith(body)), { text: `a${'\n'.repeat(depth)}` });
  });
});

describe('A document', () => {
  it('is refused if it declares entities, uses them, or is not well-formed', async () => {
    const open = `<w:document xmlns:w="${WORD}"><w:p>`;
    const close = '</w:p></w:document>';
    for (const xml of [
      `<!DOCTYPE a [<!ENTITY a "${'a'.repeat(100)}"><!ENTITY b "&a;&a;">]>${open}${run('&b;')}${close}`,
      `<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>${open}${run('&a;')}${close}`,
      `<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd">${open}${run('a')}${close}`,
      `${open}${run('&nbsp;')}${close}`,
      `${open}${run('a')}</w:document>`,
      open,
      '',
      'Anna   0:03',
    ])
      assert.deepEqual(await readDocument(docxOfXml(xml)), NO_DOCUMENT, xml.slice(0, 60));
  });

  it('is refused if an element has hundreds of attributes, or the elements around it declare hundreds of namespaces', async () => {
    const attributes = (count: number) =>
      Array.from({ length: count }, (_, i) => ` a${i}=""`).join('');
    const nested = (count: number) =>
      Array.from({ length: count }, (_, i) => `<w:p xmlns:n${i}="u">`).join('') +
      run('a') +
      '</w:p>'.repeat(count);
    const text = async (body: string) => readDocument(docxWith(body));
    assert.deepEqual(await text(`<w:p${attributes(256)}>${run('a')}</w:p>`), { text: 'a\n' });
    // The document itself declares two.
    assert.deepEqual(await text(nested(126)), { text: `a${'\n'.repeat(126)}` });
    assert.deepEqual(await text(nested(8).repeat(100)), {
      text: `a${'\n'.repeat(8)}`.repeat(100),
    });
    // Each attribute is compared with those before it, and each element ends with a copy of all namespaces: this
    // would take minutes.
    const declared = (count: number) =>
      `<w:p${Array.from({ length: count }, (_, i) => ` xmlns:m${i}="u"`).join('')}>`;
    const wide = `${declared(64)}${declared(63)}${'<w:p/>'.repeat(10_000)}</w:p></w:p>`;
    for (const body of [
      `<w:p${attributes(257)}/>`,
      `<w:p${attributes(300_000)}/>`,
      nested(127),
      wide,
    ])
      assert.deepEqual(await text(body), NO_DOCUMENT, body.slice(0, 40));
  });

  it('is refused if it is another file, or has no text', async () => {
    for (const bytes of [
      Buffer.of(),
      Buffer.from('Anna   0:03\nHello.\n'),
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0]),
      zipOf([]),
      zipOf([{ name: 'xl/workbook.xml', data: '<a/>' }]),
      zipOf([{ name: 'word/document.xml', data: '<a/>', flags: 0x801 }]),
      zipOf([{ name: 'word/document.xml', data: '<a/>', method: 14 }]),
      zipOf([{ name: 'word/document.xml', data: '<a/>', crc: 1 }]),
      zipOf([{ name: 'word/document.xml', data: Buffer.of(0xff, 0xfe, 0x3c, 0) }]),
    ])
      assert.deepEqual(await readDocument(bytes), NO_DOCUMENT);
  });

  it('is refused if it would unpack to more than the limit, or to more than it says', async () => {
    const zeros = deflatedZeros(2);
    assert.ok(zeros.size > ITEM_BYTES && zeros.packed.length < 1e6);
    const large = zipOf([{ name: 'word/document.xml', ...zeros, crc: 0 }]);
    assert.deepEqual(await readDocument(large), { reason: 'its text is larger than 64 MiB' });
    const lying = zipOf([{ name: 'word/document.xml', packed: zeros.packed, size: 1000 }]);
    assert.deepEqual(await readDocument(lying), NO_DOCUMENT);
  });

  it('is read or refused, wherever it is cut off or changed', async () => {
    const whole = docxOf(['Anna   0:03\nHello.']);
    for (let length = 0; length < whole.length; length++)
      assert.deepEqual(await readDocument(whole.subarray(0, length)), NO_DOCUMENT);
    const change = fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
        const bytes = Buffer.from(whole);
        for (const { at, to } of changes) bytes[at] = to;
        const found = await readDocument(bytes);
        assert.ok('reason' in found || found.text === 'Anna   0:03\nHello.\n');
      }),
      { numRuns: cases(2000) },
    );
  });
});

describe('A document that is no transcript', () => {
  const letter = docxOf(['Dear Anna,', 'the beans have arrived.']);
  const reason = 'it is a document, but no transcript of a known form';
  const skippedAs = 'a file of another kind';

  it('is rejected if it is named, and skipped in a folder', async () => {
    assert.deepEqual(await readWhole({ name: 'a.docx' }, [letter]), [{ place: {}, reason }]);
    for (const bytes of [letter, Buffer.from('~$ lock file'), Buffer.of()])
      assert.deepEqual(await readWhole({ name: 'a.docx', skippedAs }, [bytes]), [
        { place: {}, skipped: skippedAs },
      ]);
  });

  it('is not of the format that is asked for', async () => {
    assert.deepEqual(await readWhole({ name: 'a.docx' }, [letter], 'teams'), [
      {
        place: {},
        reason: 'it is not of the format teams; leave out --format',
      },
    ]);
  });

  it('is not taken for captions or JSON', async () => {
    for (const text of ['WEBVTT\n\n00:01.000 --> 00:02.000\nHello.', '{"id": 1}'])
      assert.deepEqual(await readWhole({ name: 'a.docx' }, [docxOf(text.split('\n'))]), [
        { place: {}, reason },
      ]);
  });
});
