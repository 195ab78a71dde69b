// A quote as a picture: who said what, in which memory and when, and the link.

import { heightOf, wrap, type Row } from './rows.ts';

/** What the picture shows. */
export interface PictureContent {
  /** The quote, turn by turn. */
  readonly turns: readonly PictureTurn[];
  readonly title: string;
  /** When the memory was recorded, as people read it. */
  readonly day: string;
  readonly address: string;
}

/** What one speaker says. */
export interface PictureTurn {
  readonly name: string | undefined;
  /** The colour of the name. */
  readonly color: string;
  readonly text: string;
}

/** The picture, and whether it has the whole quote. */
export interface Picture {
  readonly png: Blob;
  readonly isWhole: boolean;
}

const WIDTH = 1200;
const EDGE = 88;
const [PAGE, TEXT, FAINT] = ['#fbfaf7', '#1f2328', '#59636e'];
const NAME = '600 26px system-ui, sans-serif';
const SAID = "38px ui-serif, Georgia, 'Noto Serif', serif";
const NOTE = '26px system-ui, sans-serif';

/** As much as people read in a picture. */
const MOST_ROWS = 36;

/** Draws a quote. A longer one than the picture holds ends with an ellipsis. */
export async function drawQuote({ turns, title, day, address }: PictureContent): Promise<Picture> {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws no pictures.');
  const wrapped = (text: string, font: string) => {
    context.font = font;
    return wrap(text, WIDTH - 2 * EDGE, (part) => context.measureText(part).width);
  };
  const rowsOf = (text: string, row: Omit<Row, 'text'>) =>
    wrapped(text, row.font).map((part): Row => ({ ...row, text: part }));
  const said = turns.flatMap(({ name, color, text }): Row[] => [
    ...rowsOf(name ?? '', { font: NAME, color, height: 64 }),
    ...rowsOf(text, { font: SAID, color: TEXT, height: 56 }),
  ]);
  const isWhole = said.length <= MOST_ROWS;
  const dots = { text: '…', font: SAID, color: TEXT, height: 56 };
  const shown = isWhole ? said : [...said.slice(0, MOST_ROWS), dots];
  const note = { font: NOTE, color: FAINT, height: 40 };
  const about = [...rowsOf(`${title} · ${day}`, note), ...rowsOf(address, note)];
  canvas.width = WIDTH;
  canvas.height = 3 * EDGE + heightOf(shown) + heightOf(about);
  context.fillStyle = PAGE;
  context.fillRect(0, 0, WIDTH, canvas.height);
  const draw = (rows: readonly Row[], top: number) => {
    let bottom = top;
    for (const { text, font, color, height } of rows) {
      bottom += height;
      const isFromRight = /^[^\p{L}]*[\u0590-\u08ff]/u.test(text);
      context.direction = isFromRight ? 'rtl' : 'ltr';
      context.font = font;
      context.fillStyle = color;
      context.fillText(text, isFromRight ? WIDTH - EDGE : EDGE, bottom);
    }
    return bottom;
  };
  const end = draw(shown, EDGE - 24) + EDGE / 2;
  context.fillStyle = FAINT;
  context.fillRect(EDGE, end, 64, 2);
  draw(about, end + 16);
  return new Promise((resolve, reject) => {
    canvas.toBlob((png) => {
      if (png === null) reject(new Error('The picture is too large for this browser.'));
      else resolve({ png, isWhole });
    });
  });
}
