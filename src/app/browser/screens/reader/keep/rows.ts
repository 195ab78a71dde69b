// The rows of text of a picture, and how texts break into them.

/** A row of text. */
export interface Row {
  readonly text: string;
  readonly font: string;
  readonly color: string;
  readonly height: number;
}

/** Returns how high rows are together. */
export function heightOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { height }) => sum + height, 0);
}

const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' });
const CHARACTERS = new Intl.Segmenter();

/** Breaks a text into rows of a width: between words, or within a word that is wider alone. */
export function wrap(text: string, width: number, measure: (part: string) => number): string[] {
  const fits = (part: string) => measure(part.trimEnd()) <= width;
  const rows: string[] = [];
  for (const line of text.split('\n').filter(Boolean)) {
    let row = '';
    const add = (part: string) => {
      if (!fits(row + part) && row !== '') {
        rows.push(row.trimEnd());
        row = '';
      }
      row += row === '' ? part.trimStart() : part;
    };
    for (const { segment } of WORDS.segment(line))
      if (fits(segment)) add(segment);
      else for (const { segment: char } of CHARACTERS.segment(segment)) add(char);
    rows.push(row.trimEnd());
  }
  return rows;
}
