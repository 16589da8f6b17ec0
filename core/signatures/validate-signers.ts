import { z } from "zod";
import {
  type NamedSubmitter,
  type MergedSigning,
  parseExpiry,
} from "../documents/index.js";
import { type Problem, PlatenError } from "../plugin-api/index.js";

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

type SignField = MergedSigning["fields"][number];

const email = z.email();
const longestEmail = 254;
const longestName = 255;
const mostSubmitters = 50;
const mostFields = 1000;

/** Everything that keeps these people from signing these fields. */
export function problemsOf(
  candidates: readonly Candidate[],
  fields: readonly SignField[],
): Problem[] {
  if (fields.length === 0) return [nothingToSign];
  return [
    ...tooMany("sign-fields", fields.length, mostFields),
    ...tooMany("submitters", candidates.length, mostSubmitters),
    ...twice(candidates),
    ...candidates.flatMap(problemsOfOne),
    ...nobodySigns(candidates, fields),
    ...signsNothing(candidates, fields),
  ];
}

const nothingToSign = problem(
  "$.components",
  "no_sign_field",
  "the document has no sign-field, so there is nothing to sign.",
  "Add a sign-field to the template, or leave out sendForSignature.",
);

/** What can be said of somebody before the document is known. */
export function problemsOfOne(one: Candidate): Problem[] {
  const { path, role, order, name = "" } = one;
  return [
    ...emailProblems(one),
    ...(order !== undefined && !Number.isFinite(order)
      ? [problem(`${path}.order`, "order", "is no number.")]
      : []),
    ...(name.length > longestName
      ? [problem(`${path}.name`, "name", "is longer than 255 characters.")]
      : []),
    ...(role.trim() === ""
      ? [problem(`${path}.role`, "role", "must not be empty.")]
      : []),
  ];
}

/** Roles that are named more than once. */
export function twice(candidates: readonly Candidate[]): Problem[] {
  return candidates
    .filter(({ role }, index) =>
      candidates.slice(0, index).some((other) => other.role === role),
    )
    .map(({ role, path }) =>
      problem(
        `${path}.role`,
        "duplicate_role",
        `the role "${role}" is named twice; each is signed by one.`,
      ),
    );
}

function emailProblems({ email: text, path, role }: Candidate): Problem[] {
  const isRight = text.length <= longestEmail && email.safeParse(text).success;
  if (isRight) return [];
  const shown = JSON.stringify(text.slice(0, 100));
  return [
    problem(
      `${path}.email`,
      "email",
      `${shown} of the role "${role}" is no e-mail address.`,
    ),
  ];
}

function nobodySigns(
  candidates: readonly Candidate[],
  fields: readonly SignField[],
): Problem[] {
  const named = new Set(candidates.map(({ role }) => role));
  const lacking = rolesOf(fields).filter((role) => !named.has(role));
  return lacking.map((role) =>
    problem(
      "$.esignSettings.submitters",
      "role_without_submitter",
      `nobody is named for the role "${role}", which the document has fields for.`,
      `Name one here, or in the template's connection.submitters.${nearOf(role, candidates)}`,
    ),
  );
}

function nearOf(role: string, candidates: readonly Candidate[]): string {
  const near = candidates.find(
    (one) => one.role.trim().toLowerCase() === role.trim().toLowerCase(),
  );
  return near ? ` There is one for "${near.role}": did you mean that?` : "";
}

/** Of those whom the template names, one without a field is left out: a condition may have hidden their fields. */
function signsNothing(
  candidates: readonly Candidate[],
  fields: readonly SignField[],
): Problem[] {
  const roles = rolesOf(fields);
  return candidates
    .filter(({ role, isAsked }) => isAsked && !roles.includes(role))
    .map(({ role, path }) =>
      problem(
        `${path}.role`,
        "submitter_without_field",
        `the document has no field for the role "${role}".`,
        `Its roles are: ${roles.map((one) => `"${one}"`).join(", ")}.`,
      ),
    );
}

function tooMany(what: string, count: number, most: number): Problem[] {
  if (count <= most) return [];
  const message = `there are ${count} ${what}; at most ${most} can be signed at once.`;
  return [problem("$", "too_many", message)];
}

function rolesOf(fields: readonly SignField[]): string[] {
  return [...new Set(fields.map(({ role }) => role))];
}

/** The places of a sequence as numbers from 0 without gaps; one that is left out counts as 0. */
export function orderGroups(orders: readonly (number | undefined)[]): number[] {
  const known = orders.map((order) => order ?? 0);
  const sorted = [...new Set(known)].toSorted((a, b) => a - b);
  return known.map((order) => sorted.indexOf(order));
}

/** @throws PlatenError `invalid_request` with all of them, when there are any. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new PlatenError(
    "invalid_request",
    "This cannot be sent for signature.",
    { problems },
  );
}

export function problem(
  path: string,
  code: string,
  message: string,
  hint?: string,
): Problem {
  return { path, code, message, ...(hint !== undefined && { hint }) };
}

const dayMs = 24 * 60 * 60_000;
/** Databases know no later year than 9999. */
const latest = Date.UTC(9999, 0);

/** What a caller says of when the request ends. @returns null when they leave it to the template. */
export function askedExpiry(
  text: string | undefined,
  now: Date,
): { expiresAt: Date | null; problems: Problem[] } {
  if (text === undefined) return { expiresAt: null, problems: [] };
  try {
    return { expiresAt: parseExpiry(text, now), problems: [] };
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    const path = "$.esignSettings.expiresAt";
    const problems = error.problems.map((one) => ({ ...one, path }));
    return { expiresAt: null, problems };
  }
}

/** What the template says of it. */
export function toldExpiry(days: number | null, now: Date): Date | null {
  if (days === null) return null;
  return new Date(Math.min(now.getTime() + days * dayMs, latest));
}

/** Where the provider ends no request by itself, we do: for which it has to be withdrawn there. */
export function expiryProblems(
  expiresAt: Date | null,
  { expiry, cancel }: { expiry: string; cancel: boolean },
  title: string,
): Problem[] {
  if (expiresAt === null || expiry !== "none" || cancel) return [];
  return [
    problem(
      "$.esignSettings.expiresAt",
      "expiry",
      `${title} can neither end a request by itself nor withdraw one.`,
      "Leave it out.",
    ),
  ];
}
