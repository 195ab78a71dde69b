// Finds resources of other hosts that a page or a style sheet loads. Links that a reader follows do not count.

const LOADS = [
  /<(?:script|img|source|iframe|audio|video|embed)\b[^>]*?\bsrc(?:set)?="?((?:https?:)?\/\/[^\s">]+)/gi,
  /<link\b[^>]*?\bhref="?((?:https?:)?\/\/[^\s">]+)/gi,
  /url\(\s*['"]?((?:https?:)?\/\/[^\s'")]+)/gi,
  /@import\s+['"]((?:https?:)?\/\/[^'"]+)/gi,
];

/** Lists the addresses on other hosts that HTML or CSS loads. */
export function findForeign(text: string): string[] {
  return LOADS.flatMap((load) => Array.from(text.matchAll(load), ([, address]) => String(address)));
}
