import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { blueprints } from "../../../core/templates/index.js";
import {
  answerIn,
  type Refusal,
  refusalIn,
  useTools,
} from "../../support/use-tools.js";
import { applyFix } from "../../definition/guide/apply-fixes.js";
import { mistaken } from "./mistaken.js";

const mostRounds = 8;

const template = z.looseObject({ id: z.string() });
const rendered = z.looseObject({ html: z.looseObject({ url: z.string() }) });

/** First those that name the right word: what others ask for may be there once these are mended. */
function easiest({ problems }: Refusal): Refusal["problems"] {
  const named = problems.filter(({ hint }) => hint?.startsWith("Did you mean"));
  return named.length > 0 ? named : problems;
}

describe("an assistant that knows the guide and the errors alone", () => {
  const tools = useTools();

  /** Calls, mends what the errors name, and calls again. @returns the template's id. */
  async function created(draft: object, rest: object): Promise<string> {
    const definition: unknown = draft;
    for (let round = 1; round <= mostRounds; round += 1) {
      const args = { ...rest, definition };
      const result = await tools.call("create_template", args);
      if (!result.isError) return template.parse(answerIn(result)).id;
      const problems = easiest(refusalIn(result));
      for (const problem of problems.toReversed())
        applyFix(definition, problem);
    }
    throw new Error("the errors do not say enough");
  }

  async function htmlOf(templateId: string, data: unknown): Promise<string> {
    const order = { templateId, formats: ["html"], data, preview: "none" };
    const answer = await tools.answer("render_document", order);
    return (await fetch(rendered.parse(answer).html.url)).text();
  }

  for (const { id, name, templateType, definition } of blueprints())
    it(`comes from a faulty draft to the ${id}`, async () => {
      const [draft, mistakes] = mistaken(definition);
      expect(mistakes).to.be.at.least(5);
      const own = await created(draft, { name, templateType });
      const order = { name, blueprint: id };
      const model = await tools.answer("create_template", order);
      expect(await htmlOf(own, definition.sample)).to.equal(
        await htmlOf(template.parse(model).id, definition.sample),
      );
    });
});
