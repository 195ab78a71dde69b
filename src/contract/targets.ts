// Where each endpoint is: its method and path, and how its pages follow one another. The app's pages carry no more than this.

/** Where a request goes. Names in braces in `path` are path parameters. */
export interface Target {
  /** Default: GET. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/${string}`;
  /** The parameter for the next page: `cursor` for lists that end, `since` for feeds that go on. */
  readonly cursorParameter?: 'cursor' | 'since';
  /** Whether programs call the group itself, as in `api.search(…)`. Such a group has one endpoint. */
  readonly isGroupCall?: true;
  /** Whether a success is a file in its own media type instead of JSON. */
  readonly isFile?: true;
}

/** Something for each endpoint, by group and name. */
export type ByEndpoint<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

/** The endpoints under `/v1`. The app serves them under `/app/v1` as well, by its sessions. */
export const targets = {
  memories: {
    list: { path: '/v1/memories', cursorParameter: 'cursor' },
    get: { path: '/v1/memories/{memory_id}' },
    lines: { path: '/v1/memories/{memory_id}/lines' },
    details: { path: '/v1/memories/{memory_id}/details' },
  },
  search: {
    passages: { path: '/v1/search', cursorParameter: 'cursor', isGroupCall: true },
  },
  days: {
    list: { path: '/v1/days' },
  },
  people: {
    list: { path: '/v1/people', cursorParameter: 'cursor' },
  },
  tags: {
    list: { path: '/v1/tags' },
  },
  actionItems: {
    list: { path: '/v1/action_items', cursorParameter: 'cursor' },
  },
  changes: {
    list: { path: '/v1/changes', cursorParameter: 'since' },
  },
} as const satisfies ByEndpoint<Target>;
