import type { NamedSubmitter } from "../../documents/index.js";

/** Somebody who may sign, and who named them. */
export interface Candidate extends NamedSubmitter {
  /** Where they are named, as a JSON path. */
  path: string;
  /** Named by the caller; else by the template and the record. */
  isAsked: boolean;
}

/**
 * Who may sign, each role once. What the caller says of a role wins over what the template says of it, key by key; a
 * role that only the template names stays.
 */
export function candidatesOf(
  asked: readonly NamedSubmitter[],
  told: readonly NamedSubmitter[],
): Candidate[] {
  const byRole = new Map(asked.map((one) => [one.role, one]));
  const template = told
    .map((one, index) => ({ one, path: pathOf(one, index) }))
    .filter(({ one }) => !isRepeated(one, told) || !byRole.has(one.role))
    .map(({ one, path }) => {
      const wish = byRole.get(one.role);
      return wish === undefined
        ? { ...one, path, isAsked: false }
        : { ...merged(one, wish), path: askedPath(asked, wish), isAsked: true };
    });
  const added = asked
    .filter(({ role }) => told.every((one) => one.role !== role))
    .map((one) => ({ ...one, path: askedPath(asked, one), isAsked: true }));
  return [...template, ...added];
}

function merged(told: NamedSubmitter, asked: NamedSubmitter): NamedSubmitter {
  return {
    role: told.role,
    email: asked.email,
    name: asked.name ?? told.name,
    order: asked.order ?? told.order,
    values: { ...told.values, ...asked.values },
  };
}

/** Whether another one of the same role stands before it. */
function isRepeated(
  one: NamedSubmitter,
  told: readonly NamedSubmitter[],
): boolean {
  return told.find(({ role }) => role === one.role) !== one;
}

function askedPath(
  asked: readonly NamedSubmitter[],
  one: NamedSubmitter,
): string {
  return `$.esignSettings.submitters[${asked.indexOf(one)}]`;
}

function pathOf({ path }: NamedSubmitter, index: number): string {
  return path ?? `$.schema[0].connection.submitters[${index}]`;
}
