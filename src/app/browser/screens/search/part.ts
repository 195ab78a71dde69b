// What finds memories as one script: search, the calendar with its days, people, action items, stars, and the changes.

export { ActionsScreen } from '../actions/actions-screen.tsx';
export { CalendarScreen } from '../calendar/calendar-screen.tsx';
export { DayScreen } from '../calendar/day-screen.tsx';
export { MonthScreen, WeekScreen } from '../calendar/span-screen.tsx';
export { ChangesScreen } from '../changes/changes-screen.tsx';
export { PeopleScreen } from '../people/people-screen.tsx';
export { PersonScreen } from '../people/person-screen.tsx';
export { StarredScreen } from '../list/starred-screen.tsx';
export { SearchScreen } from './search-screen.tsx';
