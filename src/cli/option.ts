// What an option of the command line is.

/** An option: how it is typed, where else it is read from, and what help says of it. */
export interface Option {
  /** What stands for the value in help; an option without one is a switch. */
  readonly value?: string;
  /** Read in this order where the flag is not given. */
  readonly env?: readonly string[];
  readonly default?: string;
  /** It may be given several times, or once with commas between. */
  readonly multiple?: true;
  readonly help: string;
}
