import { z } from "zod";
import type { Problem } from "../../plugin-api/index.js";
import type { MergedSigning } from "../../documents/index.js";
import type { Candidate } from "./candidate.js";
import { problem } from "./refusal.js";

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
