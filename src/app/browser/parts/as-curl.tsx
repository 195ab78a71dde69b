// What a screen shows, as a request to the API that anybody can repeat.

import { requestTarget } from '../../../client/send.ts';
import { apiUrl } from './api-keys.ts';
import { CopyText } from './controls/copy.tsx';

/** The request behind a screen. */
export interface ShownRequest {
  /** The path below `/v1`, such as `/memories`. */
  readonly path: `/${string}`;
  readonly query?: Readonly<Record<string, unknown>>;
  /** What the command is called. Default: what it is. */
  readonly label?: string;
}

/** What it is. */
export const AS_REQUEST = 'As a request to the API';

/** Shows a request as a curl command. */
export function AsCurl({ path, query = {}, label = AS_REQUEST }: ShownRequest) {
  return <CopyText label={label} text={curlOf(apiUrl() + requestTarget({ path }, query))} />;
}

/** Returns the command. The key stays a variable, so that no history of a shell has it. */
function curlOf(url: string): string {
  return `curl -H "Authorization: Bearer $KEY" '${url.replaceAll("'", '%27')}'`;
}
