import type { OpenConnection } from "../connections/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { DataSource } from "../../definition/index.js";
import type { Connections } from "./connections.js";
import type { DestinationRequest } from "./records-request.js";

/**
 * The connection that the request names, or the template's, or the only one that the organization has for the platform.
 * @throws PlatenError `not_found` for a platform or a connection that is not there; `invalid_request` when there are
 * several, which it lists.
 */
export async function chooseConnection(
  connections: Connections,
  request: DestinationRequest,
  source: DataSource | null,
): Promise<OpenConnection> {
  const { organizationId, platform } = request;
  await connections.checkPlatform(platform);
  const told = source?.platform ?? platform;
  if (told !== platform)
    throw refusal(
      `This template is connected to ${told}. Send its records to /api/export/batch/${told}.`,
    );
  const id = request.connectionId ?? source?.connectionId ?? null;
  const connection = await connections.open(
    organizationId,
    id ?? (await onlyOne(connections, request)),
  );
  if (connection.platform.id === platform) return connection;
  throw refusal(
    `The connection "${connection.name}" (${connection.id}) is one to ${connection.platform.id}, not to ${platform}.`,
  );
}

async function onlyOne(
  connections: Connections,
  { organizationId, platform }: DestinationRequest,
): Promise<string> {
  const all = await connections.ofPlatform(organizationId, platform);
  const [first, second] = all;
  if (first && !second) return first.id;
  if (!first)
    throw refusal(
      `There is no connection to ${platform} yet. Save one with POST /api/connections, or with platen connection add.`,
    );
  const listed = all.map(({ id, name }) => `${id} ("${name}")`).join(", ");
  throw refusal(
    `There are ${all.length} connections to ${platform}: name one of them as connectionId: ${listed}.`,
  );
}

function refusal(message: string): PlatenError {
  return new PlatenError("invalid_request", message);
}
