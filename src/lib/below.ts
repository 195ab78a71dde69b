// Paths below a folder, of which nobody says which folder that is.

/** Returns whether a text can only be the path of something below a folder, on every system. */
export function isPathBelow(text: string): boolean {
  return text !== '' && !/^[/\\]|[:\0]|(?:^|[/\\])\.\.?(?:[/\\]|$)/.test(text);
}
