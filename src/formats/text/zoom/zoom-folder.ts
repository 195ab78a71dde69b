// Reads the name of a folder in which Zoom saves a meeting on a computer: its day, its time and its title.

import type { FileInfo } from '../../format.ts';
import { toFileId } from '../../id.ts';
import type { RecordingFacts } from '../lines/dialect.ts';

/** `2026-09-14 13.36.31 Weekly meeting`, in the time zone of the computer. Older folders end with the number of the meeting. */
const FOLDER =
  /^(?<day>\d{4}-\d\d-\d\d) (?<hour>\d\d)\.(?<minute>\d\d)\.(?<second>\d\d)(?: (?<title>.*?))?(?: \d{9,11})?$/u;

/** The names that Zoom gives to its files, which say nothing about the meeting. */
const FILE = /(?:^|\/)(?:meeting_saved_\w+|closed_caption|chat)(?:\.\w+)?$/i;

/** Returns a name of a recording, if all that is known is the name that Zoom gave to its file. */
export function namedAs(what: string, { name }: FileInfo): RecordingFacts {
  return FILE.test(name) ? { name: `Zoom ${what}` } : {};
}

/** Reads the id and the name of a meeting from the folder that a file is in. */
export function readFolder({ name, fullName = name }: FileInfo): RecordingFacts {
  const [folder = '', file = ''] = fullName.split('/').slice(-2);
  const found = FOLDER.exec(folder)?.groups;
  if (found === undefined) return {};
  const { day, hour, minute, second, title } = found;
  return {
    // The same file has the same id, whichever folder the import starts from.
    id: toFileId(`${folder}/${file}`),
    has_file_id: true,
    name: title?.trim() || folder,
    started_at: `${day}T${hour}:${minute}:${second}`,
  };
}
