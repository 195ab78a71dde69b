// The part of valibot that the schemas of responses need: same names and results, a fifth of the size.
// The client package is built with it. test/outside/client compares both on damaged responses.

/** Where a value stands in a response. */
type Path = readonly (string | number)[];

/** The first mismatch, once there is one. */
interface Report {
  path?: Path;
}

/** A schema, or a further check of a pipe. Returns the value to go on with. */
interface Schema {
  readonly read: (value: unknown, path: Path, report: Report) => unknown;
  readonly entries?: Entries;
  readonly isOptional?: boolean;
}

type Entries = Readonly<Record<string, Schema>>;

const test = (isValid: (value: never) => boolean): Schema => ({
  read(value, path, report) {
    if (!isValid(value as never)) report.path ??= path;
    return value;
  },
});

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const mayBeKey = (key: string): boolean => !/^(__proto__|prototype|constructor)$/.test(key);

export const string = (): Schema => test((value: unknown) => typeof value === 'string');
export const boolean = (): Schema => test((value: unknown) => typeof value === 'boolean');
export const number = (): Schema => test((value) => typeof value === 'number' && value === value);
export const picklist = (options: readonly unknown[]): Schema =>
  test((value) => options.includes(value));

export const check = test;
export const regex = (expression: RegExp): Schema => test((text) => expression.test(text));
export const isoTimestamp = (): Schema => regex(/^\d{4}-\d\d-\d\dT/);
export const safeInteger = (): Schema => test(Number.isSafeInteger);
export const minValue = (least: number): Schema => test((value) => value >= least);
export const length = (count: number): Schema => test(({ length: own }: string) => own === count);
export const maxLength = (most: number): Schema => test(({ length: own }: string) => own <= most);
export const description = (): Schema => ({ read: (value) => value });

export const optional = ({ read }: Schema): Schema => ({
  read: (value, path, report) => (value === undefined ? value : read(value, path, report)),
  isOptional: true,
});

export const pipe = (first: Schema, ...more: Schema[]): Schema => ({
  ...first,
  read: (value, path, report) =>
    more.reduce(
      (found, { read }) => (report.path ? found : read(found, path, report)),
      first.read(value, path, report),
    ),
});

export const array = (item: Schema): Schema => ({
  read(value, path, report) {
    if (!Array.isArray(value)) return void (report.path ??= path);
    return value.map((each, i) => (report.path ? each : item.read(each, [...path, i], report)));
  },
});

export const object = (entries: Entries): Schema => ({
  entries,
  read(value, path, report) {
    const found: Record<string, unknown> = {};
    if (!isObject(value)) return void (report.path ??= path);
    for (const [key, { read, isOptional }] of Object.entries(entries)) {
      if (report.path) break;
      const own = (value as Record<string, unknown>)[key];
      if (key in value) found[key] = read(own, [...path, key], report);
      else if (!isOptional) report.path = [...path, key];
    }
    return found;
  },
});

export const record = (_: Schema, item: Schema): Schema => ({
  read(value, path, report) {
    if (!isObject(value)) return void (report.path ??= path);
    const entries = Object.entries(value).filter(([key]) => mayBeKey(key));
    return Object.fromEntries(
      entries.map(([key, own]) => [
        key,
        report.path ? own : item.read(own, [...path, key], report),
      ]),
    );
  },
});

/** Validates a value. */
export function safeParse({ read }: Schema, value: unknown) {
  const report: Report = {};
  const output = read(value, [], report);
  return report.path ? { success: false, issues: [report] } : { success: true, output };
}

/** Returns where the first mismatch is, or null if it is the whole value. */
export function getDotPath({ path = [] }: Report): string | null {
  return path.join('.') || null;
}
