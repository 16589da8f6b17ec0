import type { ProjectData } from "./project-data.js";

/** Where a template's records come from, as REST shows it; each part null when it is not set. */
export interface DataSource {
  platform: string | null;
  connectionId: string | null;
  baseId: string | null;
  tableId: string | null;
}

/** Null when the root has no connection to a platform. */
export function dataSourceOf(definition: ProjectData): DataSource | null {
  const { platform, connectionId, baseId, tableId } =
    definition.schema[0]?.connection ?? {};
  if (platform === undefined && connectionId === undefined) return null;
  return {
    platform: platform ?? null,
    connectionId: connectionId ?? null,
    baseId: baseId ?? null,
    tableId: tableId ?? null,
  };
}
