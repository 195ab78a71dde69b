// The rules for what clients say about themselves, in a registration or in their document: names and redirect addresses.

import type { ClientMetadata } from 'oidc-provider';
import * as v from 'valibot';

import { Label } from '../contract/schemas/label.ts';
import { isLoopback } from '../lib/loopback.ts';

/** How many redirect addresses a client may have, and how long each may be. */
const MAX_REDIRECTS = 20;
const MAX_URI = 1000;

/**
 * The schemes that a browser runs or opens itself, so that a code would go to a page or a file, those of messages,
 * with which a code would go to somebody else, those with which a program hands an address on to a browser, and those
 * that connect to the host in the address, such as a calendar's. No list has them all, so the page also shows the
 * whole address.
 */
const FORBIDDEN = new RegExp(
  String.raw`^(?:${[
    'javascript|vbscript|data|blob|file|filesystem|about|view-source|wss?|s?ftps?|jar|resource',
    'mailto|smsto|sms|mms|mmsto|tel|callto|facetime[^:]*|xmpp|sips?|skype|whatsapp|tg|im|irc[s6]?|ssh|telnet',
    'microsoft-edge[^:]*|msedge|edge|googlechromes?|chrome[^:]*|x-safari[^:]*|safari[^:]*|x-web-search',
    'firefox[^:]*|opera[^:]*|touch-https?|brave[^:]*|vivaldi[^:]*|duckduckgo|ddg[^:]*|yandexbrowser[^:]*',
    'samsung-?internet|icabs?|puffins?|ucbrowser|dolphin|orion|arc|kiwi|quark|duck',
    'signal|sgnl|viber|line|fb-messenger|twitter|threema|matrix|kakaotalk|weixin|kik|snapchat|steam|shortcuts',
    'webcals?|pcast|podcast|itpc|rts?ps?|rtmps?|h323|vlc|potplayer|smb|cifs|afp|nfs|davs?|ldaps?|gopher|news|nntp',
    'dict|git|svn[^:]*|vnc|rdp|magnet|ed2k|jdownloader|apt|moz-extension|x-apple[^:]*|x-github-client',
    'ms-[^:]*|intent|android-app|view|search[^:]*|feeds?|web\\+[^:]*|https?[^s:][^:]*|market|itms[^:]*',
  ].join('|')}):`,
  'i',
);

/** An address in an address, which a program would open with the code. */
const INNER = /https?:/i;
const ENCODED = /%([0-7][0-9a-f])/gi;

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const QUOTES = /["“”„‟]/g;

/** The name of a client without one. */
export const UNNAMED = 'Unnamed client';

/**
 * Returns the name of a client: on one line, without invisible characters, and not long. Pages put it between
 * double quotation marks, so it has none.
 */
export function readClientName(name: unknown): string {
  const given = typeof name === 'string' ? name.trim() : '';
  const text = Array.from(given.slice(0, 1000)).slice(0, 80).join('').toWellFormed();
  if (!v.is(Label, text)) return UNNAMED;
  const shown = text.replace(INVISIBLE, '').replace(QUOTES, "'").trim();
  return /[\p{L}\p{N}]/u.test(shown) ? shown : UNNAMED;
}

/**
 * Returns why redirect addresses cannot be used, or undefined. They are https, http on the same machine
 * (RFC 8252 §7.3), or of a scheme of the client's own program.
 */
export function redirectFault(uris: readonly string[]): string | undefined {
  if (uris.length > MAX_REDIRECTS) return `redirect_uris has more than ${MAX_REDIRECTS} addresses`;
  return uris.map(faultOf).find((fault) => fault !== undefined);
}

function faultOf(uri: string): string | undefined {
  const url = URL.parse(uri);
  if (uri.length > MAX_URI || !/^[\x21-\x7e]+$/.test(uri) || url === null)
    return `redirect_uris has an address that is not one, or has more than ${MAX_URI} characters`;
  if (url.username !== '' || url.password !== '' || uri.includes('#'))
    return 'redirect_uris has an address with a password or a fragment';
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return 'redirect_uris has an http address of another machine than the own one; use https';
  if (/^https?:$/.test(url.protocol)) return undefined;
  if (FORBIDDEN.test(uri)) return `redirect_uris has the scheme ${url.protocol}`;
  // RFC 8252 §7.1 wants the name of a domain. Many programs have one word, but then with two slashes.
  if (!url.protocol.includes('.') && !uri.slice(url.protocol.length).startsWith('//'))
    return `redirect_uris has the scheme ${url.protocol} without // behind it`;
  return INNER.test(decoded(uri)) ? 'redirect_uris has an address within an address' : undefined;
}

/** Decodes ASCII in an address until nothing is encoded: a program may do so more than once. */
function decoded(uri: string): string {
  const once = uri.replaceAll(ENCODED, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return once === uri ? uri : decoded(once);
}

/** Returns whether an address leads to a program: one on this machine, or one that has a scheme of its own. */
export function isLocalRedirect(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol !== 'https:' && (protocol !== 'http:' || isLoopback(hostname));
}

/** Whether an address leads to this machine by http, so that no other program can hand it on. */
export function isLoopbackRedirect(uri: string): boolean {
  return isLocalRedirect(uri) && new URL(uri).protocol === 'http:';
}

/** Returns where an address leads, for people: the host with its port, or all of an address with another scheme. */
export function placeOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  return /^https?:$/.test(protocol) ? host : uri;
}

/**
 * Brings the metadata of a client into the form that is used. It takes no secret, and no scope: that is the
 * owner's choice. A client with an address on its own machine is native, so that its port may vary.
 * Returns why it cannot be used, or undefined.
 */
export function adoptMetadata(metadata: ClientMetadata): string | undefined {
  const { redirect_uris: uris } = metadata;
  if (!v.is(v.array(v.string()), uris) || uris.length === 0)
    return 'redirect_uris has to be a list of addresses';
  const fault = redirectFault(uris);
  if (fault !== undefined) return fault;
  metadata.application_type = uris.some(isLocalRedirect) ? 'native' : 'web';
  metadata.client_name = readClientName(metadata.client_name);
  metadata.grant_types = ['authorization_code', 'refresh_token'];
  metadata.response_types = ['code'];
  if (metadata.token_endpoint_auth_method !== 'private_key_jwt')
    metadata.token_endpoint_auth_method = 'none';
  delete metadata.scope;
  return undefined;
}
