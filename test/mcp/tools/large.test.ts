import { expect } from "chai";
import { blueprint } from "../../../core/templates/index.js";
import { definition as letter } from "../../support/store.js";
import { useTools } from "../../support/tool-client.js";

const field = { name: "name", type: "Number", required: true };

/** A definition with 70 of the same component. */
const repeat = (component: object) => ({
  schema: [{ id: "root", fields: [field] }],
  components: Array.from({ length: 70 }, () => component),
});

function nest(depth: number): object {
  let inner: object = { type: "text", text: "x" };
  for (let at = 0; at < depth; at += 1)
    inner = { type: "container", components: [inner] };
  return { schema: [], components: [inner] };
}

describe("tools with large arguments and answers", () => {
  const { answer, rejection, caller } = useTools();
  let templateId: string;
  before(async () => {
    templateId = await caller().publish({
      definition: { ...repeat({ type: "divider" }), sample: {} },
    });
  });
  const create = (definition: unknown, more: object = {}) =>
    answer("create_template", { name: "Large", definition, ...more });

  it("leave out a long definition and say so, unless it is requested", async () => {
    const long = { ...letter, sample: { text: "x".repeat(60_000) } };
    const { id } = await create(long);
    const short = await answer("get_template", { templateId: id });
    expect(short).not.to.have.property("definition");
    const leftOut = short["definitionLeftOut"];
    expect(leftOut).to.include.keys("characters", "hint");
    const whole = { templateId: id, includeDefinition: true };
    const { definition } = await answer("get_template", whole);
    expect(definition).to.deep.include({ sample: long.sample });
  });

  it("take a blueprint by its id and by its name, with its type", async () => {
    const { sample } = blueprint("newsletter").definition;
    for (const name of ["newsletter", "Newsletter"]) {
      const { id } = await create(undefined, { blueprint: name });
      const whole = { templateId: id, includeDefinition: true };
      const made = await answer("get_template", whole);
      expect(made["templateType"]).to.equal("email");
      expect(made["definition"]).to.deep.include({ sample });
    }
  });

  it("refuse a definition of 5 MB, and take one at the maximum depth", async () => {
    const huge = { type: "text", text: "x".repeat(5_000_000) };
    const { error } = await rejection("create_template", {
      name: "Huge",
      definition: { schema: [], components: [huge] },
    });
    expect(error).to.match(/The limit is 2097152 bytes/);
    await create(nest(60));
  });

  it("show the first 50 problems or warnings, and the number of the others", async () => {
    const wrong = repeat({ type: "none" });
    const dry = await create(wrong, { dryRun: true });
    const refused = await rejection("create_template", {
      name: "Large",
      definition: wrong,
    });
    const made = await create(
      repeat({ type: "text", text: "{{ root.nmae }}" }),
    );
    const items = Array.from({ length: 70 }, () => ({ data: { name: "x" } }));
    const checked = await answer("validate_data", { templateId, items });
    for (const [list, further] of [
      [dry["problems"], dry["furtherProblems"]],
      [refused.problems, 20],
      [made["warnings"], made["furtherWarnings"]],
      [checked["problems"], checked["furtherProblems"]],
    ]) {
      expect(list).to.have.lengthOf(50);
      expect(further).to.equal(20);
    }
  });

  it("refuse patches whose copies would fill the memory or nest without end", async () => {
    for (const [code, getPath] of [
      ["too_large", (at: number) => `/sample/copy${at}`],
      [
        "too_deep",
        (at: number) => `/sample${"/x".repeat(2 ** Math.min(at, 8))}`,
      ],
    ] as const) {
      const patch = Array.from({ length: 60 }, (_, at) => ({
        op: "copy",
        from: "/sample",
        path: getPath(at),
      }));
      const { problems } = await rejection("edit_template", {
        templateId,
        patch,
      });
      expect(problems[0]?.code).to.equal(code);
    }
  });
});
