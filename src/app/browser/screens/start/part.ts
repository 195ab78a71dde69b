// The first visit as one script, which only a new gateway loads.

export { ClaimScreen } from './claim-screen.tsx';
export { SetupScreen } from './setup-screen.tsx';
