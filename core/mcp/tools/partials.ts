import { z } from "zod";
import { TEMPLATE_TYPES } from "../../definition/index.js";
import { actorOf, type Tool, tool } from "../tool.js";
import { createHints, readOnlyHints, type ToolServices } from "./shared.js";

const nameInput = z.string().meta({
  description:
    "How definitions refer to it: lower-case letters, digits and single hyphens, such as payment-details. It never changes.",
});

/** A block in an answer; further fields are those of the REST interface. */
const partialOutput = z.looseObject({
  name: z.string(),
  title: z.string(),
  templateType: z.enum(TEMPLATE_TYPES),
  version: z.number(),
});

const listInput = z.strictObject({});
const listOutput = z.strictObject({ data: z.array(partialOutput) });

const getInput = z.strictObject({ name: nameInput });

const saveInput = z.strictObject({
  name: nameInput,
  title: z.string().optional().meta({
    description:
      "How people see it. Default: the name, or as it was when it is changed.",
  }),
  templateType: z.enum(TEMPLATE_TYPES).optional().meta({
    description:
      "The type of the templates that can use it; only when it is created. Default: document.",
  }),
  components: z.array(z.looseObject({})).meta({
    description:
      "All of its components, as in a definition, without other blocks.",
  }),
  expectedVersion: z.int().optional().meta({
    description:
      "The version that get_partial returned, to change the block. Left out: a new block is created.",
  }),
});

const brandInput = z.strictObject({});
const brandOutput = z.looseObject({
  kit: z.looseObject({}),
  version: z.number(),
});

/** What the templates of an organization share: reusable blocks and the brand kit. */
export function partialTools({ partials, brands }: ToolServices): Tool[] {
  return [
    tool({
      name: "list_partials",
      title: "List reusable blocks",
      description:
        'The reusable blocks of the organization, without their components. A definition uses one with { "type": ' +
        '"partial", "name": … }; get_partial reads one.',
      scope: "templates:read",
      input: listInput,
      output: listOutput,
      annotations: readOnlyHints,
      async run({ caller: { organizationId } }) {
        const all = await partials.list(organizationId);
        const data = all.map(
          ({ components: _components, usedBy, ...partial }) => ({
            ...partial,
            templates: usedBy.length,
          }),
        );
        return { data };
      },
    }),
    tool({
      name: "get_partial",
      title: "Read a reusable block",
      description:
        "A block with its components and the templates that use it. Its version is what save_partial takes as expectedVersion.",
      scope: "templates:read",
      input: getInput,
      output: partialOutput,
      annotations: readOnlyHints,
      run: async ({ caller: { organizationId }, input: { name } }) => ({
        ...(await partials.get(organizationId, name)),
      }),
    }),
    tool({
      name: "save_partial",
      title: "Create or change a reusable block",
      description:
        "Creates a block or, with expectedVersion, changes it in all templates that use it, at once. Nothing is saved if " +
        "one of them would become invalid.",
      scope: "templates:write",
      input: saveInput,
      output: partialOutput,
      // A block has no versions to go back to.
      annotations: { ...createHints, destructiveHint: true },
      async run({ caller, input: { name, expectedVersion, ...rest } }) {
        const actor = actorOf(caller);
        if (expectedVersion === undefined)
          return {
            ...(await partials.create(caller, { name, ...rest }, actor)),
          };
        const { title, components } = rest;
        const change = { title, components, expectedVersion };
        return { ...(await partials.change(caller, name, change, actor)) };
      },
    }),
    tool({
      name: "get_brand",
      title: "Read the brand kit",
      description:
        "The organization's colors, fonts, logo and text styles. New templates should use them. The logo is the id of an " +
        "image: write asset:<id> as its src. Version 0: there is none yet.",
      scope: "templates:read",
      input: brandInput,
      output: brandOutput,
      annotations: readOnlyHints,
      async run({ caller: { organizationId } }) {
        const brand = await brands.get(organizationId);
        return { ...brand, kit: { ...brand.kit } };
      },
    }),
  ];
}
