// Refusal: what cannot be done as things stand, in one sentence with the command that mends it.

/** What is wrong with a database file, in a word for machines. */
export type Trouble =
  | 'missing'
  | 'foreign'
  | 'older'
  | 'newer'
  | 'locked'
  | 'damaged'
  | 'denied'
  | 'full'
  | 'unreachable'
  | 'busy'
  | 'unusable';

/** An error for a person: its message is all they need, so nobody prints its stack. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** Which trouble with the file it is, where that is known. */
  readonly trouble: Trouble | undefined;

  constructor(
    message: string,
    { trouble, cause }: { readonly trouble?: Trouble; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.trouble = trouble;
  }
}
