import { readdir, readFile, stat } from "node:fs/promises";
import { expect } from "chai";
import {
  countUsage,
  operator,
  SCOPES,
  seedDemo,
  Usage,
  type UserView,
} from "../../core/accounts/index.js";
import { Members } from "../../core/accounts/sessions/index.js";
import {
  AuditEvent,
  Membership,
  newId,
  Organization,
  type Role,
  type Store,
  User,
} from "../../core/storage/database/index.js";
import { listActs } from "../support/audit.js";
import {
  json,
  newCaller,
  refusal,
  type TestCaller,
} from "../support/caller.js";
import { useFixedTime } from "../support/clock.js";
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

function toMemberView({ createdAt: joinedAt, ...user }: UserView) {
  const { id, organizationId, name, email, role } = user;
  return { id, organizationId, name, email, role, joinedAt };
}

const png = await plain("red").png().toBuffer();

anyDatabase((open) => {
  describe("an organization", () => {
    const time = useFixedTime();
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
      const error = await getRejection(
        Reflect.apply(create, null, [input, operator]),
      );
      const plan = "must be one of free, pro, premium, enterprise";
      expect(error).to.deep.include({
        code: "invalid_request",
        message: `name must not be empty. plan ${plan}.`,
        problems: [
          {
            path: "$.name",
            code: "invalid_value",
            message: "must not be empty",
          },
          { path: "$.plan", code: "invalid_value", message: plan },
        ],
      });
      for (const id of ["nonsense", newId()])
        expect(await getRefusal(organizations.get(id))).to.equal(
          `not_found There is no organization ${id}.`,
        );
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
        expect(await getRefusal(createUser(first, { email }))).to.equal(
          "conflict joins@example.com is a user of this organization already.",
        );
      });

      it("are refused with an invalid name, email address, picture or role", async () => {
        const organizationId = await newOrganization(store);
        for (const [bad, message] of [
          [
            { email: "ada", image: "javascript:alert(1)", role: "king" },
            "email must be an email address. image must be an http or https address. role must be one of viewer, editor, owner.",
          ],
          [
            {
              name: "x".repeat(201),
              email: `${"x".repeat(251)}@a.de`,
              image: `https://example.com/${"x".repeat(2048)}`,
            },
            "name must be at most 200 characters long. email must be at most 255 characters long. image must be at most 2048 characters long.",
          ],
        ] as const)
          expect(await getRefusal(createUser(organizationId, bad))).to.equal(
            `invalid_request ${message}`,
          );
      });

      it("are listed in the order in which they joined, found by their address, and change by role", async () => {
        const members = new Members(store);
        const [one, two] = [
          await newOrganization(store),
          await newOrganization(store),
        ];
        const add = async (to: string, name: string, role: Role = "editor") => {
          time.advance(1000);
          const email = `${name}-${one}@example.com`;
          return createUser(to, { name, email, role });
        };
        const zoe = await add(one, "Zoe", "owner");
        const ada = await add(one, "Ada");
        const also = await add(two, "Ada", "viewer");
        await add(two, "Eve");
        const listed = await members.list(one);
        expect(listed).to.deep.equal([zoe, ada].map(toMemberView));
        const everyone = (await members.list()).slice(-4);
        expect(everyone.map(({ name }) => name).join()).to.equal(
          "Zoe,Ada,Ada,Eve",
        );
        expect(
          await members.find(` ${zoe.email.toUpperCase()} `),
        ).to.deep.equal({ userId: zoe.id, organizationId: one, role: "owner" });
        const there = await members.find(ada.email, two);
        expect(there).to.deep.equal({
          userId: also.id,
          organizationId: two,
          role: "viewer",
        });
        for (const [refused, message] of [
          [members.find("no@body"), "not_found There is no user no@body."],
          [
            members.find(zoe.email, two),
            `not_found The organization ${two} has no user ${zoe.email}.`,
          ],
          [
            members.find(ada.email),
            `invalid_request ${ada.email} is a user of several organizations: name one with --org (${one}, ${two}).`,
          ],
        ] as const)
          expect(await getRefusal(refused)).to.equal(message);
        await members.changeRole(there, "viewer", operator);
        await members.changeRole(there, "owner", operator);
        const own = { scopes: ["templates:read"], userId: ada.id };
        await accounts.keys.create(two, own, operator);
        const revoked = await accounts.keys.create(two, own, operator);
        await accounts.keys.revoke(revoked.id, operator);
        await accounts.keys.create(one, own, operator);
        expect(await members.remove(there, operator)).to.deep.equal({
          keys: 1,
        });
        const gone = "not_found This user was removed in the meantime.";
        expect(await getRefusal(members.remove(there, operator))).to.equal(
          gone,
        );
        expect(
          await getRefusal(members.changeRole(there, "editor", operator)),
        ).to.equal(gone);
        expect((await members.find(ada.email)).organizationId).to.equal(one);
        const acts = await listActs({ store }, two, ada.id);
        expect(
          acts.map(({ action, details }) => [action, details]),
        ).to.deep.equal([
          ["user.joined", { email: ada.email, role: "viewer" }],
          ["user.role_changed", { from: "viewer", to: "owner" }],
          ["user.removed", null],
        ]);
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
