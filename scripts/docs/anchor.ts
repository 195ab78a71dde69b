// The anchors of headings, the same on GitHub and on the site.

/** Creates the anchor of a heading like GitHub: lower case, no punctuation, hyphens for spaces. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{Pc}\s-]/gu, '')
    .replaceAll(/\s/g, '-');
}
