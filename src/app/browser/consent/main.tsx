// Starts the page on which an owner allows or denies an OAuth client. It has a script of its own, which other visits do not load.

import { render } from 'preact';

import { startReading } from '../state/reading.ts';
import { watchAccount } from '../state/session.ts';
import { ConsentPage } from './consent-page.tsx';

startReading();
watchAccount();
render(<ConsentPage />, document.body);
