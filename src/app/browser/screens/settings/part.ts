// The account as one script: sign-in, the first visit, settings and imports. It is loaded when one of them is first shown.

export { AboutScreen } from './about.tsx';
export { AccessScreen } from './access/access.tsx';
export { BinScreen } from './bin.tsx';
export { ConnectScreen } from './access/connect.tsx';
export { DevicesScreen } from './devices/devices.tsx';
export { EditsScreen } from './edits.tsx';
export { PhoneScreen } from './devices/phone.tsx';
export { ReadingScreen } from './reading.tsx';
export { ShownKey } from './access/shown-key.tsx';
export { SharesScreen } from './shares.tsx';
export { SourcesScreen } from './sources/sources.tsx';
export { ImportScreen } from '../import/import-screen.tsx';
export { SignInScreen } from '../sign-in/sign-in.tsx';
export { ClaimScreen, SetupScreen } from '../start/first-visit.tsx';
