// What finds memories as one script: search, the calendar with its days, and the changes.

export { CalendarScreen } from '../calendar/calendar-screen.tsx';
export { DayScreen } from '../calendar/day-screen.tsx';
export { ChangesScreen } from '../changes/changes-screen.tsx';
export { SearchScreen } from './search-screen.tsx';
