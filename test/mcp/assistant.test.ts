import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { blueprints } from "../../core/templates/index.js";
import { applyFix, renameKey } from "../definition/guide/apply-fixes.js";
import {
  getToolResult,
  type Rejection,
  getToolError,
  useTools,
} from "../support/tool-client.js";

const maxRounds = 8;

const template = z.looseObject({ id: z.string() });

const rendered = z.looseObject({ html: z.looseObject({ url: z.string() }) });

/** First those that name the right word: what others ask for may be there once these are mended. */
function findEasiest({ problems }: Rejection): Rejection["problems"] {
  const named = problems.filter(({ hint }) => hint?.startsWith("Did you mean"));
  return named.length > 0 ? named : problems;
}

describe("an assistant that knows only the guide and the errors", () => {
  const tools = useTools();

  /** Calls, mends what the errors name, and calls again. @returns the template's id. */
  async function created(draft: object, rest: object): Promise<string> {
    const definition: unknown = draft;
    for (let round = 1; round <= maxRounds; round += 1) {
      const args = { ...rest, definition };
      const result = await tools.call("create_template", args);
      if (!result.isError) return template.parse(getToolResult(result)).id;
      const problems = findEasiest(getToolError(result));
      for (const problem of problems.toReversed())
        applyFix(definition, problem);
    }
    throw new Error("the errors do not say enough");
  }

  async function mergeHtml(templateId: string, data: unknown): Promise<string> {
    const order = { templateId, formats: ["html"], data, preview: "none" };
    const response = await tools.answer("render_document", order);
    return (await fetch(rendered.parse(response).html.url)).text();
  }

  for (const { id, name, templateType, definition } of blueprints())
    it(`fixes a faulty draft of the ${id}`, async () => {
      const [draft, mistakes] = addMistakes(definition);
      expect(mistakes).to.be.at.least(5);
      const own = await created(draft, { name, templateType });
      const order = { name, blueprint: id };
      const model = await tools.answer("create_template", order);
      expect(await mergeHtml(own, definition.sample)).to.equal(
        await mergeHtml(template.parse(model).id, definition.sample),
      );
    });
});

// What an assistant that writes from memory gets wrong: words that are nearly right.

type Json = Record<string, unknown>;

/** Makes its mistake in the node, if the node has a place for it. */
type Mistake = (node: Json) => boolean;

const mistakes: readonly Mistake[] = [
  misspelt("type"),
  misspelt("align"),
  misspelt("class"),
  renamed("style"),
  renamed("text"),
  renamedWithin("style"),
  replacedIn("text", /(?<=\|\s*)\w{4,}/),
  replacedIn("text", /\b(?:SUM|COUNT)(?=\()/),
  misspeltWithin("collection", "path"),
];

/** Of each kind, so that most nodes stay as they are. */
const maxOfEachKind = 3;

/** A copy of the definition with mistakes all over its components, and how many they are. */
function addMistakes<T extends object>(definition: T): [T, number] {
  const copy = structuredClone(definition);
  // The sample may say anything.
  const parts = Object.entries(copy).filter(([part]) => part !== "sample");
  const valid = new Set(
    parts
      .flatMap(([, part]) => objectsIn(part))
      .filter(({ type }) => typeof type === "string"),
  );
  let count = 0;
  for (const mistake of mistakes) {
    const made = [...valid].filter(upTo(maxOfEachKind, mistake));
    for (const node of made) valid.delete(node);
    count += made.length;
  }
  return [copy, count];
}

function upTo(max: number, mistake: Mistake): Mistake {
  let made = 0;
  return (node) => {
    if (made >= max || !mistake(node)) return false;
    made += 1;
    return true;
  };
}

function misspelt(key: string): Mistake {
  return (node) => {
    const value = node[key];
    if (typeof value !== "string" || value.length < 4) return false;
    node[key] = swapped(value);
    return true;
  };
}

function renamed(key: string): Mistake {
  return (node) => {
    if (!(key in node)) return false;
    renameKey(node, key, swapped(key));
    return true;
  };
}

function replacedIn(key: string, word: RegExp): Mistake {
  return (node) => {
    const value = node[key];
    if (typeof value !== "string" || !word.test(value)) return false;
    node[key] = value.replace(word, swapped);
    return true;
  };
}

function renamedWithin(key: string): Mistake {
  return (node) => {
    const [within] = objectsIn(node[key]);
    const [name] = Object.keys(within ?? {});
    return within !== undefined && name !== undefined && renamed(name)(within);
  };
}

function misspeltWithin(key: string, inner: string): Mistake {
  return (node) => {
    const [within] = objectsIn(node[key]);
    return within !== undefined && misspelt(inner)(within);
  };
}

/** Its second and third letter change places. */
function swapped(word: string): string {
  return word.replace(/^(.)(.)(.)/, "$1$3$2");
}

/** The object itself and all within it. */
function objectsIn(value: unknown): Json[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  // Neither null nor a list.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Array.isArray(value) ? inner : [value as Json, ...inner];
}
