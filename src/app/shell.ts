// The shell: the one HTML page of the app, and the headers that protect it.

/** The names in a shell. */
export interface ShellNames {
  /** The way up to the folder of the files, such as `../`. */
  readonly up: string;
  readonly script: string;
  /** The script that sends the first requests, and a placeholder of the screen. The page about a client has neither. */
  readonly early?: string;
  readonly style: string;
  readonly theme: Theme;
}

/** The colours of the page. With `system`, they follow the system. */
export type Theme = 'system' | 'light' | 'dark';

/**
 * Returns the shell. All its addresses are relative, so that it works under any prefix. It has no
 * script or style of its own, because the policy allows none.
 */
export function shellOf({ up, script, early, style, theme }: ShellNames): string {
  const [chosen, scheme] =
    theme === 'system' ? ['', 'light dark'] : [` data-theme="${theme}"`, theme];
  const [first, skeleton] = early === undefined ? ['', ''] : [firstScript(up + early), SKELETON];
  return `<!doctype html>
<html lang="en"${chosen}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme}">
<meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#16191d" media="(prefers-color-scheme: dark)">
<title>Memories</title>
<meta name="description" content="Read and search your recorded conversations.">
<link rel="icon" type="image/svg+xml" href="${up}icon.svg">
<link rel="apple-touch-icon" href="${up}apple-touch-icon.png">
<link rel="manifest" href="${up}manifest.webmanifest" crossorigin="use-credentials">
${first}<link rel="stylesheet" href="${up}${style}">
<script type="module" src="${up}${script}"></script>
</head>
<body>
${skeleton}<noscript>This app needs JavaScript. Turn it on for this address, or use the API: see /docs.</noscript>
</body>
</html>
`;
}

function firstScript(url: string): string {
  return `<script type="module" async fetchpriority="high" src="${url}"></script>\n`;
}

/** The page before the script runs: the frame, with empty rows in place of memories. */
const SKELETON = `<div class="frame" aria-hidden="true"><header></header><main class="skeleton"><div class="loading">${'<div></div>'.repeat(8)}</div></main></div>\n`;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types worker',
];

/** Returns the headers of the shell: name, value, name, value, … Only a gateway that serves recordings lets pages play them. */
export function shellHeaders(hasAudio: boolean): string[] {
  return [
    'content-security-policy',
    [...POLICY, ...(hasAudio ? ["media-src 'self'"] : [])].join('; '),
    'referrer-policy',
    'no-referrer',
    'permissions-policy',
    'camera=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-write=(self), publickey-credentials-create=(self), publickey-credentials-get=(self)',
  ];
}
