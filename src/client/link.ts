// Link headers (RFC 8288): where the next page starts.

/** Takes the cursor out of the link to the next page: undefined when there is none, null when it has none. */
export function nextCursor(header: string): string | null | undefined {
  for (const link of header.split(/,\s*(?=<)/)) {
    // Only the first "rel" counts, and it may name several relations (RFC 8288 §3.3).
    const [, target = '', rel = ''] = /^<([^>]*)>.*?;\s*rel\s*=\s*"?([^";]*)/i.exec(link) ?? [];
    if (!/(^|\s)next(\s|$)/i.test(rel)) continue;
    // Our cursors need no escaping; the address is the client's own to choose.
    return /[?&](?:cursor|since)=([\w-]+)(?=[&#]|$)/.exec(target)?.[1] ?? null;
  }
  return undefined;
}
