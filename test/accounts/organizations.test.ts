import { readdir, readFile, stat } from "node:fs/promises";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  countUsage,
  operator,
  SCOPES,
  seedDemo,
  Usage,
} from "../../core/accounts/index.js";
import {
  AuditEvent,
  Membership,
  newId,
  Organization,
  type Store,
  User,
} from "../../core/storage/database/index.js";
import {
  json,
  newCaller,
  refusal,
  type TestCaller,
} from "../support/caller.js";
import { plain, useGallery, useImageServer } from "../support/image-gallery.js";
import { pluginFolder } from "../support/plugin-folder.js";
import { usePlatformServer } from "../support/records.js";
import { useService } from "../support/service.js";
import { cliOn } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";
import {
  anyDatabase,
  createAccounts,
  eachDatabase,
  getRefusal,
  getRejection,
  newOrganization,
} from "../support/store.js";
import { newVisitor } from "../support/studio.js";
import { useReceiver } from "../support/webhooks.js";

const png = await plain("red").png().toBuffer();

anyDatabase((open) => {
  describe("an organization", () => {
    let store: Store;
    let accounts: ReturnType<typeof createAccounts>;
    before(async () => {
      store = await open();
      accounts = createAccounts(store);
    });

    it("has a user of its own from the start and an entry in the audit log", async () => {
      const { organizations } = accounts;
      const input = { name: " Acme ", plan: "premium" } as const;
      const made = await organizations.create(input, operator);
      expect(made).to.include({ name: "Acme", plan: "premium" });
      const { id } = made;
      expect(await organizations.get(id)).to.deep.equal(made);
      const row = await store.read.findOneByOrFail(Organization, { id });
      const userId = row.serviceUserId;
      const user = await store.read.findOneByOrFail(User, { id: userId });
      expect(user.name).to.equal("Acme (service)");
      expect(user.email).to.match(/@platen\.invalid$/);
      const place = { organizationId: id };
      const members = await store.read.findBy(Membership, place);
      expect(members.map(({ role }) => role)).to.deep.equal(["service"]);
      const events = await store.read.findBy(AuditEvent, place);
      expect(events).to.have.length(1);
      const event = { action: "organization.created", origin: "cli" };
      expect(events[0]).to.include(event);
    });

    it("is refused with an empty name and an unknown plan in one error, and not found by an invalid id", async () => {
      const { organizations } = accounts;
      const input: object = { name: " ", plan: "gold" };
      const create = organizations.create.bind(organizations);
      expect(await getRefusal(Reflect.apply(create, null, [input, operator])))
        .to.include("name must not be empty")
        .and.include("plan must be one of free, pro");
      for (const id of ["nonsense", newId()])
        expect(await getRefusal(organizations.get(id))).to.match(/^not_found /);
    });

    const createUser = (organizationId: string, input: object = {}) =>
      accounts.users.create(
        organizationId,
        { name: "Ada", email: "Ada@Example.com", ...input },
        operator,
      );

    describe("has users, who", () => {
      it("have the role editor unless another one is given", async () => {
        const organizationId = await newOrganization(store);
        const image = "https://example.com/ada.png";
        expect(await createUser(organizationId, { image })).to.include({
          organizationId,
          email: "ada@example.com",
          role: "editor",
          image,
        });
      });

      it("join a second organization as the same user, but no organization twice", async () => {
        const first = await newOrganization(store);
        const email = "joins@example.com";
        const { id } = await createUser(first, { email });
        const second = await newOrganization(store);
        const role = "viewer";
        const again = await createUser(second, { email, role });
        expect(again).to.include({ id, role });
        expect(await getRefusal(createUser(first, { email }))).to.match(
          /^conflict /,
        );
      });

      it("are refused with an invalid email address or picture", async () => {
        const organizationId = await newOrganization(store);
        const bad = { email: "ada", image: "javascript:alert(1)" };
        expect(await getRefusal(createUser(organizationId, bad)))
          .to.include("email must be an email address")
          .and.include("image must be an http or https address");
      });
    });
  });
});

eachDatabase((open) => {
  describe("the demo", () => {
    const dataFolder = suiteFolder();
    const seed = (store: Store, fill = async () => undefined as void) =>
      seedDemo({ store, dataFolder, fill });

    it("leaves nothing behind when it fails", async () => {
      const store = await open();
      const broken = seed(store, async () => {
        throw new Error("no templates");
      });
      expect(String(await getRejection(broken))).to.include("no templates");
      const { organizations } = createAccounts(store);
      expect(await organizations.list()).to.deep.equal([]);
    });

    it("fills an empty database once when several processes start together", async () => {
      const stores = await Promise.all([open(), open(), open()]);
      const demos = await Promise.all(stores.map((store) => seed(store)));
      const [made, ...others] = demos.filter((demo) => demo !== null);
      expect(others).to.deep.equal([]);
      const { key, keyFile, organizationId } = made ?? expect.fail();
      expect(await readdir(dataFolder)).to.deep.equal(["demo-key.txt"]);
      expect(await readFile(keyFile, "utf8")).to.equal(`${key}\n`);
      expect((await stat(keyFile)).mode & 0o777).to.equal(0o600);
      const { authenticator } = createAccounts(stores[0]);
      expect(await authenticator.authenticate(key)).to.deep.include({
        organizationId,
        plan: "enterprise",
        scopes: SCOPES,
      });
      expect(await seed(stores[0])).to.equal(null);
    });
  });

  describe("the usage of an organization", () => {
    it("counts concurrent documents by day, without those that were rolled back", async () => {
      const stores = [await open(), await open()] as const;
      const id = await newOrganization(stores[0]);
      const count = (index: number, day: string) =>
        stores[index % 2 ? 0 : 1].unitOfWork.run(async (tx) => {
          await countUsage(tx, id, "documents", 1, new Date(day));
          if (index === 7) throw new Error("rolled back");
        });
      await Promise.allSettled(
        Array.from({ length: 40 }, (_, index) =>
          count(index, index < 30 ? "2026-07-31T23:59:59Z" : "2026-08-01Z"),
        ),
      );
      for (const [month, documents] of [
        ["2026-07", 29],
        ["2026-08", 10],
        ["2026-09", 0],
      ] as const) {
        const usage = await new Usage(stores[0]).getMonth(id, month);
        expect(usage).to.deep.equal({ documents });
      }
    });
  });
});

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
  const cli = (...args: string[]) => cliOn(service.dataFolder, env)(...args);
  const narrow = (organizationId: string, networks: string) =>
    cli(
      "org",
      "set",
      organizationId,
      `--private-networks=${networks}`,
      "--json",
    );
  let narrowed: TestCaller;
  let other: TestCaller;
  before(async () => {
    narrowed = await newCaller(service);
    other = await newCaller(service);
    const { stdout } = await narrow(narrowed.organizationId, "none");
    expect(JSON.parse(stdout)).to.deep.include({ privateNetworks: [] });
    platform.answer = (_request, response) => {
      response.writeHead(200).end('{"name":"Ada"}');
    };
  });

  const postWebhook = (by: TestCaller) =>
    by.post("/api/webhooks", { url: receiver.url });

  it("bound where its webhooks may be, also of those that were created before", async () => {
    expect(await refusal(postWebhook(narrowed))).to.match(
      /^400 .*platen org set/,
    );
    const caller = await newCaller(service);
    const { id } = await json(postWebhook(caller), 201);
    for (const [networks, arrived] of [
      ["10.20.0.0/16", 0],
      ["127.0.0.1", 1],
    ] as const) {
      await narrow(caller.organizationId, networks);
      const test = caller.post(`/api/webhooks/${String(id)}/test`, {});
      const isRefused = (await (await test).text()).includes(
        "is not on the public internet",
      );
      expect(isRefused).to.equal(arrived === 0);
      expect(receiver.received.length).to.equal(arrived);
    }
    await narrow(caller.organizationId, "none");
    expect((await postWebhook(caller)).status).to.equal(400);
    const { stdout } = await narrow(caller.organizationId, "default");
    expect(JSON.parse(stdout)).to.not.have.property("privateNetworks");
    await json(postWebhook(caller), 201);
  });

  it("bound the images that its documents fetch", async () => {
    const first = await gallery.now.show(images.at("/a.png"));
    expect(first.failed).to.deep.equal([]);
    await narrow(gallery.now.caller.organizationId, "none");
    const { failed } = await gallery.now.show(images.at("/b.png"));
    expect(failed[0]?.reason).to.contain("is not on the public internet");
    expect(images.requests).to.deep.equal(["/a.png"]);
  });

  const postAsset = (by: TestCaller) =>
    by.post("/api/assets", { name: "a.png", fileUrl: images.at("/a.png") });

  it("bound the files that its assets are fetched from", async () => {
    expect((await postAsset(other)).status).to.equal(201);
    expect(await refusal(postAsset(narrowed))).to.match(
      /^400 .*is not on the public internet/,
    );
  });

  it("bound its connections to platforms", async () => {
    for (const [by, answer] of [
      [other, '"account":"Ada"'],
      [narrowed, "is not on the public internet"],
    ] as const) {
      const { id } = await json(
        by.post("/api/connections", {
          platform: "ledger",
          name: "Orders",
          credentials: { url: platform.url, token: "a token of the platform" },
        }),
        201,
      );
      const test = await by.post(`/api/connections/${String(id)}/test`, {});
      expect(await test.text()).to.contain(answer);
    }
  });

  for (const [networks, error] of [
    ["192.168.0.0/16", "192.168.0.0/16 is not within PLATEN_ALLOW_PRIVATE"],
    ["10.0.0.0/8,127.0.0.1", "10.0.0.0/8 is not within PLATEN_ALLOW_PRIVATE"],
    ["10.0.0.0/33", "Not a network"],
    ["private", "Not a network"],
    ["none,10.20.0.0/16", "Not a network"],
  ] as const)
    it(`cannot be ${networks}`, async () => {
      const { code, stderr } = await narrow(other.organizationId, networks);
      expect(code).to.equal(1);
      expect(stderr).to.contain(error);
    });

  it("are in the audit log and in the list of organizations, and those of no organization are refused", async () => {
    const { organizationId } = narrowed;
    const owner = await newVisitor(service, "owner", organizationId);
    const log = await owner.get("/studio/api/audit");
    expect(await log.text()).to.contain('"privateNetworks":[]');
    const { stdout } = await cli("org", "list", "--json");
    const rows: { id: string; privateNetworks: unknown }[] = JSON.parse(stdout);
    const row = rows.find(({ id }) => id === organizationId);
    expect(row?.privateNetworks).to.deep.equal([]);
    for (const id of ["00000000-0000-4000-8000-000000000000", "nobody"]) {
      const { stderr } = await narrow(id, "none");
      expect(stderr).to.contain("no organization");
    }
  });
});
