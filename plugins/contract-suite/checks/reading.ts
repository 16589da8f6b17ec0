import { deepEqual, equal, ok } from "node:assert/strict";
import type { PlatformErrorCode } from "../../../core/plugin-api/index.js";
import { refuses, type SessionCheck } from "../check.js";

/** What a careless query would take for more than an id. */
const hostileIds = [
  "1) OR (1=1",
  "' OR '1'='1",
  `"; DROP TABLE x; --`,
  "rec0'),TRUE(),('",
  "../../etc/passwd",
  "~or(Id,gt,0)",
  "*",
];

export const readingChecks: readonly SessionCheck[] = [
  {
    title: "check accepts the credentials",
    run: async ({ host }) => {
      ok(await host.check(), "check must resolve to an object");
    },
  },
  {
    title: "check refuses wrong credentials as auth",
    run: async (session) => {
      const { stranger } = session;
      if (!stranger) return;
      const codes: PlatformErrorCode[] = ["auth", "forbidden"];
      await refuses(session, codes, "check", () => stranger.check());
    },
  },
  {
    title: "describe names the table and each of its fields once",
    run: async ({ host, fixture: { scope, textFieldId } }) => {
      const tables = await host.describe(scope.baseId);
      const table = tables.find(({ id }) => id === scope.tableId);
      ok(table, `describe must list the table ${scope.tableId}`);
      const ids = table.fields.map(({ id }) => id);
      equal(new Set(ids).size, ids.length, "field ids must differ");
      ok(ids.includes(textFieldId), `describe must list ${textFieldId}`);
    },
  },
  {
    title: "describe knows the field that takes files",
    appliesTo: (plugin) => plugin.writeBack !== undefined,
    run: async ({ host, fixture: { scope, attachments } }) => {
      const tables = await host.describe(scope.baseId);
      const field = tables
        .find(({ id }) => id === scope.tableId)
        ?.fields.find(({ id }) => id === attachments?.fieldId);
      equal(field?.kind, "attachment", "its kind must be `attachment`");
      ok(field.writable, "it must be writable");
    },
  },
  {
    title: "rows hold nothing that describe does not know",
    run: async ({ host, fixture: { scope, recordIds } }) => {
      const tables = await host.describe(scope.baseId);
      const table = tables.find(({ id }) => id === scope.tableId);
      const known = new Set(table?.fields.map(({ id }) => id));
      const { rows } = await host.fetchRows(scope, recordIds);
      const held = rows.flatMap(({ fields, links }) =>
        Object.keys({ ...fields, ...links }),
      );
      deepEqual(
        held.filter((id) => !known.has(id)),
        [],
      );
    },
  },
  {
    title: "rows hold the fields that were asked for, and no others",
    run: async ({ host, fixture: { scope, recordIds, textFieldId } }) => {
      const { rows } = await host.fetchRows(scope, recordIds, [textFieldId]);
      const held = new Set(
        rows.flatMap(({ fields, links }) =>
          Object.keys({ ...fields, ...links }),
        ),
      );
      deepEqual([...held], [textFieldId]);
    },
  },
  {
    title: "ids that the table has not are reported as missing",
    run: async ({ host, fixture: { scope, recordIds, unknownRecordId } }) => {
      const ids = [...recordIds.slice(0, 2), unknownRecordId];
      const { missing } = await host.fetchRows(scope, ids);
      deepEqual(missing, [unknownRecordId]);
      const none = await host.fetchRows(scope, [unknownRecordId]);
      deepEqual(none.rows, []);
    },
  },
  {
    title: "an id is never part of a query",
    run: async (session) => {
      const { scope } = session.fixture;
      for (const id of hostileIds) {
        const found = await session.host
          .fetchRows(scope, [id])
          .catch((error: unknown) => error);
        if (found instanceof Error)
          await refuses(session, ["not_found", "invalid_field"], id, () =>
            Promise.reject(found),
          );
        else deepEqual(found, { rows: [], missing: [id] });
      }
    },
  },
  {
    title: "as many ids as maxIdsPerFetch are read in one call",
    run: async ({ host, plugin, fixture }) => {
      const { scope, recordIds, unknownRecordId } = fixture;
      const known = recordIds.slice(0, plugin.capabilities.maxIdsPerFetch - 1);
      const { rows } = await host.fetchRows(scope, [...known, unknownRecordId]);
      deepEqual(rows.map(({ id }) => id).toSorted(), known.toSorted());
    },
  },
  {
    title: "rows are found for people to choose from, by text too",
    appliesTo: (plugin) => plugin.findRows !== undefined,
    run: async ({ host, fixture: { scope, recordIds, textFieldId } }) => {
      const [first] = await host.findRows(scope, { limit: 1 });
      ok(first, "findRows must answer as many rows as asked for, if there are");
      const { rows } = await host.fetchRows(scope, recordIds, [textFieldId]);
      const row = rows.find(({ fields }) => fields[textFieldId]);
      ok(row, `a row of the fixture must hold text in ${textFieldId}`);
      const text = String(row.fields[textFieldId]).toUpperCase();
      const search = { limit: 50, fieldId: textFieldId };
      const found = await host.findRows(scope, { ...search, text });
      ok(found.includes(row.id), `a row must be found by its text "${text}"`);
      for (const hostile of [...hostileIds, "no row says this"]) {
        const none = await host.findRows(scope, { ...search, text: hostile });
        if (hostile !== "*") deepEqual(none, [], `"${hostile}" finds rows`);
      }
    },
  },
  {
    title: "a table that is not there is not_found",
    run: (session) => {
      const { unknownScope, recordIds } = session.fixture;
      return refuses(session, ["not_found", "forbidden"], "fetchRows", () =>
        session.host.fetchRows(unknownScope, recordIds.slice(0, 1)),
      );
    },
  },
];
