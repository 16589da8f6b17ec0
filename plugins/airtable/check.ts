import { z } from "zod";
import { type BaseInfo, PlatformError } from "../../core/plugin-api/index.js";
import type { AirtableClient } from "./client.js";
import { tablesReply } from "./fields.js";
import { recordsReply } from "./rows.js";

const whoami = z.object({
  id: z.string(),
  email: z.string().optional(),
  /** Airtable tells them of OAuth tokens only. */
  scopes: z.array(z.string()).optional(),
});

const basesReply = z.object({
  bases: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      permissionLevel: z.string().optional(),
    }),
  ),
  offset: z.string().optional(),
});

type Base = z.infer<typeof basesReply>["bases"][number];

const needed = ["data.records:read", "data.records:write"];
const writing = new Set(["create", "edit", "editor", "owner", "creator"]);

/** Who the token belongs to, and what it lacks. @throws PlatformError when nothing can be read with it. */
export async function check(client: AirtableClient) {
  const path = "/whoami";
  const who = await client.send(
    { baseId: "meta", path, needs: "a valid token" },
    whoami,
  );
  const bases = await listAll(client);
  if (bases.length === 0)
    throw new PlatformError(
      "forbidden",
      "the token reaches no base. Add the bases that hold your records to it at airtable.com/create/tokens.",
    );
  await readOne(client, bases);
  return { account: who.email ?? who.id, warnings: warningsOf(who, bases) };
}

/** Airtable does not tell the scopes of a personal token: whether it may read shows when it reads. */
async function readOne(
  client: AirtableClient,
  [base]: readonly Base[],
): Promise<void> {
  if (!base) return;
  const { tables } = await client.send(
    {
      baseId: "meta",
      path: `/bases/${base.id}/tables`,
      needs: "schema.bases:read",
    },
    tablesReply,
  );
  const [table] = tables;
  if (!table) return;
  const needs = "data.records:read";
  const path = `/${table.id}/listRecords`;
  const body = { pageSize: 1, fields: [] };
  try {
    await client.send(
      { method: "POST", baseId: base.id, path, needs, body },
      recordsReply,
    );
  } catch (error) {
    if (!(error instanceof PlatformError) || error.code !== "not_found")
      throw error;
    throw new PlatformError(
      "forbidden",
      `the token lacks the scope ${needs}: no record of the base "${base.name}" can be read. Add it at airtable.com/create/tokens.`,
      { cause: error },
    );
  }
}

function warningsOf(
  { scopes }: z.infer<typeof whoami>,
  bases: readonly Base[],
): string[] {
  const lacking = needed.filter((one) => scopes && !scopes.includes(one));
  const unwritable = bases.filter(
    ({ permissionLevel = "edit" }) => !writing.has(permissionLevel),
  );
  return [
    ...lacking.map((one) => `The token lacks the scope ${one}.`),
    ...unwritable.map(
      ({ name }) => `Files cannot be written to the base "${name}".`,
    ),
  ];
}

export async function listBases(client: AirtableClient): Promise<BaseInfo[]> {
  const bases = await listAll(client);
  return bases.map(({ id, name }) => ({ id, name }));
}

async function listAll(client: AirtableClient): Promise<Base[]> {
  const all: Base[] = [];
  let offset: string | undefined;
  do {
    const page = await client.send(
      {
        baseId: "meta",
        path: "/bases",
        needs: "schema.bases:read",
        ...(offset !== undefined && { query: { offset } }),
      },
      basesReply,
    );
    all.push(...page.bases);
    ({ offset } = page);
  } while (offset !== undefined);
  return all;
}
