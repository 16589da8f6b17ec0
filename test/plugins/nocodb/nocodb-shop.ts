import type { Attachment } from "../../../core/plugin-api/index.js";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import type { NocodbCredentials } from "../../../plugins/nocodb/client.js";
import { nocodbPlugin } from "../../../plugins/nocodb/plugin.js";
import { NocodbServer } from "./nocodb-server.js";

/** A base on the real server with one invoice. */
export interface NocodbShop {
  credentials: NocodbCredentials;
  baseId: string;
  tableId: string;
  recordId: string;
  /** What the invoice's field `Papers` holds. */
  papers(): Promise<Attachment[]>;
}

export async function nocodbShop(): Promise<NocodbShop> {
  const server = await NocodbServer.signIn();
  const credentials = { url: server.url, token: await server.makeToken() };
  const baseId = await server.makeBase("Shop");
  const tableId = await server.makeTable(baseId, "Invoices", [
    { title: "Number", type: "SingleLineText" },
    { title: "Total", type: "Decimal" },
    { title: "Papers", type: "Attachment" },
  ]);
  const row = { Number: "R-117", Total: 12.5 };
  const [recordId = ""] = await server.addRows(baseId, tableId, [row]);
  const fieldId = (await server.fieldsOf(baseId, tableId)).get("Papers") ?? "";
  const host = new SuiteHost(nocodbPlugin, credentials);
  const scope = { baseId, tableId };
  return {
    credentials,
    baseId,
    tableId,
    recordId,
    papers: () => host.read({ scope, recordId, fieldId }),
  };
}
