// What an owner sets up as one script: settings, the first visit and imports. It is loaded when one of them is first shown.

export { AccessScreen } from './access.tsx';
export { ConnectScreen } from './connect.tsx';
export { DevicesScreen } from './devices.tsx';
export { AboutScreen, ReadingScreen } from './settings.tsx';
export { ShownKey } from './shown-key.tsx';
export { ImportScreen } from '../import/import-screen.tsx';
export { ClaimScreen } from '../start/claim-screen.tsx';
export { SetupScreen } from '../start/setup-screen.tsx';
