// What an option of the command line is.

/** An option of the command line. */
export interface Option {
  /** Stands for the value in help; an option without it is a switch. */
  readonly value?: string;
  /** Environment variables to read, in this order, if the flag is not given. */
  readonly env?: readonly string[];
  readonly default?: string | undefined;
  /** What happens without the option, in words, if it has no default value. */
  readonly unset?: string;
  /** A word that a switch can take after `=`, instead of `on`. */
  readonly word?: string;
  /** The option can be repeated, or given once with commas. */
  readonly multiple?: true;
  readonly help: string;
}
