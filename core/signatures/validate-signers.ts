import { z } from "zod";
import {
  type MergedSigning,
  type NamedSubmitter,
  parseExpiry,
} from "../documents/index.js";
import {
  type EsignCapabilities,
  PlatenError,
  type Problem,
} from "../plugin-api/index.js";

type SignField = MergedSigning["fields"][number];

const emailSchema = z.email();
const maxEmailLength = 254;
const maxNameLength = 255;
const maxSubmitters = 50;
const maxFields = 1000;
const dayMs = 24 * 60 * 60_000;
/** Databases support no later year than 9999. */
const latest = Date.UTC(9999, 0);

/** A possible signer. */
export interface Candidate extends NamedSubmitter {
  /** Where the signer is named, as a JSON path. */
  path: string;
  /** Named by the request, and not only by the template and the record. */
  isRequested: boolean;
}

/** The signers of request and template, each role once. The request's values win over the template's, key by key. */
export function mergeCandidates(
  requested: readonly NamedSubmitter[],
  fromTemplate: readonly NamedSubmitter[],
): Candidate[] {
  const byRole = new Map(requested.map((one) => [one.role, one]));
  const toRequested = (
    one: NamedSubmitter,
    values: NamedSubmitter,
  ): Candidate => {
    const path = `$.esignSettings.submitters[${requested.indexOf(one)}]`;
    return { ...values, path, isRequested: true };
  };
  const template = fromTemplate.flatMap((one, index): Candidate[] => {
    const request = byRole.get(one.role);
    if (request === undefined) {
      const path = `$.schema[0].connection.submitters[${index}]`;
      return [{ ...one, path: one.path ?? path, isRequested: false }];
    }
    const first = fromTemplate.find(({ role }) => role === one.role);
    if (first !== one) return [];
    const values = { ...one.values, ...request.values };
    const name = request.name ?? one.name;
    const order = request.order ?? one.order;
    return [toRequested(request, { ...request, name, order, values })];
  });
  const added = requested
    .filter(({ role }) => fromTemplate.every((one) => one.role !== role))
    .map((one) => toRequested(one, one));
  return [...template, ...added];
}

/** Everything that prevents these people from signing these fields. */
export function checkCandidates(
  candidates: readonly Candidate[],
  fields: readonly SignField[],
): Problem[] {
  if (fields.length === 0)
    return [
      toProblem(
        "$.components",
        "no_sign_field",
        "the document has no sign-field, so there is nothing to sign.",
        "Add a sign-field to the template, or leave out sendForSignature.",
      ),
    ];
  return [
    ...checkCount("sign-fields", fields.length, maxFields),
    ...checkCount("submitters", candidates.length, maxSubmitters),
    ...checkDuplicateRoles(candidates),
    ...candidates.flatMap(checkCandidate),
    ...checkRoles(candidates, fields),
  ];
}

/** What can be checked before the document is known. */
export function checkCandidate(one: Candidate): Problem[] {
  const { path, role, email, order, name = "" } = one;
  const problems: Problem[] = [];
  if (email.length > maxEmailLength || !emailSchema.safeParse(email).success) {
    const shown = JSON.stringify(email.slice(0, 100));
    const message = `${shown} of the role "${role}" is not a valid email address.`;
    problems.push(toProblem(`${path}.email`, "email", message));
  }
  if (order !== undefined && !Number.isFinite(order))
    problems.push(toProblem(`${path}.order`, "order", "must be a number."));
  if (name.length > maxNameLength) {
    const message = `must have at most ${maxNameLength} characters.`;
    problems.push(toProblem(`${path}.name`, "name", message));
  }
  if (role.trim() === "")
    problems.push(toProblem(`${path}.role`, "role", "must not be empty."));
  return problems;
}

export function checkDuplicateRoles(
  candidates: readonly Candidate[],
): Problem[] {
  return candidates
    .filter(({ role }, index) =>
      candidates.slice(0, index).some((other) => other.role === role),
    )
    .map(({ role, path }) =>
      toProblem(
        `${path}.role`,
        "duplicate_role",
        `the role "${role}" is named twice; each role has one signer.`,
      ),
    );
}

/**
 * Roles without a signer, and requested signers without a field. A signer whom only the template names may have no
 * field, since a condition may have hidden it.
 */
function checkRoles(
  candidates: readonly Candidate[],
  fields: readonly SignField[],
): Problem[] {
  const named = new Set(candidates.map(({ role }) => role));
  const roles = [...new Set(fields.map(({ role }) => role))];
  const unsigned = roles
    .filter((role) => !named.has(role))
    .map((role) =>
      toProblem(
        "$.esignSettings.submitters",
        "role_without_submitter",
        `no signer is named for the role "${role}", for which the document has fields.`,
        `Name one here, or in the template's connection.submitters.${suggestRole(role, candidates)}`,
      ),
    );
  const withoutField = candidates
    .filter(({ role, isRequested }) => isRequested && !roles.includes(role))
    .map(({ role, path }) =>
      toProblem(
        `${path}.role`,
        "submitter_without_field",
        `the document has no field for the role "${role}".`,
        `Its roles are: ${roles.map((one) => `"${one}"`).join(", ")}.`,
      ),
    );
  return [...unsigned, ...withoutField];
}

function suggestRole(role: string, candidates: readonly Candidate[]): string {
  const similar = candidates.find(
    (one) => normalize(one.role) === normalize(role),
  );
  return similar
    ? ` There is one for "${similar.role}": did you mean that?`
    : "";
}

function normalize(text: string): string {
  return text.trim().toLowerCase();
}

function checkCount(what: string, count: number, max: number): Problem[] {
  if (count <= max) return [];
  const message = `there are ${count} ${what}; a request can have at most ${max}.`;
  return [toProblem("$", "too_many", message)];
}

/** The expiry in the request; null leaves it to the template. */
export function parseRequestExpiry(
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

export function getTemplateExpiry(days: number | null, now: Date): Date | null {
  if (days === null) return null;
  return new Date(Math.min(now.getTime() + days * dayMs, latest));
}

/** A request that its provider does not expire by itself must be withdrawn there, which the provider must support. */
export function checkExpiry(
  expiresAt: Date | null,
  { expiry, cancel }: Pick<EsignCapabilities, "expiry" | "cancel">,
  title: string,
): Problem[] {
  if (expiresAt === null || expiry !== "none" || cancel) return [];
  return [
    toProblem(
      "$.esignSettings.expiresAt",
      "expiry",
      `${title} can neither expire a request by itself nor withdraw one.`,
      "Leave it out.",
    ),
  ];
}

/** @throws PlatenError `invalid_request` with all problems, if there are any. */
export function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) rejectSigning(problems);
}

/** @throws PlatenError `invalid_request`, always. */
export function rejectSigning(
  problems: readonly Problem[],
  cause?: Error,
): never {
  throw new PlatenError(
    "invalid_request",
    "The document cannot be sent for signature.",
    { problems, ...(cause && { cause }) },
  );
}

export function toProblem(
  path: string,
  code: string,
  message: string,
  hint?: string,
): Problem {
  return { path, code, message, ...(hint !== undefined && { hint }) };
}
