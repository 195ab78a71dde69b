// start: makes what is missing, serves it, and opens the app in a browser.

import { resolve } from 'node:path';

import type { Args } from '../../args/args.ts';
import { embeddingsOptionNames, readEmbeddings } from '../../args/embeddings.ts';
import { UsageError } from '../../args/parse.ts';
import { readPort } from '../../args/values.ts';
import type { Command } from '../../command.ts';
import { dataFolder } from '../../data-folder.ts';
import { readBin } from '../app.ts';
import { readAudioFolder } from '../audio.ts';

/** Makes what is missing, serves it, and opens the app. Its code is loaded only when it runs. */
export const startCommand: Command = {
  summary: 'Create what is missing, serve it and open the app',
  about:
    'FOLDER has the database and a folder "inbox". Default: your data folder. On a terminal, "memory-gateway" alone does the same. The link names your account at the first start, and signs you in later.',
  takes: '[FOLDER]',
  options: ['port', 'lan', 'bin', 'audio', ...embeddingsOptionNames, 'no-key-log', 'no-open'],
  overrides: {
    port: { help: 'Port to listen on; the next free one if it is in use' },
    audio: { value: 'FOLDER' },
  },
  examples: [
    ['Start in your data folder', 'memory-gateway start'],
    [
      'Start in a folder of your own, for your phone as well',
      'memory-gateway start memories --lan',
    ],
  ],
  run: async (args, context) => {
    const how = {
      port: readPort(args.need('port')),
      isForNetwork: args.flag('lan'),
      folder: await folderOf(args),
      hasBin: readBin(args),
      audio: readAudioFolder(args),
      embeddings: readEmbeddings(args, context.env),
      keyLog: !args.flag('no-key-log'),
      isOpening: !args.flag('no-open'),
    };
    const { runStart } = await import('./starting.ts');
    return runStart(how, context);
  },
};

async function folderOf({ positionals }: Args): Promise<string> {
  const [folder, ...more] = positionals;
  if (more.length > 0) throw new UsageError('Give one FOLDER, in quotes if it has spaces.');
  return resolve(folder ?? (await dataFolder()));
}
