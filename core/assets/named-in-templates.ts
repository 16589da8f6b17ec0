import type { EntityManager } from "typeorm";
import type { Asset } from "../storage/database/index.js";

const MOST_NAMES = 3;

/**
 * The names of some templates whose definition, or that of one of their versions, names the asset: by its id, its
 * address, or a font's family. Those in the trash count too. What records name, nobody can know.
 */
export async function namedInTemplates(
  read: EntityManager,
  asset: Asset,
): Promise<string[]> {
  const patterns = wordsFor(asset).map(patternOf);
  const named = (column: string) =>
    patterns.map(() => `LOWER(${column}) LIKE ? ESCAPE '!'`).join(" OR ");
  const { organizationId } = asset;
  const rows: { name: string }[] = await read.query(
    "SELECT name FROM template t WHERE t.organization_id = ? " +
      `AND (${named("t.definition")} OR EXISTS (SELECT 1 FROM template_version v ` +
      `WHERE v.template_id = t.id AND (${named("v.definition")}))) LIMIT ${MOST_NAMES}`,
    [organizationId, ...patterns, ...patterns],
  );
  return rows.map(({ name }) => name);
}

function wordsFor({ id, linkKey, details }: Asset): string[] {
  const family = details?.["family"];
  return [id, linkKey, ...(typeof family === "string" ? [family] : [])];
}

/** As it stands within a definition's JSON. Styles name families in any case. */
function patternOf(word: string): string {
  const text = JSON.stringify(word).slice(1, -1).toLowerCase();
  return `%${text.replaceAll(/[!%_]/g, "!$&")}%`;
}
