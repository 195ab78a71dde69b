// What a screen shows, as a request to the API that anybody can repeat.

import { COMMON } from '../texts.ts';
import { CopyText } from './copy.tsx';
import { apiUrl } from './keys.ts';

/** Shows a request as a curl command, folded away. `path` is below `/v1`, such as `/memories?limit=50`. */
export function AsCurl({ path }: { readonly path: string }) {
  return (
    <details class="as-curl">
      <summary>{COMMON.asCurl}</summary>
      <CopyText label={COMMON.command} text={curlOf(apiUrl() + path)} />
    </details>
  );
}

/** Returns the command. The key stays a variable, so that no history of a shell has it. */
export function curlOf(url: string): string {
  return `curl -H "Authorization: Bearer $KEY" '${url.replaceAll("'", '%27')}'`;
}
