// Cells that a spreadsheet would run as a formula: an apostrophe keeps them text, and an import takes it off again.

/** The marks that begin a formula, also in full width, and the white space that spreadsheets skip before them. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/u;

/** Returns the text of a cell that no spreadsheet runs. */
export function protectCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Returns the text of a cell without the apostrophe that protects it. */
export function unprotectCell(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}
