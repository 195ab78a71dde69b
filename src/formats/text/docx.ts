// Converts Word documents (.docx) to text: a line for each paragraph.

import { crc32 } from 'node:zlib';

import sax, { type QualifiedTag } from 'sax';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';

import { ITEM_BYTES } from '../bytes.ts';

/** Returns whether a file is called a Word document. */
export function isDocument(name: string): boolean {
  return /\.docx$/i.test(name);
}

/** The text of a document, or the reason why it cannot be read. */
export type TextOrReason = { readonly text: string } | { readonly reason: string };

const NO_DOCUMENT = { reason: 'it is not a Word document (.docx), or it is damaged' };
const TOO_LARGE = {
  reason: `its text is larger than ${ITEM_BYTES / 1024 / 1024} MiB`,
};

/** The most files in a document. Word writes a few dozen, and one for each picture. */
const MAX_ENTRIES = 10_000;
/** Word for the web numbers the part with the text. */
const MAIN_PART = /^word\/document\d{0,3}\.xml$/;

/** Converts a document to text. Reads only its main part: no notes, comments or links to other files. */
export async function readDocument(bytes: Uint8Array): Promise<TextOrReason> {
  try {
    const zip = await fromBufferPromise(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    );
    const entry = await findMainPart(zip);
    if (entry === undefined) return NO_DOCUMENT;
    if (entry.uncompressedSize > ITEM_BYTES) return TOO_LARGE;
    return { text: await toText(zip, entry) };
  } catch (error) {
    // The libraries throw plain errors for every damage.
    if (error instanceof Error) return NO_DOCUMENT;
    throw error;
  }
}

async function findMainPart(zip: ZipFile): Promise<Entry | undefined> {
  let count = 0;
  for await (const entry of zip.eachEntry()) {
    if (MAIN_PART.test(entry.fileName)) return entry;
    if (++count > MAX_ENTRIES) return undefined;
  }
  return undefined;
}

/** Unpacks a part and parses it at once. The library ends with an error after the size that the directory states. */
async function toText(zip: ZipFile, entry: Entry): Promise<string> {
  const paragraphs = createParagraphs();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let sum = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    sum = crc32(chunk as Uint8Array, sum);
    paragraphs.write(decoder.decode(chunk as Uint8Array, { stream: true }));
  }
  if (sum !== entry.crc32) throw new Error('a wrong checksum');
  return paragraphs.end(decoder.decode());
}

/** The namespaces of WordprocessingML, in its transitional and its strict form (ISO/IEC 29500). */
const WORD = new Set([
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  'http://purl.oclc.org/ooxml/wordprocessingml/main',
]);
/**
 * Parts without words of their own: another form of a drawing, words at the place from which they were
 * moved, and the positions of tabs.
 */
const IGNORED = new Set(['Fallback', 'moveFrom', 'tabs']);

/**
 * The most attributes of an element, and the most namespaces that it and those around it declare. The parser compares
 * each attribute with those before it, and copies these namespaces at the end of each element. Word needs 40, and 50.
 */
const MAX_ATTRIBUTES = 256;
const MAX_NAMESPACES = 128;

/** With strict entities, `&nbsp;` and other names of HTML are errors. */
const OPTIONS = { xmlns: true, strictEntities: true };

/** How many characters are parsed before the attributes of an element that goes on are counted. */
const SLICE = 16_384;

function requireFew(attributes: number): void {
  if (attributes > MAX_ATTRIBUTES) throw new Error('too many attributes');
}

/** The types of the library leave out what it knows of an element that has not ended. */
function attributesSoFar(parser: object): number {
  return 'attribList' in parser && Array.isArray(parser.attribList) ? parser.attribList.length : 0;
}

/** Collects the text of paragraphs while XML arrives. Throws if the XML is not well-formed. */
function createParagraphs() {
  const parser = sax.parser(true, OPTIONS);
  const parts: string[] = [];
  let isWord = false;
  let isText = false;
  let ignored = 0;
  let depth = 0;
  const declared: number[] = []; // the depth of each namespace
  const onText = (text: string) => {
    if (isText && ignored === 0) parts.push(text);
  };
  Object.assign(parser, {
    onerror: (error: Error) => {
      throw error;
    },
    // A document has none, so entities cannot be declared.
    ondoctype: () => {
      throw new Error('a document type');
    },
    onopentag: ({ local, uri, attributes }: QualifiedTag) => {
      depth++;
      const names = Object.keys(attributes);
      requireFew(names.length);
      for (const name of names) if (name.startsWith('xmlns')) declared.push(depth);
      if (declared.length > MAX_NAMESPACES) throw new Error('too many namespaces');
      if (IGNORED.has(local)) ignored++;
      isText = local === 't' && WORD.has(uri);
      isWord ||= local === 'document' && WORD.has(uri);
      if (!WORD.has(uri) || ignored > 0) return;
      if (local === 'tab') parts.push('\t');
      if (local === 'br' || local === 'cr') parts.push('\n');
    },
    ontext: onText,
    oncdata: onText,
    onclosetag: (name: string) => {
      const local = name.slice(name.indexOf(':') + 1);
      while (declared.at(-1) === depth) declared.pop();
      depth--;
      isText = false;
      if (IGNORED.has(local)) ignored--;
      if (local === 'p') parts.push('\n');
    },
  });
  return {
    write(xml: string) {
      for (let at = 0; at < xml.length; at += SLICE) {
        parser.write(xml.slice(at, at + SLICE));
        requireFew(attributesSoFar(parser));
      }
    },
    end: (xml: string) => {
      parser.write(xml).close();
      if (!isWord) throw new Error('no document in it');
      return parts.join('');
    },
  };
}
