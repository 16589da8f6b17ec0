import { expect } from "chai";
import { z } from "zod";
import {
  connectionSchema,
  ConnectionService,
  connectionTestSchema,
} from "../../../core/integrations/connections/index.js";
import { providerSchema } from "../../../core/api/routes/platforms.js";
import { Connection } from "../../../core/storage/database/index.js";
import {
  refusal,
  newCaller,
  type TestCaller,
  reader,
} from "../../support/caller.js";
import { useFakeDocuseal } from "../../support/fakes/fake-docuseal.js";
import { pluginFolder } from "../../support/plugin-folder.js";
import { readRows } from "../../support/rows.js";
import { useService } from "../../support/service.js";

const readConnection = reader(connectionSchema);
const readConnectionTest = reader(connectionTestSchema);
const readProviders = reader(z.strictObject({ data: z.array(providerSchema) }));
const readConnections = reader(
  z.looseObject({ data: z.array(connectionSchema) }),
);

describe("connections to e-signature providers", () => {
  const plugins = {
    names: [],
    environment: {},
    folder: pluginFolder({ name: "ledger" }),
    processes: 1,
  };
  const outbound = { allowPrivateNetworks: ["127.0.0.0/8"] };
  const service = useService({ config: { plugins, outbound } });
  const fake = useFakeDocuseal();
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });
  const create = async (input: object, status = 201) =>
    caller
      .post("/api/connections", { name: "Signing", ...input })
      .then((response) => readConnection(response, status));
  const toDocuseal = () =>
    create({ provider: "docuseal", credentials: fake.credentials });
  const getIds = async (query: string) => {
    const list = await caller.get(`/api/connections${query}`);
    return (await readConnections(list)).data.map(({ id }) => id);
  };
  const toLedger = () => {
    const credentials = { url: fake.url, token: "long enough" };
    return create({ platform: "ledger", credentials });
  };

  it("are saved and tested like others, and return their kind but no secret", async () => {
    const connection = await toDocuseal();
    expect(connection).to.deep.include({
      kind: "esign",
      provider: "docuseal",
      platform: null,
      credentials: { url: fake.url },
    });
    const path = `/api/connections/${connection.id}`;
    const good = await readConnectionTest(
      await caller.post(`${path}/test`, {}),
    );
    expect(good.connection.state).to.equal("working");
    const credentials = { url: fake.url, apiKey: "wrong" };
    await readConnection(await caller.patch(path, { credentials }));
    const bad = await readConnectionTest(await caller.post(`${path}/test`, {}));
    expect(bad.connection.lastError).to.equal(
      "DocuSeal: The API key is not valid. Copy it again from DocuSeal's API settings. It says: Not authenticated",
    );
    expect((await caller.delete(path)).status).to.equal(200);
  });

  it("can be listed by kind", async () => {
    const [signing, ledger] = [await toDocuseal(), await toLedger()];
    expect(await getIds("?kind=esign")).to.deep.equal([signing.id]);
    expect(await getIds("?kind=platform")).to.deep.equal([ledger.id]);
    expect(await getIds("")).to.have.members([signing.id, ledger.id]);
  });

  it("are rejected where a platform connection is required, and vice versa", async () => {
    const [signing, ledger] = [await toDocuseal(), await toLedger()];
    const tables = caller.get(`/api/connections/${signing.id}/tables`);
    expect(await refusal(tables)).to.equal(
      '400 The connection "Signing" connects to the e-signature provider "docuseal", not to a platform. Use a connection to a platform.',
    );
    const connections = service.container.resolve(ConnectionService);
    const opened: unknown = await connections
      .openEsign(caller.organizationId, ledger.id)
      .catch((error: unknown) => error);
    expect(String(opened)).to.contain("not to an e-signature provider");
    expect(await connections.findEsign(ledger.id)).to.equal(null);
  });

  it("are found only in their own organization", async () => {
    const { id } = await toDocuseal();
    const stranger = await newCaller(service);
    const connections = service.container.resolve(ConnectionService);
    const opened: unknown = await connections
      .openEsign(stranger.organizationId, id)
      .catch((error: unknown) => error);
    expect(String(opened)).to.contain("There is no such connection");
    expect((await connections.findEsign(id))?.organizationId).to.equal(
      caller.organizationId,
    );
  });

  const installed =
    "Installed: airtable, directus, file, google-sheets, nocodb, sql, ledger.";
  const providers = "Installed: docuseal, documenso, demo-esign.";
  const exactly =
    "Set exactly one of `platform`, to connect to a platform, `provider`, to connect to an e-signature provider, and `delivery`, to connect to a delivery method.";
  for (const [named = "", message] of readRows(`
    {} | ${exactly}
    {"platform":"ledger","provider":"docuseal"} | ${exactly}
    {"provider":"docusael"} | $.provider: there is no e-signature provider "docusael". ${providers}
    {"provider":"ledger"} | $.provider: there is no e-signature provider "ledger". ${providers}
    {"platform":"docuseal"} | $.platform: there is no platform "docuseal". ${installed}
  `))
    it(`are rejected unless they name one installed provider: ${named}`, async () => {
      const body = { name: "A", credentials: {}, ...JSON.parse(named) };
      const answer = caller.post("/api/connections", body);
      expect(await refusal(answer)).to.equal(`400 ${message}`);
    });

  it("are kept without their plugin and report the problem", async () => {
    const { id } = await toDocuseal();
    await service.store.unitOfWork.run((tx) =>
      tx.update(Connection, { id }, { plugin: "scrive" }),
    );
    const response = await caller.get(`/api/connections/${id}`);
    const { provider: gone, problem } = await readConnection(response);
    expect(gone).to.equal("scrive");
    expect(problem).to.contain('The plugin "scrive" is not installed');
    const connections = service.container.resolve(ConnectionService);
    const orphaned = await connections.listOrphaned();
    expect(orphaned.map((one) => [one.id, one.kind])).to.deep.equal([
      [id, "esign"],
    ]);
  });

  it("can be made to the providers that /api/esign-providers lists", async () => {
    const list = await caller.get("/api/esign-providers");
    const { data } = await readProviders(list);
    expect(data.map(({ id }) => id)).to.deep.equal([
      "docuseal",
      "documenso",
      "demo-esign",
    ]);
    expect(data[0]?.capabilities?.noticeProof).to.equal("hmac");
    const one = await caller.get("/api/esign-providers/docuseal");
    expect(await one.json()).to.deep.equal(data[0]);
    const none = await caller.get("/api/esign-providers/airtable");
    expect(none.status).to.equal(404);
  });
});
