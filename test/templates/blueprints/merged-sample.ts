import {
  blueprint,
  type Blueprint,
} from "../../../core/templates/blueprints/index.js";
import {
  compileTemplate,
  type MergedDocument,
} from "../../../core/compiler/index.js";
import { checkDefinition } from "../../../core/definition/index.js";
import { withOwnImages } from "../../compiler/support.js";

/** A blueprint merged with its own sample record. */
export function mergedSample(id: string): MergedDocument {
  return merged(blueprint(id), blueprint(id).definition.sample);
}

/** @param data instead of the sample */
export function merged(
  { definition, templateType }: Blueprint,
  data: unknown,
): MergedDocument {
  const checked = checkDefinition(definition, templateType).definition;
  if (checked === null) throw new Error("The blueprint is refused.");
  const document = compileTemplate(checked, templateType).merge(data, {
    isTest: false,
    now: new Date("2026-06-15T12:00:00Z"),
  });
  return withOwnImages(document);
}
