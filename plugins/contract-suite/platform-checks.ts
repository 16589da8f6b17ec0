import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type {
  FieldInfo,
  OutFile,
  TableInfo,
  PlatformPlugin,
  WriteMode,
} from "../../core/plugin-api/index.js";
import { authorizationChecks } from "./authorization-checks.js";
import { faults } from "./fault-proxy.js";
import {
  type KnownLinks,
  type PlatformCheck,
  type PlatformSession,
  type Cell,
  createFile,
  getChanges,
} from "./platform-session.js";
import {
  assertRejects,
  assertAllRequestsLimited,
  assertStopsOnSignal,
  faultCodes,
  listDeclarationChecks,
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
  ...listDeclarationChecks("platform", "plugin"),
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
  ...authorizationChecks,
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
      const declaredFields = new Set(fields.map(({ id }) => id));
      const { rows } = await session.host.fetchRows(scope, recordIds);
      deepEqual(
        listFieldIds(rows).filter((id) => !declaredFields.has(id)),
        [],
        "fetchRows returned fields that describe does not list",
      );
    },
  },
  {
    title: "fields of money and of percentages contain numbers",
    run: async (session) => {
      const { scope, recordIds } = session.fixture;
      const { fields } = await describeTable(session);
      const { rows } = await session.host.fetchRows(scope, recordIds);
      for (const { id, format } of fields) {
        if (format === undefined) continue;
        const values = rows.map((row) => row.fields[id] ?? 0);
        ok(
          values.every((value) => Number.isFinite(Number(value))),
          `fetchRows must return numbers for ${id}, since describe returns its format "${format}", but returned ${JSON.stringify(values)}`,
        );
      }
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
      const knownIds = recordIds.slice(
        0,
        plugin.capabilities.maxIdsPerFetch - 1,
      );
      const { rows } = await host.fetchRows(scope, [
        ...knownIds,
        unknownRecordId,
      ]);
      deepEqual(
        rows.map(({ id }) => id).toSorted(),
        knownIds.toSorted(),
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
      const foundIds = await host.findRows(scope, { ...search, text });
      ok(
        foundIds.includes(row.id),
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
    title: "changes leaves one webhook with a URL, and deletes it",
    appliesTo: ({ changes }) => changes !== undefined,
    run: async ({ fixture, host, plugin }) => {
      const { scope } = fixture;
      if (!fixture.countWebhooks)
        throw new Error(
          "the plugin has changes, so the subject's fixture needs `countWebhooks`",
        );
      const url = `https://platen.example.com/notices/${randomBytes(16).toString("hex")}`;
      const first = await host.subscribe(scope, url);
      const extended = await host.subscribe(scope, url, first.id);
      equal(
        extended.id,
        first.id,
        "subscribe must keep the webhook `current` while it works",
      );
      // As if the reply of the first call was lost.
      const { id, secret } = await host.subscribe(scope, url);
      equal(
        await fixture.countWebhooks(url),
        1,
        "subscribe must delete other webhooks with its URL",
      );
      if (secret !== undefined) {
        const changes = getChanges(plugin);
        const forged = { body: Buffer.from("{}"), headers: {} };
        ok(
          "verify" in changes,
          "the plugin returns a secret, so changes needs `verify`",
        );
        ok(
          !changes.verify?.(forged, secret),
          "verify must reject a notice without a signature",
        );
      }
      await host.unsubscribe(scope, url);
      await host.unsubscribe(scope, url);
      equal(
        await fixture.countWebhooks(url),
        0,
        "unsubscribe must delete the webhooks with its URL",
      );
      const again = await host.subscribe(scope, url, id);
      notEqual(
        again.id,
        id,
        "subscribe must replace a webhook that was deleted",
      );
      await host.unsubscribe(scope, url);
    },
  },
  {
    title: "listRows lists the rows of a view or filter, each once, in order",
    appliesTo: listsRows,
    run: async ({ host, fixture: { scope, selections = [] } }) => {
      ok(
        selections.length > 0,
        "the plugin has listRows, so the subject's fixture needs `selections`",
      );
      for (const { selection, expected } of selections)
        deepEqual(
          await host.listRows(scope, selection),
          [...expected],
          `listRows must list the rows of ${JSON.stringify(selection)}, each once and in order, over all pages`,
        );
    },
  },
  {
    title: "listRows rejects a view or a filter that does not exist",
    appliesTo: listsRows,
    run: async (session) => {
      const { host, fixture } = session;
      for (const selection of [
        { viewId: "viwUnknown0000000" },
        { filter: 7 },
        { filter: { "no such field": "x" } },
        { filter: "no such filter" },
      ])
        await assertRejects(
          session,
          ["not_found", "invalid_field", "unsupported"],
          `listRows of ${JSON.stringify(selection)}`,
          () => host.listRows(fixture.scope, selection),
        );
    },
  },
  {
    title: "listRows lists a row with an empty field until it has a file",
    appliesTo: (plugin) => listsRows(plugin) && writesFiles(plugin),
    run: async (session) => {
      const { host, plugin } = session;
      const cell = await session.createEmptyCell();
      const { scope, recordId, fieldId } = cell;
      const list = () => host.listRows(scope, { emptyFieldId: fieldId });
      ok(
        (await list()).includes(recordId),
        "listRows must list a row whose field is empty",
      );
      const [mode = "append"] = plugin.capabilities.modes;
      await host.write(cell, [createFile("filled.txt")], mode);
      ok(
        !(await list()).includes(recordId),
        "listRows must not list a row whose field has a file",
      );
    },
  },
  {
    title: "a fault at any request of listRows is unavailable",
    appliesTo: listsRows,
    run: async (session) => {
      const { host, proxies, fixture } = session;
      const [knownSelection] = fixture.selections ?? [];
      if (!proxies.seeRequests || !knownSelection) return;
      const list = () => host.listRows(fixture.scope, knownSelection.selection);
      for (const from of await listRequests(session, list))
        for (const fault of [faults.unavailable, faults.html])
          await proxies.withFault(
            fault,
            () =>
              assertRejects(
                session,
                ["unavailable"],
                `listRows with a fault from request ${from} on`,
                list,
              ),
            { from },
          );
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

function listsRows(plugin: PlatformPlugin<never>): boolean {
  return plugin.listRows !== undefined;
}

function writesFiles(plugin: PlatformPlugin<never>): boolean {
  return plugin.writeBack !== undefined;
}

/** Whether what was written can be read back. */
function canReadBack(plugin: PlatformPlugin<never>): boolean {
  return writesFiles(plugin) && plugin.capabilities.readBack;
}

function supportsMode(mode: WriteMode) {
  return (plugin: PlatformPlugin<never>) =>
    canReadBack(plugin) && plugin.capabilities.modes.includes(mode);
}

function writesMany(plugin: PlatformPlugin<never>): boolean {
  return plugin.writeBackMany !== undefined;
}

/** The modes in which a plugin writes several records at once. */
function listManyModes({
  capabilities: { writeMany, modes },
}: PlatformPlugin<never>): readonly WriteMode[] {
  return writeMany?.modes ?? modes;
}

/** Three cells that contain a file, the files to add to each in their order, and the names that are to be there then. */
async function prepareMany<C>(session: PlatformSession<C>, mode: WriteMode) {
  const [anyMode = mode] = session.plugin.capabilities.modes;
  const cells: Cell[] = [];
  const writes: OutFile[][] = [];
  const expected: string[][] = [];
  for (const number of [1, 2, 3]) {
    const cell = await session.createEmptyCell();
    await session.host.write(cell, [createFile("old.txt")], anyMode);
    cells.push(cell);
    const names = ["b", "a"].map((name) => `${name}-${number}.txt`);
    writes.push(names.map((name) => createFile(name)));
    expected.push(mode === "append" ? ["old.txt", ...names] : names);
  }
  return { cells, writes, expected };
}

async function assertMany<C>(
  { host, plugin }: PlatformSession<C>,
  { cells, expected }: Awaited<ReturnType<typeof prepareMany>>,
  when: string,
): Promise<void> {
  const { keepsFilename } = plugin.capabilities;
  for (const [at, cell] of cells.entries()) {
    const foundNames = (await host.read(cell)).map(({ filename }) => filename);
    const names = expected[at] ?? [];
    deepEqual(
      keepsFilename ? foundNames : foundNames.length,
      keepsFilename ? names : names.length,
      `${when}, the cell must contain ${names.join(", ")} in this order, but contains ${foundNames.join(", ") || "nothing"}`,
    );
  }
}

const filenames = Array.from({ length: 8 }, (_, index) => `file-${index}.txt`);

export const writingChecks: readonly PlatformCheck[] = [
  {
    title: "append keeps the files of the cell",
    appliesTo: supportsMode("append"),
    run: async (session) => {
      const cell = await session.createEmptyCell();
      deepEqual(
        await session.host.read(cell),
        [],
        "readAttachments must return nothing for an empty cell",
      );
      for (const name of ["one.txt", "two.txt"])
        await session.host.write(cell, [createFile(name)], "append");
      await assertFiles(session, cell, ["one.txt", "two.txt"]);
    },
  },
  {
    title: "replace leaves only the new files",
    appliesTo: supportsMode("replace"),
    run: async (session) => {
      const cell = await session.createEmptyCell();
      await session.host.write(cell, [createFile("old.txt")], "replace");
      const files = [createFile("new.txt"), createFile("and more.txt")];
      await session.host.write(cell, files, "replace");
      await assertFiles(session, cell, ["new.txt", "and more.txt"]);
    },
  },
  {
    title: "a file is stored unchanged",
    appliesTo: writesFiles,
    run: async (session) => {
      const cell = await session.createEmptyCell();
      const file = createFile("Rechnung Nr. 7 (ä).txt");
      const [mode = "append"] = session.plugin.capabilities.modes;
      const [written] = await session.host.write(cell, [file], mode);
      ok(
        written?.remoteId,
        "writeBack must return the written files, each with its remoteId",
      );
      const { attachments } = session.fixture;
      if (attachments?.bytesOf)
        deepEqual(
          Buffer.from(await attachments.bytesOf(written)),
          Buffer.from(await file.bytes()),
          "the platform must return the same bytes that writeBack received",
        );
    },
  },
  {
    title: "writing to a field that does not accept files changes nothing",
    appliesTo: writesFiles,
    run: async (session) => {
      const { scope, textFieldId } = session.fixture;
      const { recordId } = await session.createEmptyCell();
      const before = await session.host.fetchRows(scope, [recordId]);
      const cell = { scope, recordId, fieldId: textFieldId };
      await assertRejects(
        session,
        ["invalid_field", "unsupported"],
        `writeBack to ${textFieldId}`,
        () => session.host.write(cell, [createFile("no.txt")], "append"),
      );
      deepEqual(
        await session.host.fetchRows(scope, [recordId]),
        before,
        `writeBack to ${textFieldId} was rejected, but has changed the row. Check the field before the write.`,
      );
    },
  },
  {
    title: "writing to an unknown row is not_found",
    appliesTo: writesFiles,
    run: async (session) => {
      const { scope, unknownRecordId: recordId } = session.fixture;
      const { fieldId } = await session.createEmptyCell();
      await assertRejects(
        session,
        ["not_found"],
        "writeBack to an unknown row",
        () =>
          session.host.write(
            { scope, recordId, fieldId },
            [createFile("no.txt")],
            "append",
          ),
      );
    },
  },
  {
    title: "parallel writes to one cell keep all files",
    appliesTo: supportsMode("append"),
    run: async (session) => {
      const { host } = session;
      const cell = await session.createEmptyCell();
      await Promise.all(
        filenames.map((name) => host.write(cell, [createFile(name)], "append")),
      );
      equal(
        (await host.read(cell)).length,
        filenames.length,
        `after ${filenames.length} parallel writes, the cell must contain all files`,
      );
    },
  },
  {
    title: "parallel writes to several rows are independent",
    appliesTo: supportsMode("append"),
    run: async (session) => {
      const { host } = session;
      const cells = await Promise.all(
        filenames.slice(0, 4).map(() => session.createEmptyCell()),
      );
      await Promise.all(
        cells.map((cell, index) =>
          host.write(cell, [createFile(`row-${index}.txt`)], "append"),
        ),
      );
      const contents = await Promise.all(cells.map((cell) => host.read(cell)));
      deepEqual(
        contents.map(({ length }) => length),
        cells.map(() => 1),
        "after one write to each of several rows, each cell must contain one file",
      );
    },
  },
];

/** How the plugin writes several records at once, in each mode in which it does. */
export const manyChecks: readonly PlatformCheck[] = [
  {
    title:
      "many records get their files in order, and keep those that they had if these are to be added",
    appliesTo: writesMany,
    run: async (session) => {
      for (const mode of listManyModes(session.plugin)) {
        const many = await prepareMany(session, mode);
        const cells = many.cells.toReversed();
        const writes = many.writes.toReversed();
        await session.host.writeManyWithRetry(cells, writes, mode);
        await assertMany(session, many, `after writeBackMany to ${mode}`);
      }
    },
  },
  {
    title: "a record that does not exist does not keep others from their files",
    appliesTo: writesMany,
    run: async (session) => {
      for (const mode of listManyModes(session.plugin)) {
        const many = await prepareMany(session, mode);
        const [first] = many.cells;
        ok(first, "there are three cells");
        const recordId = session.fixture.unknownRecordId;
        const results = await session.host.writeManyWithRetry(
          [{ ...first, recordId }, ...many.cells],
          [[createFile("no.txt")], ...many.writes],
          mode,
        );
        deepEqual(
          results.map(({ status }) => status),
          ["rejected", "fulfilled", "fulfilled", "fulfilled"],
          "writeBackMany must not return a record that does not exist",
        );
        await assertMany(session, many, "after a partial failure");
      }
    },
  },
  {
    title:
      "many records that are repeated after a lost reply get each file once",
    appliesTo: writesMany,
    run: async (session) => {
      const { host, proxies } = session;
      if (!proxies.seeRequests) return;
      for (const mode of listManyModes(session.plugin)) {
        const write = ({ cells, writes }: typeof sample) =>
          host.writeManyWithRetry(cells, writes, mode);
        const sample = await prepareMany(session, mode);
        const requests = await listAllRequests(session, () => write(sample));
        // Those that set the cells come after all uploads.
        for (const at of requests.slice(-maxRequests)) {
          const many = await prepareMany(session, mode);
          const range = { from: at, to: at };
          await proxies.withFault(faults.lostReply, () => write(many), range);
          const when = `after a lost reply to request ${at} of writeBackMany and a retry`;
          await assertMany(session, many, when);
        }
      }
    },
  },
];

/** Compares the names, or only the number of files for a platform that renames them. */
async function assertFiles<C>(
  { host, plugin }: PlatformSession<C>,
  cell: Cell,
  names: readonly string[],
): Promise<void> {
  const foundNames = (await host.read(cell)).map(({ filename }) => filename);
  const { keepsFilename } = plugin.capabilities;
  deepEqual(
    keepsFilename ? foundNames.toSorted() : foundNames.length,
    keepsFilename ? names.toSorted() : names.length,
    `the cell must contain ${names.join(" and ")}, but contains ${foundNames.join(" and ") || "nothing"}`,
  );
}

/** A longer call repeats itself, so a fault at one of its first requests is enough. */
const maxRequests = 6;

/** How the plugin behaves when requests fail, and that it keeps its rate. */
export const faultChecks: readonly PlatformCheck[] = [
  {
    title: "every request is rate-limited",
    run: async (session) => {
      const { host, fixture, proxies } = session;
      if (!proxies.seeRequests) return;
      await assertAllRequestsLimited(session, async () => {
        await host.check();
        await host.describe(fixture.scope.baseId);
        await host.fetchRows(fixture.scope, fixture.recordIds);
      });
    },
  },
  {
    title: "parallel calls respect maxInFlight",
    run: async ({ host, plugin, proxies, fixture }) => {
      const { scope, recordIds } = fixture;
      const { maxInFlight } = plugin.rate;
      const concurrent = await proxies.countConcurrent(() =>
        Promise.all(
          Array.from({ length: 2 * maxInFlight }, () =>
            host.fetchRows(scope, recordIds.slice(0, 1)),
          ),
        ),
      );
      ok(
        concurrent <= maxInFlight,
        `The server received ${concurrent} requests at the same time, but rate.maxInFlight is ${maxInFlight}. ` +
          "Send every request through context.http, context.json or context.turn.",
      );
    },
  },
  ...Object.entries(faultCodes).map(
    ([name, [fault, ...codes]]): PlatformCheck => ({
      title: `${name} at any request of a read is ${codes[0]}`,
      run: async (session) => {
        if (!session.proxies.seeRequests) return;
        const read = () => readRows(session);
        for (const from of await listRequests(session, read))
          await session.proxies.withFault(
            fault,
            () =>
              assertRejects(
                session,
                codes,
                `fetchRows with ${name} from request ${from} on`,
                read,
              ),
            { from },
          );
      },
    }),
  ),
  {
    title: "a single 429 is retried",
    run: async (session) => {
      if (!session.proxies.seeRequests) return;
      const read = () => readRows(session);
      const expected = await read();
      for (const at of await listRequests(session, read))
        deepEqual(
          await session.proxies.withFault(faults.tooManyRequests, read, {
            from: at,
            to: at,
          }),
          expected,
          `fetchRows with a 429 at request ${at} must return the same rows as without it`,
        );
    },
  },
  {
    title: "a broken connection is unavailable",
    run: async (session) => {
      const { proxies } = session;
      if (!proxies.exist) return;
      await proxies.withFault(faults.reset, () =>
        assertRejects(
          session,
          ["unavailable"],
          "fetchRows over a broken connection",
          () => readRows(session),
        ),
      );
    },
  },
  {
    title: "a call without an answer ends when its signal is aborted",
    run: async (session) => {
      if (!session.proxies.exist) return;
      await assertStopsOnSignal(session, (signal) => readRows(session, signal));
      await readRows(session);
    },
  },
  {
    title: "a write that fails at any request keeps the files of the cell",
    appliesTo: canReadBack,
    run: async (session) => {
      const { host, proxies } = session;
      if (!proxies.seeRequests) return;
      const { keepsFilename } = session.plugin.capabilities;
      const cell = await session.createEmptyCell();
      const add = (name: string) => () =>
        host.write(cell, [createFile(name)], "append");
      const write = add("more.txt");
      for (const from of await listRequests(session, add("first.txt"))) {
        const what = `writeBack with a fault from request ${from} on`;
        for (const fault of [faults.unavailable, faults.html])
          await proxies.withFault(
            fault,
            () => assertRejects(session, ["unavailable"], what, write),
            { from },
          );
        const [first] = await host.read(cell);
        ok(
          keepsFilename ? first?.filename === "first.txt" : first,
          `${what} must leave the file that the cell contained`,
        );
      }
    },
  },
  {
    title: "a write that is repeated after a lost reply adds one file",
    appliesTo: canReadBack,
    run: async (session) => {
      const { host, proxies } = session;
      if (!proxies.seeRequests) return;
      const first = await session.createEmptyCell();
      const file = createFile("once.txt");
      const requests = await listRequests(session, () =>
        host.write(first, [file], "append"),
      );
      // One more, because the retry reads the cell before it writes.
      for (const at of [...requests, requests.length + 1]) {
        const cell = await session.createEmptyCell();
        const write = () => host.writeWithRetry(cell, file);
        await proxies
          .withFault(faults.lostReply, write, { from: at, to: at })
          .catch(write);
        equal(
          (await host.read(cell)).length,
          1,
          `after a lost reply to request ${at} and a retry, the cell must contain the file once`,
        );
      }
    },
  },
];

function readRows<C>(
  { host, fixture }: PlatformSession<C>,
  signal?: AbortSignal,
): Promise<unknown> {
  return host.fetchRows(fixture.scope, fixture.recordIds, undefined, signal);
}

/** The numbers of a call's first requests, from 1. */
async function listRequests<C>(
  session: PlatformSession<C>,
  work: () => Promise<unknown>,
): Promise<number[]> {
  return (await listAllRequests(session, work)).slice(0, maxRequests);
}

async function listAllRequests<C>(
  { proxies }: PlatformSession<C>,
  work: () => Promise<unknown>,
): Promise<number[]> {
  const length = await proxies.countRequests(work);
  return Array.from({ length }, (_, index) => index + 1);
}
