// Writes Word documents for tests: the parts that every document has, and paragraphs.

import { zipOf } from './zip-writer.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** Writes a document with a paragraph per text. A newline is a line break within the paragraph, a tab is a tab. */
export function docxOf(paragraphs: readonly string[]): Buffer {
  return docxWith(paragraphs.map((text) => `<w:p>${runs(text)}</w:p>`).join(''));
}

/** Writes a document with a body of its own. */
export function docxWith(body: string): Buffer {
  return docxOfXml(
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:document xmlns:w="${WORD}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>${body}</w:body></w:document>`,
  );
}

/** Writes a document with any text as its main part. */
export function docxOfXml(xml: string): Buffer {
  return zipOf([
    { name: '[Content_Types].xml', data: TYPES },
    { name: '_rels/.rels', data: RELATIONS },
    { name: 'word/document.xml', data: xml },
  ]);
}

function runs(text: string): string {
  return text
    .split(/(?=[\n\t])/)
    .map((part) => {
      const mark = part.startsWith('\n') ? '<w:br/>' : part.startsWith('\t') ? '<w:tab/>' : '';
      return `<w:r>${mark}<w:t xml:space="preserve">${escapeXml(part.replace(/^[\n\t]/, ''))}</w:t></w:r>`;
    })
    .join('');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const TYPES =
  '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';

const RELATIONS =
  '<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';
