import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import { type Template, TemplateVersion } from "../storage/database/index.js";

/**
 * A state of a template that somebody has read: its `updatedAt`, which every change moves on; or the number of a
 * version, as long as nothing was changed since that version was made.
 */
export type SeenVersion = string | number;

/** @throws PlatenError `conflict` that tells the current state when the template is no longer in that one, `invalid_request` for what names none. */
export async function refuseStale(
  read: EntityManager,
  template: Template,
  seen: SeenVersion | undefined,
): Promise<void> {
  if (seen === undefined) return;
  const number = Number(seen);
  if (Number.isInteger(number))
    return refuseOtherNumber(read, template, number);
  const moment = new Date(seen).getTime();
  if (Number.isNaN(moment)) throw noVersion();
  if (moment !== template.updatedAt.getTime())
    throw stale(template, `since ${new Date(moment).toISOString()}`);
}

async function refuseOtherNumber(
  read: EntityManager,
  template: Template,
  number: number,
): Promise<void> {
  if (number !== template.version)
    throw stale(template, `since version ${number}`);
  const { id: templateId, version, updatedAt } = template;
  const frozen = await read.findOne(TemplateVersion, {
    where: { templateId, version },
    select: { id: true, createdAt: true },
  });
  if (frozen?.createdAt.getTime() !== updatedAt.getTime())
    throw stale(template, `after version ${number} was made`);
}

function stale(template: Template, when: string): PlatenError {
  const updatedAt = template.updatedAt.toISOString();
  const message =
    `This template was changed ${when}: its version is now ${template.version}, ` +
    `and its updatedAt ${updatedAt}.`;
  const hint = `Read it again, and edit what you find there with expectedVersion "${updatedAt}".`;
  return new PlatenError("conflict", `${message} ${hint}`, {
    problems: [
      { path: "$.expectedVersion", code: "stale_version", message, hint },
    ],
  });
}

function noVersion(): PlatenError {
  const message = "This is no version of a template.";
  const hint = "Give the version or the updatedAt that you have read.";
  return new PlatenError("invalid_request", `${message} ${hint}`, {
    problems: [
      { path: "$.expectedVersion", code: "wrong_value", message, hint },
    ],
  });
}
