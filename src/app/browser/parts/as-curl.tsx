// What a screen shows, as a request to the API that anybody can repeat, and the menu of a screen that has it.

import type { ComponentChildren } from 'preact';

import { requestTarget } from '../../../client/send.ts';
import { apiUrl } from './api-keys.ts';
import { CopyText } from './controls/copy.tsx';
import { Menu } from './controls/menu.tsx';

interface AsCurlProps {
  /** The path below `/v1`, such as `/memories`. */
  readonly path: `/${string}`;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** Shows a request as a curl command, folded away. */
export function AsCurl({ path, query = {} }: AsCurlProps) {
  return (
    <details class="as-curl">
      <summary>As a request to the API</summary>
      <CopyText label="Command" text={curlOf(apiUrl() + requestTarget({ path }, query))} />
    </details>
  );
}

interface OptionsProps extends AsCurlProps {
  readonly children?: ComponentChildren;
}

/** The menu of a screen, with what is not reading: settings of the screen, and its request. */
export function Options({ children, ...request }: OptionsProps) {
  return (
    <Menu label="Options" sign="⋯">
      {children}
      <AsCurl {...request} />
    </Menu>
  );
}

/** Returns the command. The key stays a variable, so that no history of a shell has it. */
export function curlOf(url: string): string {
  return `curl -H "Authorization: Bearer $KEY" '${url.replaceAll("'", '%27')}'`;
}
