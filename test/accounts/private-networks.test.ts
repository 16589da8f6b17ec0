import { expect } from "chai";
import { before, describe, it } from "mocha";
import { AuditEvent } from "../../core/storage/database/index.js";
import { readError, newCaller, type TestCaller } from "../support/caller.js";
import { plain, useGallery, useImageServer } from "../support/image-gallery.js";
import { pluginFolder } from "../support/plugin-folder.js";
import { usePlatformServer } from "../support/records.js";
import { useService } from "../support/service.js";
import { cliOn } from "../support/store-cli.js";
import { toolClient } from "../support/tool-client.js";
import { useReceiver } from "../support/webhooks.js";

const png = await plain("red").png().toBuffer();

describe("the private networks of an organization", () => {
  const folder = pluginFolder({ name: "ledger" });
  const outbound = { allowPrivateNetworks: ["127.0.0.0/8", "10.20.0.0/16"] };
  const plugins = { names: [], environment: {}, folder, processes: 1 };
  const service = useService({ config: { outbound, plugins } });
  const platform = usePlatformServer();
  const receiver = useReceiver();
  const images = useImageServer({
    "/a.png": { body: png },
    "/b.png": { body: png },
  });
  const gallery = useGallery(service);
  const env = { PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8,10.20.0.0/16" };
  const narrow = (organizationId: string, networks: string) =>
    cliOn(service.dataFolder, env)(
      "org",
      "set",
      organizationId,
      `--private-networks=${networks}`,
      "--json",
    );
  const fetchAsset = async (caller: TestCaller) => {
    const client = await toolClient(service, caller);
    const { isError } = await client.callTool({
      name: "upload_asset",
      arguments: { name: "a.png", fileUrl: images.at("/a.png") },
    });
    return isError === true;
  };
  const connect = async (caller: TestCaller) => {
    const made = await caller.post("/api/connections", {
      platform: "ledger",
      name: "Orders",
      credentials: { url: platform.url, token: "a token of the platform" },
    });
    expect(made.status, await made.clone().text()).to.equal(201);
    const { id }: { id: string } = JSON.parse(await made.text());
    const tested = await caller.post(`/api/connections/${id}/test`, {});
    return tested.text();
  };
  let narrowed: TestCaller;
  let other: TestCaller;
  before(async () => {
    narrowed = await newCaller(service);
    other = await newCaller(service);
    const { code, stdout } = await narrow(narrowed.organizationId, "none");
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.include({ privateNetworks: [] });
    platform.answer = (_request, response) => {
      response.writeHead(200).end('{"name":"Ada"}');
    };
  });

  it("bound where its webhooks may be", async () => {
    const { url } = receiver;
    const rejected = await narrowed.post("/api/webhooks", { url });
    expect(rejected.status).to.equal(400);
    expect(await readError(rejected)).to.contain("platen org set");
    expect((await other.post("/api/webhooks", { url })).status).to.equal(201);
  });

  it("bound the webhooks that were created before", async () => {
    const caller = await newCaller(service);
    const { url } = receiver;
    const made = await caller.post("/api/webhooks", { url });
    const { id }: { id: string } = JSON.parse(await made.text());
    await narrow(caller.organizationId, "10.20.0.0/16");
    const arrived = receiver.received.length;
    const sent = await caller.post(`/api/webhooks/${id}/test`, {});
    expect(await sent.text()).to.contain("is not on the public internet");
    expect(receiver.received.length).to.equal(arrived);
    await narrow(caller.organizationId, "127.0.0.1");
    await caller.post(`/api/webhooks/${id}/test`, {});
    expect(receiver.received.length).to.equal(arrived + 1);
  });

  it("bound the images that its documents fetch", async () => {
    const { failed } = await gallery.now.show(images.at("/a.png"));
    expect(failed).to.deep.equal([]);
    await narrow(gallery.now.caller.organizationId, "none");
    const requestCount = images.requests.length;
    const source = images.at("/b.png");
    const { failed: rejected } = await gallery.now.show(source);
    expect(rejected[0]?.reason).to.contain("is not on the public internet");
    expect(images.requests.length).to.equal(requestCount);
  });

  it("bound the files that its assets are fetched from", async () => {
    expect(await fetchAsset(other)).to.equal(false);
    expect(await fetchAsset(narrowed)).to.equal(true);
  });

  it("bound its connections to platforms", async () => {
    expect(await connect(other)).to.contain('"account":"Ada"');
    expect(await connect(narrowed)).to.contain("is not on the public internet");
  });

  it("are those of the service again after default", async () => {
    const caller = await newCaller(service);
    await narrow(caller.organizationId, "none");
    const { stdout } = await narrow(caller.organizationId, "default");
    expect(JSON.parse(stdout)).to.not.have.property("privateNetworks");
    const { url } = receiver;
    expect((await caller.post("/api/webhooks", { url })).status).to.equal(201);
  });

  it("cannot exceed those that the service may call", async () => {
    for (const [networks, named] of [
      ["192.168.0.0/16", "192.168.0.0/16"],
      ["10.0.0.0/8,127.0.0.1", "10.0.0.0/8"],
    ] as const) {
      const { code, stderr } = await narrow(other.organizationId, networks);
      expect(code).to.equal(1);
      expect(stderr)
        .to.contain(`${named} is not within PLATEN_ALLOW_PRIVATE_NETWORKS`)
        .and.contain("127.0.0.0/8,10.20.0.0/16");
    }
  });

  it("are rejected when they are not valid networks", async () => {
    for (const networks of ["10.0.0.0/33", "private", "none,10.20.0.0/16"])
      expect((await narrow(other.organizationId, networks)).stderr).to.contain(
        "Not a network",
      );
    const unknown = "00000000-0000-4000-8000-000000000000";
    for (const id of [unknown, "nobody"])
      expect((await narrow(id, "none")).stderr).to.contain("no organization");
  });

  it("are in the audit log and in the list of organizations", async () => {
    const { organizationId } = narrowed;
    const [note] = await service.store.read.findBy(AuditEvent, {
      organizationId,
      action: "organization.changed",
    });
    expect(note?.details).to.deep.equal({ privateNetworks: [] });
    const { stdout } = await cliOn(service.dataFolder, env)(
      "org",
      "list",
      "--json",
    );
    const rows: { id: string; privateNetworks: unknown }[] = JSON.parse(stdout);
    const row = rows.find(({ id }) => id === organizationId);
    expect(row?.privateNetworks).to.deep.equal([]);
  });
});
