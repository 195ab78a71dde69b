// What a screen shows, as a request to the API that anybody can repeat.

import { requestTarget } from '../../../client/send.ts';
import { apiUrl } from './api-keys.ts';
import { CopyText } from './controls/copy.tsx';

/** The request behind a screen. */
export interface ShownRequest {
  /** The path below `/v1`, such as `/memories`. */
  readonly path: `/${string}`;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** What of a menu shows a request as a curl command. */
export function AsCurl({ path, query = {} }: ShownRequest) {
  return (
    <details class="as-curl">
      <summary>As a request to the API</summary>
      <CopyText label="Command" text={curlOf(apiUrl() + requestTarget({ path }, query))} />
    </details>
  );
}

/** Returns the command. The key stays a variable, so that no history of a shell has it. */
function curlOf(url: string): string {
  return `curl -H "Authorization: Bearer $KEY" '${url.replaceAll("'", '%27')}'`;
}
