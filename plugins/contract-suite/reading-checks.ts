import { deepEqual, equal, ok } from "node:assert/strict";
import type { FieldInfo, TableInfo } from "../../core/plugin-api/index.js";
import type {
  KnownLinks,
  PlatformCheck,
  PlatformSession,
} from "./platform-session.js";
import {
  assertCredentials,
  assertMeta,
  assertRejects,
} from "./suite-context.js";

/** Ids that a careless query would read as more than an id. */
const injections = [
  "1) OR (1=1",
  "' OR '1'='1",
  `"; DROP TABLE x; --`,
  "rec0'),TRUE(),('",
  "../../etc/passwd",
  "~or(Id,gt,0)",
  "*",
];

const hasLinks: PlatformCheck["appliesTo"] = ({ capabilities }) =>
  capabilities.links;

/** What the plugin declares about itself, and how it reads tables, rows and links. */
export const readingChecks: readonly PlatformCheck[] = [
  {
    title: "meta identifies the plugin and the versions that it supports",
    run: async ({ plugin: { meta } }) => {
      await Promise.resolve();
      assertMeta(meta, "platform");
    },
  },
  {
    title: "the credentials match their JSON Schema",
    run: async ({ plugin: { credentials }, host }) => {
      await Promise.resolve();
      assertCredentials(credentials.schema, host.credentials);
    },
  },
  {
    title: "capabilities match the plugin's methods",
    run: async ({ plugin }) => {
      await Promise.resolve();
      const { attachments, modes, readBack } = plugin.capabilities;
      equal(
        plugin.writeBack !== undefined,
        attachments !== "none",
        'the plugin must have writeBack unless capabilities.attachments is "none"',
      );
      equal(
        plugin.readAttachments !== undefined,
        readBack,
        "the plugin must have readAttachments if capabilities.readBack is true, and only then",
      );
      if (plugin.writeBack)
        ok(modes.length > 0, "capabilities.modes must not be empty");
    },
  },
  {
    title: "check accepts valid credentials",
    run: async ({ host }) => {
      ok(await host.check(), "check must resolve to an object");
    },
  },
  {
    title: "check rejects wrong credentials with auth",
    run: async (session) => {
      const { unauthorizedHost } = session;
      if (unauthorizedHost)
        await assertRejects(session, ["auth", "forbidden"], "check", () =>
          unauthorizedHost.check(),
        );
    },
  },
  {
    title: "describe lists the table and each of its fields once",
    run: async (session) => {
      const { textFieldId } = session.fixture;
      const ids = (await describeTable(session)).fields.map(({ id }) => id);
      equal(
        new Set(ids).size,
        ids.length,
        `describe returned a field id twice: ${ids.join(", ")}`,
      );
      ok(ids.includes(textFieldId), `describe must list ${textFieldId}`);
    },
  },
  {
    title: "describe lists the field that accepts files",
    appliesTo: (plugin) => plugin.writeBack !== undefined,
    run: async (session) => {
      const { attachments } = session.fixture;
      const field = await describeField(session, attachments?.fieldId ?? "");
      equal(
        field.kind,
        "attachment",
        `describe must return the kind "attachment" for ${field.id}`,
      );
      ok(field.writable, `describe must return ${field.id} as writable`);
    },
  },
  {
    title: "describe names the table that a link leads to",
    appliesTo: hasLinks,
    run: async (session) => {
      const { fieldId } = getKnownLinks(session);
      const { link } = await describeField(session, fieldId);
      ok(link, `describe must return \`link\` for ${fieldId}`);
      const tables = await session.host.describe(session.fixture.scope.baseId);
      ok(
        tables.some(({ id }) => id === link.tableId),
        `describe must list the table ${link.tableId}, to which ${fieldId} leads`,
      );
    },
  },
  {
    title: "rows contain only fields that describe lists",
    run: async (session) => {
      const { scope, recordIds } = session.fixture;
      const { fields } = await describeTable(session);
      const known = new Set(fields.map(({ id }) => id));
      const { rows } = await session.host.fetchRows(scope, recordIds);
      deepEqual(
        listFieldIds(rows).filter((id) => !known.has(id)),
        [],
        "fetchRows returned fields that describe does not list",
      );
    },
  },
  {
    title: "rows contain only the fields that were requested",
    run: async ({ host, fixture: { scope, recordIds, textFieldId } }) => {
      const { rows } = await host.fetchRows(scope, recordIds, [textFieldId]);
      deepEqual(
        listFieldIds(rows),
        [textFieldId],
        `fetchRows with fieldIds [${textFieldId}] must return that field and no other`,
      );
    },
  },
  {
    title: "ids without a row are reported as missing",
    run: async ({ host, fixture: { scope, recordIds, unknownRecordId } }) => {
      const ids = [...recordIds.slice(0, 2), unknownRecordId];
      const { missing } = await host.fetchRows(scope, ids);
      deepEqual(
        missing,
        [unknownRecordId],
        "fetchRows must return an id without a row in missing",
      );
      const { rows } = await host.fetchRows(scope, [unknownRecordId]);
      deepEqual(rows, [], "fetchRows must return no row for an unknown id");
    },
  },
  {
    title: "an id is never part of a query",
    run: async (session) => {
      const { scope } = session.fixture;
      for (const id of injections) {
        const result: unknown = await session.host
          .fetchRows(scope, [id])
          .catch((error: unknown) => error);
        if (result instanceof Error)
          await assertRejects(
            session,
            ["not_found", "invalid_field"],
            `fetchRows of the id ${id}`,
            () => Promise.reject(result),
          );
        else
          deepEqual(
            result,
            { rows: [], missing: [id] },
            `fetchRows must report the id ${id} as missing. Do not send ids that cannot be valid.`,
          );
      }
    },
  },
  {
    title: "one call reads as many ids as maxIdsPerFetch",
    run: async ({ host, plugin, fixture }) => {
      const { scope, recordIds, unknownRecordId } = fixture;
      const known = recordIds.slice(0, plugin.capabilities.maxIdsPerFetch - 1);
      const { rows } = await host.fetchRows(scope, [...known, unknownRecordId]);
      deepEqual(
        rows.map(({ id }) => id).toSorted(),
        known.toSorted(),
        "fetchRows must return all rows of one call",
      );
    },
  },
  {
    title: "findRows finds rows by their text",
    appliesTo: (plugin) => plugin.findRows !== undefined,
    run: async ({ host, fixture: { scope, recordIds, textFieldId } }) => {
      const [first] = await host.findRows(scope, { limit: 1 });
      ok(first, "findRows without text must return the first rows");
      const { rows } = await host.fetchRows(scope, recordIds, [textFieldId]);
      const row = rows.find(({ fields }) => fields[textFieldId]);
      ok(row, `a row of the fixture must contain text in ${textFieldId}`);
      const text = String(row.fields[textFieldId]).toUpperCase();
      const search = { limit: 50, fieldId: textFieldId };
      const found = await host.findRows(scope, { ...search, text });
      ok(
        found.includes(row.id),
        `findRows must find row ${row.id} by its text "${text}", in any case`,
      );
      for (const unknown of [...injections, "no row says this"]) {
        const none = await host.findRows(scope, { ...search, text: unknown });
        if (unknown !== "*")
          deepEqual(
            none,
            [],
            `findRows must find nothing for "${unknown}". Escape the text, so that it cannot be part of a query.`,
          );
      }
    },
  },
  {
    title: "reading an unknown table is not_found",
    run: (session) => {
      const { unknownScope, recordIds } = session.fixture;
      return assertRejects(
        session,
        ["not_found", "forbidden"],
        "fetchRows of an unknown table",
        () => session.host.fetchRows(unknownScope, recordIds.slice(0, 1)),
      );
    },
  },
  {
    title: "links are complete beyond 25 and 100",
    appliesTo: hasLinks,
    run: async (session) => {
      const { fieldId, expected } = getKnownLinks(session);
      const ids = Object.keys(expected);
      const { rows } = await session.host.fetchRows(session.fixture.scope, ids);
      for (const { id, links } of rows)
        deepEqual(
          links[fieldId]?.toSorted() ?? [],
          expected[id]?.toSorted(),
          `fetchRows returned ${links[fieldId]?.length ?? 0} of ${expected[id]?.length ?? 0} links of row ${id}. ` +
            "Read the remaining pages where the platform truncates lists.",
        );
    },
  },
];

async function describeTable<C>({
  host,
  fixture: { scope },
}: PlatformSession<C>): Promise<TableInfo> {
  const tables = await host.describe(scope.baseId);
  const table = tables.find(({ id }) => id === scope.tableId);
  ok(table, `describe must list the table ${scope.tableId}`);
  return table;
}

async function describeField<C>(
  session: PlatformSession<C>,
  fieldId: string,
): Promise<FieldInfo> {
  const { fields } = await describeTable(session);
  const field = fields.find(({ id }) => id === fieldId);
  ok(field, `describe must list the field ${fieldId}`);
  return field;
}

function listFieldIds(rows: readonly { fields: object; links: object }[]) {
  const ids = rows.flatMap(({ fields, links }) =>
    Object.keys({ ...fields, ...links }),
  );
  return [...new Set(ids)];
}

function getKnownLinks<C>({
  fixture: { links },
}: PlatformSession<C>): KnownLinks {
  ok(
    links,
    "capabilities.links is true, so the subject's fixture needs `links`",
  );
  const lengths = Object.values(links.expected).map(({ length }) => length);
  ok(
    Math.max(...lengths) > 100,
    "the fixture's `links` need a row with more than 100 links",
  );
  return links;
}
