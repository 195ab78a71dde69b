// What finds memories as one script: search, the calendar with its days, people, action items, stars, and the changes.

import { ActionsScreen } from '../actions/actions-screen.tsx';
import { CalendarScreen } from '../calendar/calendar-screen.tsx';
import { DayScreen } from '../calendar/day-screen.tsx';
import { MonthScreen, WeekScreen } from '../calendar/span-screen.tsx';
import { ChangesScreen } from '../changes/changes-screen.tsx';
import { StarredScreen } from '../list/starred-screen.tsx';
import { PeopleScreen } from '../people/people-screen.tsx';
import { PersonScreen } from '../people/person-screen.tsx';
import { SearchScreen } from './search-screen.tsx';

/** The reader has it as well. */
export { ItemRow } from '../actions/item-row.tsx';
export { SelectionBar } from '../list/selection-bar.tsx';

/** The screens by their names. */
export const screens = {
  search: SearchScreen,
  changes: ChangesScreen,
  calendar: CalendarScreen,
  day: DayScreen,
  week: WeekScreen,
  month: MonthScreen,
  people: PeopleScreen,
  person: PersonScreen,
  actions: ActionsScreen,
  starred: StarredScreen,
};
