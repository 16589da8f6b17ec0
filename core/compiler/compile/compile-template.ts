import type { ProjectData } from "../../definition/schema/project-data.js";
import type { TemplateType } from "../../definition/schema/template-type.js";
import type { Program } from "../merge/merged-document.js";
import { compileEmail } from "../email/compile-email.js";
import { compileDocument } from "./compile-document.js";

/**
 * Compiles a definition that `checkDefinition` accepted. The program depends on nothing but its arguments, so
 * it may be kept under the definition's hash and shared by every merge.
 * The example record is left out: a program that is kept would keep it, and it may be as large as all the rest.
 * @throws PlatenError `invalid_definition`
 */
export function compileTemplate(
  { sample: _example, ...definition }: ProjectData,
  templateType: TemplateType,
): Program {
  return templateType === "email"
    ? compileEmail(definition)
    : compileDocument(definition);
}
