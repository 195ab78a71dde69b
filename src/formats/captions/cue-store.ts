// Stores the cues of a file in little memory: their text as bytes, their times as numbers in arrays.

import { bufferSize, createTextBytes } from '../../lib/text-bytes.ts';

/** The words in a span of a recording. Times are seconds since the start of the recording. */
export interface Cue {
  readonly start: number;
  readonly end: number;
  /** None of them is empty. */
  readonly lines: readonly string[];
  /** The speaker, if the cue's identifier has one. */
  readonly speaker?: string | undefined;
}

/** The cues of a file, sorted by start time. They can be read several times. */
export interface Cues extends Iterable<Cue> {
  /** Releases their memory. They cannot be read afterwards. */
  release(): void;
}

/** What is stored of a cue besides its text: start, end, and the position behind its text. */
const FIELDS = 3;

/** Creates a store of cues. A file of 59 MB can have a million: as objects they took 400 MB. */
export function createCueStore() {
  const text = createTextBytes();
  let numbers = numbersFor(0);
  let count = 0;
  let isSorted = true;

  const numberAt = (index: number, field: number): number => numbers[index * FIELDS + field] ?? 0;

  function cueAt(index: number): Cue {
    const stored = text.slice(index === 0 ? 0 : numberAt(index - 1, 2), numberAt(index, 2));
    const [speaker, ...lines] = stored.split('\n');
    return {
      start: numberAt(index, 0),
      end: numberAt(index, 1),
      lines,
      speaker: speaker === '' ? undefined : speaker,
    };
  }

  /** The order of the cues, unless they came in order. */
  function orderOf(): Uint32Array | undefined {
    if (isSorted) return undefined;
    return Uint32Array.from({ length: count }, (_, index) => index).toSorted(
      (a, b) => numberAt(a, 0) - numberAt(b, 0) || a - b,
    );
  }

  function* read(order: Uint32Array | undefined): Generator<Cue> {
    for (let i = 0; i < count; i++) yield cueAt(order?.[i] ?? i);
  }

  return {
    add({ start, end, lines, speaker = '' }: Cue): void {
      if ((count + 1) * FIELDS > numbers.length) {
        const more = numbersFor(count + 1);
        more.set(numbers);
        numbers.buffer.transfer(0);
        numbers = more;
      }
      isSorted &&= count === 0 || start >= numberAt(count - 1, 0);
      numbers.set([start, end, text.add([speaker, ...lines].join('\n'))], count * FIELDS);
      count++;
    },
    end(): Cues {
      const order = orderOf();
      return {
        [Symbol.iterator]: () => read(order),
        release() {
          text.release();
          numbers.buffer.transfer(0);
        },
      };
    },
  };
}

function numbersFor(cues: number): Float64Array<ArrayBuffer> {
  return new Float64Array(
    new ArrayBuffer(bufferSize(cues * FIELDS * Float64Array.BYTES_PER_ELEMENT)),
  );
}
