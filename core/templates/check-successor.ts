import type { Template } from "../storage/database/index.js";
import {
  checkSuccession,
  liftDefinition,
  type ProjectData,
} from "../definition/index.js";
import { checkTemplate, type NewTemplate, refusal } from "./check-template.js";

/** Checks the definition that a template is to have next. @throws PlatenError `invalid_definition` with every problem: a changed collectionId is one. */
export function checkSuccessor(
  template: Template,
  written: unknown,
): NewTemplate {
  const { name, templateType } = template;
  const checked = checkTemplate({ name, templateType, definition: written });
  // Only checked definitions are stored.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const previous = liftDefinition(template.definition) as ProjectData;
  const problems = checkSuccession(previous, checked.definition);
  if (problems.length > 0) throw refusal(problems);
  return checked;
}
