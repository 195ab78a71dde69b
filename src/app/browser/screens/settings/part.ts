// The account as one script: sign-in, the first visit, settings and imports. It is loaded when one of them is first shown.

import { keepWorker } from '../../state/keep-worker.ts';
import { takeDrops } from '../import/drop-zone.tsx';
import { ImportScreen } from '../import/import-screen.tsx';
import { SetupScreen } from '../start/first-visit.tsx';
import { AboutScreen } from './about.tsx';
import { AccessScreen } from './access/access.tsx';
import { ConnectScreen } from './access/connect.tsx';
import { BinScreen } from './bin.tsx';
import { DevicesScreen } from './devices/devices.tsx';
import { PhoneScreen } from './devices/phone.tsx';
import { EditsScreen } from './edits.tsx';
import { ReadingScreen } from './reading.tsx';
import { SharesScreen } from './shares.tsx';
import { SourcesScreen } from './sources/sources.tsx';

export { KeysSheet } from '../../keyboard/keys-sheet.tsx';
export { SignInScreen } from '../sign-in/sign-in.tsx';
export { Beginnings, ClaimScreen } from '../start/first-visit.tsx';
export { ShownKey } from './access/shown-key.tsx';
export { OfflineScreen } from './settings.tsx';
export { SignOut } from './sign-out.tsx';

takeDrops();
keepWorker(); // the last script that a page loads

/** The screens by their names. */
export const screens = {
  connect: ConnectScreen,
  reading: ReadingScreen,
  access: AccessScreen,
  devices: DevicesScreen,
  edits: EditsScreen,
  phone: PhoneScreen,
  sources: SourcesScreen,
  shares: SharesScreen,
  about: AboutScreen,
  import: ImportScreen,
  bin: BinScreen,
  start: SetupScreen,
};
