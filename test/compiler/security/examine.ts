import { expect } from "chai";
import {
  compileTemplate,
  overlayHtml,
  type Program,
} from "../../../core/compiler/index.js";
import {
  checkDefinition,
  type TemplateType,
} from "../../../core/definition/index.js";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { createDefinition, OPTIONS, type Written } from "../support.js";
import {
  audit,
  getOutline,
  getSourceText,
  readDocument,
  readMarkup,
  type Element,
} from "./audit.js";

/** Read by no template here, so it must never be in a document. */
const SECRET = "kept-out-of-every-document";

/** Stands at the end of each definition, and shows that a document was drawn to its end. */
const END = "The end.";

const options = { ...OPTIONS, invalidCodes: "placeholder" } as const;

/** A record that templates read `x` of, and repeat columns over its `parts`. */
export function createRecord(x: unknown): object {
  return { x, parts: [1], secret: SECRET };
}

/** The definition with a last component, by which `mergeDocument` knows that all was drawn. */
function withEnd(written: Written): object {
  const definition = createDefinition(written);
  const components: object[] = Object(definition).components;
  return {
    ...definition,
    components: [...components, { type: "text", text: END }],
  };
}

/** The program of a definition; null when the checker refuses it. */
function compileIfAccepted(
  written: Written,
  type: TemplateType,
): Program | null {
  const { definition } = checkDefinition(withEnd(written), type);
  return definition && compileTemplate(definition, type);
}

/** @throws when the checker refuses the definition */
export function compile(written: Written, type: TemplateType): Program {
  const program = compileIfAccepted(written, type);
  if (program) return program;
  const { problems } = checkDefinition(withEnd(written), type);
  throw new Error(JSON.stringify(problems));
}

/** The elements of a merged document. Fails when it shows the secret, or does not reach its end. */
export function mergeDocument(program: Program, data: object): Element[] {
  const { html, overlay } = program.merge(data, options);
  const strips = overlay === null ? [] : [overlayHtml(overlay, 2)];
  const elements = readDocument(html);
  expectWhole(html + strips.join(), elements);
  return [...elements, ...strips.flatMap(readDocument)];
}

/** The same of its MJML. */
function mergeMjml(program: Program, data: object): Element[] {
  const { mjml } = program.mjml(data, options);
  const elements = readMarkup(mjml);
  expectWhole(mjml, elements);
  return elements;
}

function expectWhole(html: string, elements: readonly Element[]): void {
  expect(html.includes(SECRET), "shows what nobody asked for").to.equal(false);
  const isDrawn = elements.some((one) => getSourceText(one).trim() === END);
  expect(isDrawn, "is drawn to its end").to.equal(true);
}

/** What is wrong with the document of a definition; null when it is refused, which is no fault. */
export function findFaults(
  written: Written,
  type: TemplateType,
  data: object = { x: "x" },
): string[] | null {
  try {
    const program = compileIfAccepted(written, type);
    return program && audit(mergeDocument(program, data));
  } catch (error) {
    if (error instanceof PlatenError) return null;
    throw error;
  }
}

/** What templates draw for these is their own; more elements than for any of them come from the data. */
const HARMLESS = ["x", "", "12", "a:b", "data:image/png;base64,iVBORw0KGgo="];

/** What an email makes of a line end in data: as an outline, and by its name. */
const LINE_ENDS: readonly string[] = ["<br > . {}", "br"];

/** Tells what a document has beyond those that `entries` gives for harmless values. */
export class Outlines {
  readonly #most = new Map<string, number>();

  constructor(entries: (harmless: string) => string[]) {
    for (const value of HARMLESS)
      for (const [entry, count] of counted(entries(value)))
        this.#most.set(entry, Math.max(count, this.#most.get(entry) ?? 0));
  }

  additions(entries: readonly string[]): string[] {
    return [...counted(entries)]
      .filter(
        ([entry, count]) =>
          !LINE_ENDS.includes(entry) && count > (this.#most.get(entry) ?? 0),
      )
      .map(([entry]) => `added: ${entry}`);
  }
}

function counted(entries: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  return counts;
}

/**
 * Compiles a definition that reads `x`. @returns what lists the faults of its document for an `x`: what does harm, and
 * elements, attributes, classes and styles that it does not have for harmless data
 */
export function compileAudit(
  written: Written,
  type: TemplateType,
): (x: string) => string[] {
  const program = compile(written, type);
  const readers = [mergeDocument, ...(type === "email" ? [mergeMjml] : [])];
  const audits = readers.map((read) => {
    const outlines = new Outlines((x) =>
      getOutline(read(program, createRecord(x))),
    );
    return (x: string) => {
      const elements = read(program, createRecord(x));
      const harm = read === mergeDocument ? audit(elements) : [];
      return [...harm, ...outlines.additions(getOutline(elements))];
    };
  });
  return (x) => audits.flatMap((find) => find(x));
}
