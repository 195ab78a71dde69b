// import: memories from the files of other products, and from our own.

import type { Command } from '../command.ts';

/** Imports memories; what it takes is loaded when it is called. */
export const importCommand: Command = {
  summary: 'import memories from files, folders and zip archives of many products, or from -',
  takes: 'FILE…',
  options: [
    'database',
    'account',
    'format',
    'dry-run',
    'all-or-nothing',
    'started-at',
    'timezone',
    'json',
  ],
  says: { format: 'what the files are, one of those below; found out where it is left out' },
  details: async () => {
    const { itemFormats, textFormats } = await import('../../formats/formats.ts');
    const formats = [...itemFormats, ...textFormats];
    return { title: 'Formats:', rows: formats.map(({ name, product }) => [name, product]) };
  },
  run: async (args) => {
    const { importWith } = await import('./importing.ts');
    return importWith(args);
  },
};
