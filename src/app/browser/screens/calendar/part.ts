// The calendar and its days as one script, which is loaded when one of them is first shown.

export { CalendarScreen } from './calendar-screen.tsx';
export { DayScreen } from './day-screen.tsx';
