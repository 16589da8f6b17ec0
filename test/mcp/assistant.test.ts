import { expect } from "chai";
import { describe, it, before } from "mocha";
import { z } from "zod";
import { blueprints } from "../../core/templates/index.js";
import { applyFix, renameKey } from "../definition/guide/apply-fixes.js";
import { definition as letter } from "../support/store.js";
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

const unknownId = "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f";

describe("an assistant that made a mistake", () => {
  const { answer, call, rejection, caller, client } = useTools();
  let templateId: string;
  before(async () => {
    templateId = await caller().publish();
  });

  /** The hint of the only problem. */
  const findHint = async (name: string, args: Record<string, unknown>) => {
    const { problems } = await rejection(name, args);
    expect(problems).to.have.lengthOf(1);
    return problems[0]?.hint;
  };

  it("gets the name of the tool that lists existing ids", async () => {
    const cases: [tool: string, args: Record<string, unknown>, next: string][] =
      [
        ["get_template", { templateId: "abc" }, "list_templates"],
        [
          "create_template",
          { name: "A", cloneTemplateId: unknownId },
          "list_templates",
        ],
        [
          "render_document",
          { templateId: unknownId, formats: ["pdf"] },
          "list_templates",
        ],
        [
          "render_document",
          { templateId, formats: ["pdf"], templateVersion: 7 },
          "list_template_versions",
        ],
        [
          "get_template_version",
          { templateId, versionId: "1" },
          "list_template_versions",
        ],
        ["get_document", { documentId: "abc" }, "list_documents"],
        ["get_asset", { assetId: unknownId }, "list_assets"],
      ];
    const { tools } = await client().listTools();
    for (const [tool, args, next] of cases) {
      expect(await findHint(tool, args)).to.contain(`${next} returns`);
      expect(tools.map(({ name }) => name)).to.include(next);
    }
  });

  it("gets the next step for a template that cannot be rendered", async () => {
    const id = await caller().publish();
    const render = { templateId: id, formats: ["html"] };
    await answer("edit_template", { templateId: id, isActive: false });
    expect(await findHint("render_document", render)).to.contain(
      "edit_template",
    );
    await answer("edit_template", { templateId: id, isActive: true });
    await answer("delete_template", { templateId: id });
    expect(await findHint("render_document", render)).to.contain(
      "cloneTemplateId",
    );
  });

  it("is shown one value as the list that is expected", async () => {
    expect(
      await findHint("render_document", { templateId, formats: "pdf" }),
    ).to.contain('["pdf"]');
    const patch = { op: "remove", path: "/sample" };
    expect(await findHint("edit_template", { templateId, patch })).to.contain(
      `[${JSON.stringify(patch)}]`,
    );
  });

  it("gets the position where a definition sent as a JSON string ends too early", async () => {
    const cut = JSON.stringify(letter).slice(0, -2);
    const args = { name: "Cut", definition: cut };
    const { problems } = await rejection("create_template", args);
    expect(problems[0]?.path).to.equal("definition");
    expect(problems[0]?.message)
      .to.contain("not valid JSON")
      .and.contain("line");
  });

  it("gets the name in this definition for a term of other editors", async () => {
    const wrong = {
      schema: [
        {
          id: "root",
          fields: [
            { name: "a", type: "Text" },
            { name: "b", type: "Integer" },
            { name: "c", type: "Array", target: "c" },
          ],
        },
        { id: "c", fields: [] },
      ],
      page: { footer: "Page 1" },
      components: [
        { type: "container", children: [] },
        { type: "text", content: "a", visible: true, bold: true },
        { type: "image", url: "https://example.com/a.png" },
        { type: "sign-field", role: "Client", kind: "signature", name: "A" },
        { type: "table", rows: [], components: [] },
      ],
    };
    const result = await call("create_template", {
      name: "Wrong",
      definition: wrong,
      dryRun: true,
    });
    const text = JSON.stringify(result.content);
    for (const meant of [
      "String",
      "Number",
      "OneToManyLink",
      "components",
      "text",
      "condition",
      "src",
      "submitter",
      "field",
    ])
      expect(text).to.contain(`Did you mean \\\\\\"${meant}\\\\\\"?`);
    expect(text)
      .to.contain("font-weight")
      .and.contain("Write an array of components");
  });
});
