import { expect } from "chai";
import {
  connectionSchema,
  connectionTestSchema,
} from "../../../core/integrations/connections/index.js";
import { Connection } from "../../../core/storage/database/index.js";
import { listActs } from "../../support/audit.js";
import {
  readError,
  refusal,
  newCaller,
  type TestCaller,
  reader,
} from "../../support/caller.js";
import { platformCode, pluginFolder } from "../../support/plugin-folder.js";
import { usePlatformServer } from "../../support/records.js";
import { recordingLog } from "../../support/recording-log.js";
import { useService } from "../../support/service.js";
import { anyDatabase } from "../../support/store.js";

const readConnection = reader(connectionSchema);
const readConnectionTest = reader(connectionTestSchema);
const token = "a token that nobody may see";

const anyText = { type: "string", minLength: 1 };
const listSettings = {
  columns: { type: "array", items: anyText },
  keys: { type: "object", additionalProperties: anyText },
  links: {
    type: "array",
    items: {
      type: "object",
      additionalProperties: false,
      required: ["sheet"],
      properties: { sheet: anyText, many: { type: "boolean" } },
    },
  },
  headers: { type: "object" },
  anything: { type: "array" },
  tokens: { type: "array", items: { ...anyText, writeOnly: true } },
  hidden: { type: "array", items: anyText, writeOnly: true },
  accounts: {
    type: "object",
    additionalProperties: false,
    properties: { name: anyText, password: { ...anyText, writeOnly: true } },
  },
  choices: { type: "array", items: { anyOf: [anyText] } },
  patterns: {
    type: "object",
    additionalProperties: false,
    patternProperties: { "^p": { ...anyText, writeOnly: true } },
  },
};
const listCode = platformCode("lists").replace(
  "properties: {",
  `properties: { ...${JSON.stringify(listSettings)},`,
);

anyDatabase((_open, database) => {
  describe("/api/connections", () => {
    const server = usePlatformServer();
    const folder = pluginFolder(
      { name: "ledger" },
      { name: "lists", code: listCode },
    );
    const { log, text } = recordingLog();
    const plugins = { names: [], environment: {}, folder, processes: 1 };
    const outbound = { allowPrivateNetworks: ["127.0.0.0/8"] };
    const service = useService({
      config: { database, plugins, outbound },
      log,
    });
    let caller: TestCaller;
    before(async () => {
      caller = await newCaller(service);
      server.answer = ({ headers }, response) => {
        const isKnown = headers.authorization === `Bearer ${token}`;
        response.writeHead(isKnown ? 200 : 401).end('{"name":"Ada"}');
      };
    });
    const create = async (credentials: object = { url: server.url, token }) =>
      readConnection(
        await caller.post("/api/connections", {
          platform: "ledger",
          name: " Orders ",
          credentials,
        }),
        201,
      );

    it("saves a connection and never returns its secrets", async () => {
      const connection = await create();
      expect(connection).to.deep.include({
        platform: "ledger",
        name: "Orders",
        credentials: { url: server.url },
        state: "untested",
        problem: null,
      });
      const path = `/api/connections/${connection.id}`;
      expect(await (await caller.get(path)).json()).to.deep.equal(connection);
      const row = await service.store.read.findOneByOrFail(Connection, {
        id: connection.id,
      });
      expect(JSON.stringify(row)).not.to.contain(token);
      expect(text()).not.to.contain(token);
    });

    it("returns lists and objects whose schema holds no secret, and leaves out the others", async () => {
      const shown = {
        columns: ["File", "PDF"],
        keys: { Orders: "No", Notes: "Id" },
        links: [{ sheet: "Orders", many: true }],
      };
      const secrets = {
        headers: { a: token },
        anything: [token],
        tokens: [token],
        hidden: [token],
        accounts: { name: "Ada", password: token },
        choices: [token],
        patterns: { p: token },
      };
      const url = server.url;
      const connection = await readConnection(
        await caller.post("/api/connections", {
          platform: "lists",
          name: "Sheets",
          credentials: { url, token, ...shown, ...secrets },
        }),
        201,
      );
      expect(connection.credentials).to.deep.equal({ url, ...shown });
    });

    it("tests a connection and saves the platform's answer", async () => {
      const { id } = await create();
      const path = `/api/connections/${id}`;
      const good = await readConnectionTest(
        await caller.post(`${path}/test`, {}),
      );
      expect(good.account).to.equal("Ada");
      expect(good.connection).to.deep.include({
        state: "working",
        lastError: null,
      });
      const credentials = { url: server.url, token: "another one" };
      const changed = await readConnection(
        await caller.patch(path, { credentials }),
      );
      expect(changed.state).to.equal("untested");
      const bad = await readConnectionTest(
        await caller.post(`${path}/test`, {}),
      );
      expect(bad.connection.state).to.equal("failing");
      expect(bad.connection.lastError).to.equal(
        "ledger: the token is not known. Make a new one.",
      );
      expect(await (await caller.get(path)).json()).to.deep.equal(
        bad.connection,
      );
    });

    it("lists the platform's bases and tables", async () => {
      const path = `/api/connections/${(await create()).id}`;
      const bases: unknown = await (await caller.get(`${path}/bases`)).json();
      expect(bases).to.deep.equal({ data: [{ id: "b1", name: "Base" }] });
      const tables = await caller.get(`${path}/tables?baseId=b1`);
      expect(await tables.json()).to.have.nested.property(
        "data[0].name",
        "Table of b1",
      );
    });

    it("deletes a connection with its credentials and keeps the audit log", async () => {
      const { id } = await create();
      const path = `/api/connections/${id}`;
      await readConnection(await caller.delete(path));
      expect((await caller.get(path)).status).to.equal(404);
      const acts = await listActs(service, caller.organizationId, id);
      expect(acts.map(({ action }) => action)).to.have.members([
        "connection.created",
        "connection.deleted",
      ]);
      expect(JSON.stringify(acts)).not.to.contain(token);
    });

    for (const [credentials, message] of [
      [{ token }, "$.credentials: must have required property 'url'"],
      [{ url: "here", token }, "$.credentials.url: must match format"],
      [{ url: "https://a.example", token: "short" }, "$.credentials.token"],
      [
        { url: "https://a.example", token, tokn: "x" },
        'Unknown property "tokn"',
      ],
    ] as const)
      it(`returns 400 for invalid credentials: ${message}`, async () => {
        const body = { platform: "ledger", name: "A", credentials };
        const response = await caller.post("/api/connections", body);
        expect(response.status).to.equal(400);
        const error = await readError(response);
        expect(error).to.contain(message).and.not.contain(token);
      });

    it("returns 400 for a platform that is not installed and lists those that are", async () => {
      const body = { platform: "ledgr", name: "A", credentials: {} };
      expect(await refusal(caller.post("/api/connections", body))).to.equal(
        '400 $.platform: there is no platform "ledgr". Installed: airtable, directus, file, google-sheets, nocodb, sql, ledger, lists.',
      );
    });
  });
});
