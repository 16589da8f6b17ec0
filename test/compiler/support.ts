import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import {
  compileTemplate,
  inlineAssets,
  type MergedDocument,
  type MergeOptions,
} from "../../core/compiler/index.js";
import {
  checkDefinition,
  type ProjectData,
  type TemplateType,
} from "../../core/definition/index.js";
import type { Text } from "../../core/definition/schema/text-schema.js";

/** Components alone, or a whole definition. */
export type Written = readonly object[] | object;

export const OPTIONS: MergeOptions = {
  isTest: false,
  now: new Date("2026-03-14T09:26:53Z"),
};

/** A definition that needs no more than its components; undeclared data may be read all the same. */
export function createDefinition(written: Written): object {
  const parts = isList(written) ? { components: written } : written;
  return { schema: [], components: [], ...parts };
}

function isList(written: Written): written is readonly object[] {
  return Array.isArray(written);
}

/** The checked definition. Fails the test with its problems. */
export function accepted(
  written: Written,
  templateType: TemplateType = "document",
): ProjectData {
  const { definition, problems } = checkDefinition(
    createDefinition(written),
    templateType,
  );
  expect(problems).to.eql([]);
  if (definition === null) throw new Error("no definition and no problem");
  return definition;
}

export function merged(
  written: Written,
  data: object = {},
  options: Partial<MergeOptions> = {},
): MergedDocument {
  const program = compileTemplate(accepted(written), "document");
  return withOwnImages(program.merge(data, { ...OPTIONS, ...options }));
}

function isOwn({ source }: { source: string }): boolean {
  return source.startsWith("data:");
}

/** The same with the images that came along as data URLs in their places; the others are still listed. */
export function withOwnImages<
  T extends Pick<MergedDocument, "html" | "assets">,
>(document: T): T {
  const own = document.assets.filter(isOwn);
  const html = inlineAssets({ html: document.html, assets: own }, new Map());
  const assets = document.assets.filter((one) => !isOwn(one));
  return { ...document, html, assets };
}

export function mergedEmail(
  written: Written,
  data: object = {},
  options: Partial<MergeOptions> = {},
): MergedDocument {
  const program = compileTemplate(accepted(written, "email"), "email");
  return withOwnImages(program.merge(data, { ...OPTIONS, ...options }));
}

export function text(source: Text, more: object = {}): object {
  return { type: "text", text: source, ...more };
}

export function rule(field: string, operator: string, value?: unknown) {
  return { combinator: "and", rules: [{ field, operator, value }] };
}

/** The output is that of the file. UPDATE_GOLDEN=1 writes the file anew; the diff shows what changed. */
export function expectRecorded(output: string, file: URL): void {
  if (process.env["UPDATE_GOLDEN"]) writeFileSync(file, output);
  expect(output).to.equal(readFileSync(file, "utf8"));
}

/** Markup with a line for each element, to read and to compare. */
export function onLines(markup: string): string {
  return `${markup.replaceAll("><", ">\n<")}\n`;
}
