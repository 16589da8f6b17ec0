import { expect } from "chai";
import { operator } from "../../core/accounts/index.js";
import { ConnectionService } from "../../core/integrations/connections/index.js";
import { newBatchCaller } from "./batches.js";
import { readDocFile } from "./doc-blocks.js";
import type { RecordCaller } from "./records.js";
import type { TestService } from "./service.js";

/** What the reader of the page puts into a recipe in place of its examples. */
interface RecipeValues {
  address?: string;
  templateId?: string;
}

/** A recipe of the page, with these values in place of its examples, each of which it has once. */
export function readRecipe(
  name: string,
  { address, templateId }: RecipeValues = {},
): string {
  const replaced = [
    ["https://platen.example.com", address],
    ["00000000-0000-0000-0000-000000000000", templateId],
  ] as const;
  let recipe = readDocFile("docs/how-to/automate.md", name);
  for (const [example, value] of replaced) {
    if (value === undefined) continue;
    expect(recipe.split(example)).to.have.length(2, example);
    recipe = recipe.replace(example, () => value);
  }
  return recipe;
}

/** A caller whose template names the table of a platform, as the wizard creates it. */
export async function newTableCaller(
  service: TestService,
  credentials: object,
  connection: { platform: string; baseId: string; tableId: string },
): Promise<RecordCaller> {
  const caller = await newBatchCaller(service);
  const { platform } = connection;
  const input = { platform, name: "Shop", credentials: { ...credentials } };
  const { id: connectionId } = await service.container
    .resolve(ConnectionService)
    .create(caller, input, operator);
  const fields = [{ name: "name", source: "Name", type: "String" }];
  const definition = {
    schema: [{ id: "root", fields, connection }],
    components: [{ type: "text", text: "{{ root.name }}" }],
    fileName: "{{ root.name }}",
  };
  const templateId = await caller.publish({ definition });
  return { ...caller, templateId, connectionId };
}
