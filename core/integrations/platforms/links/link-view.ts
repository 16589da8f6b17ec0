import type { Format } from "../../../plugin-api/index.js";
import type { Link } from "../../../storage/database/index.js";
import { type Formula, formulasOf } from "./formulas.js";

/** A link as its owner sees it in a list: not the address itself. Times are ISO 8601. */
export interface LinkView {
  id: string;
  organizationId: string;
  name: string;
  templateId: string;
  platform: string;
  connectionId: string;
  baseId: string | null;
  tableId: string;
  tableName: string;
  /** Where the files go, as people know the field; null when they go nowhere. */
  attachmentField: string | null;
  formats: Format[];
  overwriteExisting: boolean;
  state: "active" | "expired" | "revoked";
  expiresAt: string | null;
  revokedAt: string | null;
  createdById: string;
  createdAt: string;
}

/** With the address, which whoever has it may use, and formulas that make it of a record. */
export interface LinkWithUrl extends LinkView {
  token: string;
  /** `recordId=` and a record's id are to be added. */
  url: string;
  formulas: Formula[];
}

export function linkView(row: Link): LinkView {
  return {
    id: row.id,
    organizationId: row.organizationId,
    name: row.name,
    templateId: row.templateId,
    platform: row.platform,
    connectionId: row.connectionId,
    baseId: row.baseId,
    tableId: row.tableId,
    tableName: row.tableName,
    attachmentField: row.fieldName,
    formats: row.formats,
    overwriteExisting: row.overwriteExisting,
    state: stateOf(row),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    createdById: row.createdById,
    createdAt: row.createdAt.toISOString(),
  };
}

export function withUrl(row: Link, token: string, baseUrl: string) {
  const url = `${baseUrl}/run/${token}`;
  const formulas = formulasOf(row.platform, url, row.name);
  return { ...linkView(row), token, url, formulas };
}

function stateOf({ revokedAt, expiresAt }: Link): LinkView["state"] {
  if (revokedAt !== null) return "revoked";
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) return "expired";
  return "active";
}
