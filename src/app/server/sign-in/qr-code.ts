// QR codes of sign-in links: as the path of an SVG for the pages, and as text for a terminal.

import type * as v from 'valibot';

import type { QrCode } from '../../contract/records.ts';

// Loaded at the first code, because most gateways never make one.
const load = () => import('uqr');

/** Medium error correction, and the quiet zone of four modules that cameras need (ISO/IEC 18004). */
const FORM = { ecc: 'M', border: 4 } as const;

/**
 * Creates the QR code of a text as an SVG path in units of one module: a rectangle for each run of dark modules
 * in a row.
 */
export async function createQrCode(text: string): Promise<v.InferOutput<typeof QrCode>> {
  const { encode } = await load();
  const { size, data } = encode(text, FORM);
  const path = data.flatMap((row, y) => {
    const modules = row.map((isDark) => (isDark ? '1' : '0')).join('');
    return Array.from(
      modules.matchAll(/1+/g),
      ({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`,
    );
  });
  return { size, path: path.join('') };
}

/** Creates the lines of a QR code for a terminal, two rows of modules in each. Light modules are printed. */
export async function createQrLines(text: string): Promise<string[]> {
  const { renderUnicodeCompact } = await load();
  return renderUnicodeCompact(text, FORM).split('\n');
}
