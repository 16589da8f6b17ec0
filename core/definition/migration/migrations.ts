/** Lifts a definition to the next version. Pure: what it is given stays as it is. */
export type Migration = (
  definition: Readonly<Record<string, unknown>>,
) => Record<string, unknown>;

/** The first lifts version 1 to version 2, and so on. One that was released never changes again. */
export const MIGRATIONS: readonly Migration[] = [];
