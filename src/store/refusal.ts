// Refusal: an error for people that says what happened and what to do.

/** The kinds of problems with a database, for programs. With `too-many`, an account has as much as it may have. */
export type RefusalCode =
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
  | 'too-many'
  | 'unusable';

/** An error for people. Its message says everything, so no stack is printed. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** The kind of problem with the database, if it is known. */
  readonly code: RefusalCode | undefined;

  constructor(
    message: string,
    { code, cause }: { readonly code?: RefusalCode; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
  }
}
