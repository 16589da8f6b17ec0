import type { EntityManager } from "typeorm";
import type {
  AppDrafts,
  DraftFacts,
  DraftSource,
  Problem,
} from "../../plugin-api/index.js";
import { findTemplate } from "../index.js";
import type { Template } from "../../storage/database/index.js";
import { sampleFacts } from "../../compiler/index.js";
import {
  checkDefinition,
  checkSuccession,
  liftDefinition,
  type ProjectData,
} from "../../definition/index.js";

type DraftToCheck = Parameters<AppDrafts["check"]>[1];

/** What is to be said of a definition, right or wrong. @throws PlatenError `not_found` for a template that is not this organization's. */
export async function checkDraft(
  read: EntityManager,
  organizationId: string,
  { templateType, definition: written, templateId }: DraftToCheck,
): Promise<DraftFacts> {
  const previous =
    templateId === undefined
      ? null
      : await findTemplate(read, organizationId, templateId);
  return draftFacts({ templateType, definition: written }, previous);
}

/** Validates a draft. @param template it may only become what the template's published definition may become */
export function draftFacts(
  { templateType, definition: written }: DraftSource,
  template: Pick<Template, "definition"> | null,
): DraftFacts {
  const checked = checkDefinition(written, templateType);
  const { repeats, conditions, values } = sampleFacts(
    written,
    sampleOf(written),
    new Date(),
  );
  return {
    problems: [
      ...checked.problems,
      ...successionProblems(template?.definition, checked.definition),
    ],
    warnings: checked.warnings,
    repeats: Object.fromEntries(repeats),
    conditions: Object.fromEntries(conditions),
    values: Object.fromEntries(values),
  };
}

function sampleOf(written: unknown): unknown {
  const hasSample =
    typeof written === "object" && written !== null && "sample" in written;
  return hasSample ? (written.sample ?? {}) : {};
}

function successionProblems(
  previous: unknown,
  next: ProjectData | null,
): readonly Problem[] {
  if (previous === undefined || next === null) return [];
  // Only checked definitions are stored.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return checkSuccession(liftDefinition(previous) as ProjectData, next);
}
