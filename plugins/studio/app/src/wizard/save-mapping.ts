import type { MappedCollection } from "../../../../../core/plugin-api/app-wizard.js";
import type { ProjectData } from "../../../../../core/plugin-api/definition.js";
import { askPublic } from "../api.js";
import type { Choice } from "./choice.js";
import { forgetSources } from "./kept-sources.js";
import { mappedDefinition } from "./mapped-definition.js";
import { readTable } from "./place-query.js";

interface Template {
  definition: ProjectData;
  updatedAt: string;
}

/**
 * Has the template say what fills it, as a version of its own: batches are made of versions. One that says so already
 * stays as it is. @throws Refusal, when somebody changed it meanwhile.
 */
export async function saveMapping(
  choice: Choice,
  collections: readonly MappedCollection[],
): Promise<void> {
  const at = `templates/${choice.template}`;
  const [{ definition, updatedAt }, { platform, name, connectionName }] =
    await Promise.all([askPublic<Template>(at), readTable(choice)]);
  const mapped = mappedDefinition(definition, platform.id, choice, collections);
  if (JSON.stringify(mapped) !== JSON.stringify(definition))
    await askPublic(`${at}/definition`, "PUT", {
      definition: mapped,
      expectedVersion: updatedAt,
      createVersion: true,
      versionNote: `Connected to the table ${name} of ${connectionName}`,
    });
  forgetSources(choice);
}
