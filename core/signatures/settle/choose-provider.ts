import { PlatenError } from "../../plugin-api/index.js";
import type { SigningRequest } from "../../documents/index.js";
import { Connection, type Store } from "../../storage/database/index.js";
import type { ProviderConnection, ProviderConnections } from "../ports.js";
import { problem, refuse } from "./refusal.js";

interface Parts {
  store: Pick<Store, "read">;
  connections: Pick<ProviderConnections, "openEsign">;
}

/**
 * The connection that the request names, or the template's, or the only one that the organization has.
 * @throws PlatenError `invalid_request` for one that cannot be used, with the reason.
 */
export async function chooseProvider(
  { store, connections }: Parts,
  wish: SigningRequest,
): Promise<ProviderConnection> {
  const { organizationId, esignConnection, connection } = wish;
  const id =
    esignConnection ??
    connection?.esignConnection ??
    (await onlyOne(store, organizationId));
  const path =
    esignConnection === undefined && connection?.esignConnection !== undefined
      ? "$.schema[0].connection.esignConnection"
      : "$.esignConnection";
  try {
    return await connections.openEsign(organizationId, id);
  } catch (error) {
    throw refusalOf(error, path, id);
  }
}

async function onlyOne(
  { read }: Pick<Store, "read">,
  organizationId: string,
): Promise<string> {
  const all = await read.find(Connection, {
    where: { organizationId, kind: "esign" },
    select: { id: true, name: true },
    order: { createdAt: "ASC", id: "ASC" },
    take: 20,
  });
  const [first, second] = all;
  if (!first)
    refuse([
      problem(
        "$.sendForSignature",
        "no_connection",
        "there is no e-signature provider to send the document to.",
        "Save a connection to one with POST /api/connections or platen connection add, and name it as esignConnection.",
      ),
    ]);
  const listed = all.map((one) => `${one.id} ("${one.name}")`).join(", ");
  if (second)
    refuse([
      problem(
        "$.esignConnection",
        "which_connection",
        "there are several connections to e-signature providers.",
        `Name one of them: ${listed}.`,
      ),
    ]);
  return first?.id ?? "";
}

/** Whatever is wrong with it, it is the request that names it. */
function refusalOf(error: unknown, path: string, id: string): unknown {
  if (!(error instanceof PlatenError)) return error;
  const shown = JSON.stringify(id.slice(0, 100));
  const message =
    error.code === "not_found"
      ? `${shown} is no e-signature connection of the organization.`
      : error.message;
  return new PlatenError(
    "invalid_request",
    "This cannot be sent for signature.",
    { cause: error, problems: [problem(path, "connection", message)] },
  );
}
