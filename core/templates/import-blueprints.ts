import type { EntityManager } from "typeorm";
import { service } from "../accounts/index.js";
import { blueprints } from "./blueprints/index.js";
import { checkTemplate } from "./check-template.js";
import { publishTemplate } from "./publish-template.js";
import type { TemplateOwner } from "./template-owner.js";

/** Gives an organization all example templates. */
export async function importBlueprints(
  tx: EntityManager,
  owner: TemplateOwner,
): Promise<void> {
  for (const { id: _id, ...template } of blueprints())
    await publishTemplate(
      tx,
      owner,
      checkTemplate(template),
      service,
      "template.imported",
    );
}
