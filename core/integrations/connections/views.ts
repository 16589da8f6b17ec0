// What the studio shows of this capability: types and lists alone, since its pages import this file.

/** The connection to authorize: a new one or, by its id, a saved one, with its saved credentials unless there are new ones. */
export type AuthorizationTarget =
  | { platform: string; name: string; credentials: object }
  | { delivery: string; name: string; credentials: object }
  | { connectionId: string; credentials: object | null };
