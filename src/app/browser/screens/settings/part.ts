// The settings as one script, which is loaded when one of them is first shown.

export { AccessScreen } from './access.tsx';
export { ConnectScreen } from './connect.tsx';
export { DevicesScreen } from './devices.tsx';
export { AboutScreen, ReadingScreen } from './settings.tsx';
export { ShownKey } from './shown-key.tsx';
