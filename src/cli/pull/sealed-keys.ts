// Seals the products' keys that the app stores, by a key file that is outside of the database, so that no backup can read them.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { shellWord } from '../../lib/shell.ts';
import { engineOf } from '../../store/engines.ts';
import { createFile } from '../../store/files/atomic-file.ts';
import { Refusal } from '../../store/refusal.ts';
import type { SourceKey } from '../../store/sources/runs.ts';
import { createDataFolder } from '../data-folder.ts';

const CIPHER = 'aes-256-gcm';
/** The bytes of an initialization vector and of a tag (NIST SP 800-38D). */
const [IV_BYTES, TAG_BYTES] = [12, 16];
const KEY_BYTES = 32;

/** Returns the path of the key file: beside a database file, otherwise in this user's data folder. */
export async function keyFileOf(database: string): Promise<string> {
  if (engineOf(database).file === undefined) return join(await createDataFolder(), 'sources.key');
  return `${existsSync(database) ? realpathSync(database) : resolve(database)}.key`;
}

/** Seals a key for one source of one account. Creates the key file if there is none. Throws `Refusal`. */
export function sealKey(file: string, source: SourceKey, key: string): string {
  if (!existsSync(file))
    createFile(file, (temporary) =>
      writeFileSync(temporary, `${randomBytes(KEY_BYTES).toString('base64url')}\n`),
    );
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, readKeyFile(file), iv).setAAD(nameBytes(source));
  const text = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
}

/** Opens the key of a source. Throws `Refusal` if the file is missing or not the one that sealed it. */
export function openKey(file: string, source: SourceKey, sealed: string): string {
  const secret = existsSync(file) ? readKeyFile(file) : undefined;
  const bytes = Buffer.from(sealed, 'base64url');
  const tagAt = IV_BYTES + TAG_BYTES;
  try {
    if (secret === undefined) throw new Error('no key file');
    const cipher = createDecipheriv(CIPHER, secret, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    cipher.setAAD(nameBytes(source)).setAuthTag(bytes.subarray(IV_BYTES, tagAt));
    return cipher.update(bytes.subarray(tagAt), undefined, 'utf8') + cipher.final('utf8');
  } catch (cause) {
    const why = secret === undefined ? `there is no file ${file}` : `${file} did not seal it`;
    throw new Refusal(
      `The key of ${source.name} cannot be opened, because ${why}; enter the key again on the page Sources of the app, or put the right file back.`,
      { cause },
    );
  }
}

/** Binds a sealed key to its source, so that it opens for no other account or address. */
function nameBytes({ account_id, name }: SourceKey): Buffer {
  return Buffer.from(JSON.stringify([account_id, name]));
}

function readKeyFile(file: string): Buffer {
  const { mode } = statSync(file);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new Refusal(
      `Other users can open the key file ${file}, so it is not used; run: chmod 600 ${shellWord(file)}`,
    );
  const secret = Buffer.from(readFileSync(file, 'latin1').trim(), 'base64url');
  if (secret.length === KEY_BYTES) return secret;
  throw new Refusal(
    `${file} is not a key file of Memory Gateway; put the right file back, or remove it and enter the keys again on the page Sources of the app.`,
  );
}
