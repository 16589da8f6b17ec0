import {
  checkDefinition,
  type ProjectData,
} from "../../../core/definition/index.js";
import { convertCell } from "../../../core/integrations/platforms/convert-cell.js";
import {
  createFetchPlan,
  findTable,
} from "../../../core/integrations/platforms/fetch-plan.js";
import { fetchRecords } from "../../../core/integrations/platforms/fetch-records.js";
import { resolveDestination } from "../../../core/integrations/platforms/destination.js";
import { ButtonSetup } from "../../../core/integrations/platforms/index.js";
import {
  PlatenError,
  type PlatformPlugin,
  PlatformError,
  type Row,
  type TableInfo,
} from "../../../core/plugin-api/index.js";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { useRecorded } from "../../support/recorded.js";
import { connectTestPlatform, testPlatform } from "../../support/records.js";
import { silentLog } from "../../support/recording-log.js";
import { useService } from "../../support/service.js";

const recorded = (name: string) =>
  new URL(`recorded/${name}.txt`, import.meta.url);

/** JSON, or a value that JSON does not have. */
function parseCell(text: string): unknown {
  if (text === "undefined") return undefined;
  const [, date] = /^Date\((.*)\)$/.exec(text) ?? [];
  if (date !== undefined) return new Date(date);
  return /^\d+n$/.test(text) ? BigInt(text.slice(0, -1)) : JSON.parse(text);
}

/** Tables with rows, as a platform has them. */
class World {
  tables: TableInfo[] = [];
  rows: Record<string, Partial<Row>[]> = {};
  /** How the platform differs. */
  settings: {
    search?: false;
    down?: true;
    attachments?: "none" | "link-cell";
    modes?: ("append" | "replace")[];
    /** What the plugin's own mapping makes of some rows; a text is the message of a refusal. */
    mapped?: Record<string, Record<string, unknown> | string>;
  } = {};

  /** Takes over a line of a file that says what there is. @returns whether the line is one. */
  read(line: string): boolean {
    const [, name = "", json = ""] =
      /^(tables|rows|settings) (.*)$/.exec(line) ?? [];
    if (name === "") return false;
    if (name === "tables") this.settings = {};
    Object.assign(this, { [name]: JSON.parse(json) });
    return true;
  }

  list(tableId: string): Row[] {
    return (this.rows[tableId] ?? []).map(({ links, ...row }) => ({
      id: "",
      fields: {},
      ...row,
      links: Object.fromEntries(
        Object.entries(links ?? {}).map(([name, ids]) => [name, expand(ids)]),
      ),
    }));
  }

  /** Creates the platform's plugin. @param onRead called with a line for each request for rows */
  connect(onRead: (line: string) => void = () => undefined) {
    const { search, down, mapped } = this.settings;
    const { attachments = "native" } = this.settings;
    const { modes = testPlatform.capabilities.modes } = this.settings;
    const refuse = () => {
      if (down) throw new PlatformError("forbidden", "it may not be read.");
    };
    const changes: Partial<PlatformPlugin> = {
      capabilities: {
        ...testPlatform.capabilities,
        maxIdsPerFetch: 100_000,
        attachments,
        modes,
      },
      describe: async () => this.tables,
      fetchRows: async (
        _context,
        { tableId, baseId },
        ids,
        fields = ["all"],
      ) => {
        const shown = ids.length > 9 ? `${ids.length} rows` : ids.join(" ");
        onRead(`reads ${baseId ?? ""}${tableId} ${shown}: ${fields.join(" ")}`);
        const rows = new Map(this.list(tableId).map((row) => [row.id, row]));
        const find = (id: string) =>
          rows.get(id) ??
          (/^l\d{3}/.test(id) ? { id, fields: {}, links: {} } : undefined);
        return {
          rows: ids.flatMap((id) => find(id) ?? []),
          missing: ids.filter((id) => !find(id)),
        };
      },
      ...(mapped && {
        toRootData: ({ id }) => {
          const data = mapped[id] ?? { id };
          if (data === "a bug") throw new TypeError("s3cret");
          if (typeof data === "object") return data;
          throw new PlatformError(
            data === "down" ? "unavailable" : "bad_config",
            data,
          );
        },
      }),
      ...(search !== false && {
        findRows: async (_context, { tableId }, { limit, text, fieldId }) => {
          refuse();
          onRead(
            `finds ${limit} of ${tableId}: ${fieldId ?? ""} ${text ?? ""}`,
          );
          return this.list(tableId)
            .filter(({ fields }) =>
              JSON.stringify(fields[fieldId ?? ""] ?? "").includes(text ?? ""),
            )
            .map(({ id }) => id);
        },
        listRows: async () => ({ ids: [] }),
      }),
    };
    return connectTestPlatform(changes);
  }
}

/** `a×3` is a100, a101 and a102. */
function expand(ids: unknown): string[] {
  if (Array.isArray(ids)) return ids.map(String);
  const [start = "", count] = String(ids).split("×");
  return Array.from(
    { length: Number(count) },
    (_, at) => `${start}${at + 100}`,
  );
}

const shorten = (text: string) =>
  text.length < 2000 ? text : `${text.slice(0, 60)}… (${text.length})`;

describe("what is read for", () => {
  const world = new World();

  useRecorded(recorded("records"), async (input) => {
    if (world.read(input)) return [];
    const { schema, ids, base = null, table = "tO" } = JSON.parse(input);
    const root = findTable(world.tables, table);
    if (!root) throw new Error(`There is no table ${table}.`);
    const { plan, problems } = createFetchPlan(schema, root, world.tables);
    const lines = problems.map((problem) => Object.values(problem).join(" | "));
    if (lines.length > 0) return lines;
    const platform = world.connect((line) => lines.push(line));
    const batch = { baseId: base, plan };
    const documents = ids.map((id: string) => [id]);
    const found = await fetchRecords(platform, batch, documents, {});
    for (const [id, record] of found)
      lines.push(
        `${id}: ${"json" in record ? shorten(record.json) : record.error.message}`,
      );
    return lines;
  });
});

describe("the setup of a button for", () => {
  const service = useService();
  const world = new World();
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });

  useRecorded(recorded("setup"), async (input) => {
    if (world.read(input)) return [];
    const lines: string[] = [];
    const platform = world.connect((line) => lines.push(line));
    const connections = {
      open: async () => ({ id: "c1", name: "Connection", platform }),
    };
    const setup = new ButtonSetup(service.store, connections, silentLog);
    const visitor = { ...caller, sessionId: "", role: "owner" as const };
    const [command = "", first = "tO", ...words] = input.split(" ");
    const place = { connectionId: "c1", baseId: null, tableId: first };
    const run = async (): Promise<object | null> => {
      if (command === "table") {
        const { fields: _, ...opened } = await setup.table(visitor, place);
        return opened;
      }
      if (command === "records")
        return setup.records(visitor, place, words.join(" "));
      if (command === "draft") {
        const draft = await setup.draft(visitor, place);
        const { problems, warnings } = checkDefinition(draft, "document");
        return { ...draft, problems, warnings };
      }
      const { schema, chosen } = JSON.parse(input.slice("mapping ".length));
      const definition: ProjectData = { schema, components: [] };
      const templateId = await caller.publish({ definition });
      const orders = { ...place, tableId: "tO" };
      const all = await setup.mapping(visitor, orders, templateId, chosen);
      return all.map(({ table, ...one }) => ({ table: table.name, ...one }));
    };
    try {
      lines.push(...toLines(await run()));
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      lines.push(`${error.code}: ${error.message}`);
    }
    return lines;
  });
});

describe("where the files of records go for", () => {
  const service = useService();
  const world = new World();
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });

  useRecorded(recorded("destinations"), async (input) => {
    if (world.read(input)) return [];
    const { connection, saved = ["c1"], ...request } = JSON.parse(input);
    const templateId = await caller.publish({
      definition: {
        schema: [{ id: "root", fields: [], ...(connection && { connection }) }],
        components: [],
      },
    });
    const platform = world.connect();
    const list: { id: string; name: string }[] = saved.map((id: string) => ({
      id,
      name: `Connection ${id}`,
    }));
    const connections = {
      assertPluginUsable: async () => undefined,
      listByPlatform: async () => list,
      open: async (_organizationId: string, id: string) => ({
        id,
        name: `Connection ${id}`,
        platform,
      }),
    };
    const { organizationId, userId: createdById } = caller;
    try {
      const found = await resolveDestination(
        { store: service.store, connections },
        {
          organizationId,
          createdById,
          plan: "premium",
          platform: "test",
          templateId,
          ...request,
        },
      );
      const { scope, field } = found;
      return [
        `${found.connection.id} ${JSON.stringify(scope)} ${field ? field.id : "no field"}`,
      ];
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      const { problems } = error;
      return [
        `${error.code}: ${error.message}`,
        ...problems.map((problem) => Object.values(problem).join(" | ")),
      ];
    }
  });
});

/** A line for each part of a value that fits in one. */
function toLines(value: unknown, path = ""): string[] {
  const json = JSON.stringify(value);
  if (json.length < 160 || typeof value !== "object" || value === null)
    return [`${path}${path && ": "}${json}`];
  return Object.entries(value).flatMap(([key, part]) =>
    toLines(part, `${path}${path && "."}${key}`),
  );
}

describe("the value in the data for a cell's", () => {
  const sourceField = {
    id: "f",
    name: "f",
    kind: "text" as const,
    native: "text",
    writable: true,
  };
  const templateField = { name: "f", type: "String" as const };

  useRecorded(recorded("cells"), async (input, type) => {
    const [, kind, from, to, value = ""] =
      /^(\w+) (?:(\w*)>(\w*) )?(.*)$/s.exec(input) ?? [];
    // As what a platform and a template write.
    const info: object = { kind, ...(from && { format: from }) };
    const column: object = { type, ...(to && { format: to }) };
    const { plan } = createFetchPlan(
      [{ id: "root", fields: [Object.assign({ ...templateField }, column)] }],
      { id: "t", name: "t", fields: [Object.assign({ ...sourceField }, info)] },
      [],
    );
    const [planned] = plan.collections[0]?.values ?? [];
    if (!planned) throw new Error(`The input ${input} has no field.`);
    return [JSON.stringify(convertCell(parseCell(value), planned))];
  });
});
