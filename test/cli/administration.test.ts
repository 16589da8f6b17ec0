import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import sharp from "sharp";
import { greatVibes } from "../support/assets.js";
import { EsignHarness, fastSettings, MemoryEsign } from "../support/esign.js";
import { FakeDocuseal } from "../support/fakes/fake-docuseal.js";
import { useService } from "../support/service.js";
import { emptyPdf } from "../support/signing-documents.js";
import { cliOn, createOrganization, json } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";
import { useReceiver, verified } from "../support/webhooks.js";

const networks = { PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8" };

describe("the command line of an administrator", () => {
  const folder = suiteFolder();
  const cli = cliOn(folder, networks);
  let org: string[] = [];
  before(async () => {
    org = ["--org", await createOrganization(cli, "Acme")];
  });

  const listUsers = async () =>
    JSON.parse((await cli("user", "list", ...org, "--json")).stdout);
  const setNext = (...options: string[]) => {
    const pattern = ["--pattern", "RE-{yyyy}-{0000}"];
    return cli("sequence", "set", "invoices", ...org, ...pattern, ...options);
  };

  it("prints one line of JSON and nothing else with --json, and a table without", async () => {
    const { stdout, stderr } = await cli("org", "list", "--json");
    expect(stderr).to.equal("");
    expect(stdout).to.match(/^\[.*\]\n$/);
    const [acme] = JSON.parse(stdout);
    expect(acme).to.include({ id: org[1], name: "Acme", plan: "pro" });
    const [head, line] = (await cli("org", "list")).stdout.split("\n");
    expect(head).to.match(/^ID +NAME +PLAN +DOCUMENTS +CREATED$/);
    expect(line).to.include(org[1]).and.include("Acme");
  });

  describe("platen user", () => {
    const email = "ada@example.com";
    before(async () => {
      await json(cli, "user", "add", ...org, "--name=Ada", "--email", email);
    });

    it("lists users without the organization's own user", async () => {
      const [ada, ...others] = await listUsers();
      expect(ada).to.include({ email, name: "Ada", role: "editor" });
      expect(others).to.deep.equal([]);
    });

    it("makes a sign-in link", async () => {
      const { url, expiresAt } = await json(cli, "user", "login-link", email);
      expect(url).to.match(
        /^http:\/\/127\.0\.0\.1:3000\/studio\/sign-in\/[\w-]{43}$/,
      );
      const minutes = (Date.parse(expiresAt ?? "") - Date.now()) / 60_000;
      expect(minutes).to.be.within(10, 15);
    });

    it("rejects --mail without a mail server and for unknown addresses", async () => {
      const mail = await cli("user", "login-link", email, "--mail");
      expect(mail.code).to.not.equal(0);
      expect(mail.stderr).to.include("PLATEN_SMTP_URL");
      const stranger = await cli("user", "login-link", "eve@example.com");
      expect(stranger.stderr).to.include("no user eve@example.com");
    });

    it("changes a user's role and removes the user", async () => {
      await json(cli, "user", "role", email, "owner");
      expect((await listUsers())[0]).to.include({ role: "owner" });
      const odd = await cli("user", "role", email, "king");
      expect(odd.stderr).to.include("owner");
      await json(cli, "user", "remove", email);
      expect(await listUsers()).to.deep.equal([]);
    });
  });

  describe("platen key", () => {
    it("creates a key that is shown once, then lists and revokes it", async () => {
      const person = ["--name=Bob", "--email=bob@example.com"];
      const user = await json(cli, "user", "create", ...org, ...person);
      const owner = [...org, "--user", user.id ?? "", "--name=Shop"];
      const options = ["--scopes=all", "--expires=2099-12-31"];
      const made = await json(cli, "key", "create", ...owner, ...options);
      expect(made).to.include({ userId: user.id, name: "Shop" });
      expect(made.expiresAt).to.equal("2099-12-31T23:59:59.999Z");
      expect(made.scopes).to.include("documents:write");
      const listed = await cli("key", "list", ...org);
      expect(listed.stdout).to.include(made.prefix).and.not.include(made.key);
      const revoked = await json(cli, "key", "revoke", made.id ?? "");
      expect(revoked.revokedAt).to.be.a("string");
    });

    it("prints only the new key on stdout, so that it can be piped", async () => {
      const scopes = "--scopes=templates:read,documents:read";
      const { stdout, stderr } = await cli("key", "create", ...org, scopes);
      expect(stdout).to.match(/^plk_\S+\n$/);
      expect(stderr).to.include("shown this once");
    });
  });

  describe("platen sequence", () => {
    it("sets the next number of a period and lists it", async () => {
      const done = await setNext("--next", "418", "--period", "2027");
      expect(done).to.include({
        code: 0,
        stdout: 'The next new number of "invoices" is RE-2027-0418.\n',
      });
      const { stdout } = await cli("sequence", "list", ...org);
      expect(stdout).to.match(
        /NAME +PERIOD +NEXT +PATTERN +OPEN\ninvoices +2027 +RE-2027-0418 +RE-\{yyyy\}-\{0000\}/,
      );
      const listed = await cli("sequence", "list", ...org, "--json");
      expect(JSON.parse(listed.stdout)[0]).to.include({ nextValue: 418 });
    });

    it("refuses a number that is none with exit code 2, and a wrong period with 1", async () => {
      const none = await setNext("--next", "0");
      expect(none.code).to.equal(2);
      expect(none.stderr).to.include("from 1 to 999999999");
      const wrong = await setNext("--next", "1", "--period", "2027-01");
      expect(wrong.code).to.equal(1);
      expect(wrong.stderr).to.include('"2027-01" is not a period');
    });
  });

  describe("platen asset", () => {
    it("detects a picture by its content and rejects other files", async () => {
      const file = join(folder, "logo.jpeg");
      const create = { width: 30, height: 20, channels: 3 } as const;
      await sharp({ create: { ...create, background: "teal" } })
        .png()
        .toFile(file);
      const added = await json(cli, "asset", "add", file, ...org);
      expect(added).to.include({
        name: "logo.jpeg",
        assetType: "image",
        mimeType: "image/png",
        width: 30,
        height: 20,
      });
      const list = await cli("asset", "list", ...org, "--search", "LOGO");
      expect(list.stdout).to.match(/logo\.jpeg +image\/png/);
      const rejected = await cli("asset", "add", "package.json", ...org);
      expect(rejected.code).to.equal(1);
      expect(rejected.stderr).to.include("Use png, jpg, webp, gif");
    });

    it("stores a font, prints the family name that styles use, and rejects a damaged one", async () => {
      const file = join(folder, "hand.ttf");
      await writeFile(file, await greatVibes());
      const added = await cli("asset", "add", file, ...org);
      expect(added.stdout).to.contain('font-family: "Great Vibes"');
      await writeFile(file, (await greatVibes()).subarray(0, 400));
      const rejected = await cli("asset", "add", file, ...org);
      expect(rejected.code).to.equal(1);
      expect(rejected.stderr).to.include("The font is damaged");
    });
  });

  describe("platen webhook", () => {
    const receiver = useReceiver();
    let id = "";
    let secret = "";
    before(async () => {
      const options = ["--url", receiver.url, "--events=documents.completed"];
      const made = await json(cli, "webhook", "create", ...org, ...options);
      ({ id = "", secret = "" } = made);
    });

    it("sends a test and prints its outcome", async () => {
      const { code, stdout } = await cli("webhook", "test", id, ...org);
      expect(code).to.equal(0);
      expect(stdout).to.match(/^Delivered: the receiver answered 204 after/);
      const [arrived] = receiver.received;
      if (!arrived) throw new Error("nothing arrived");
      expect(arrived.type).to.equal("webhook.test");
      verified(secret, arrived);
    });

    it("rotates the secret and prints only the new one on stdout, so that it can be piped", async () => {
      const rotate = ["webhook", "rotate-secret", id, ...org, "--revoke-now"];
      const { stdout } = await cli(...rotate);
      expect(stdout)
        .to.match(/^whsec_\S+\n$/)
        .and.not.include(secret);
    });

    it("disables an endpoint, lists it and enables it", async () => {
      await cli("webhook", "disable", id, ...org);
      const list = await cli("webhook", "list", ...org);
      expect(list.stdout).to.include(id).and.include("disabled: Disabled by");
      await cli("webhook", "enable", id, ...org);
      const again = await cli("webhook", "list", ...org);
      expect(again.stdout).to.include("enabled");
    });

    it("replays the deliveries of a time range and requires --since", async () => {
      const replay = ["webhook", "replay", id, ...org];
      const done = await cli(...replay, "--since=2026-01-01T00:00Z", "--json");
      expect(JSON.parse(done.stdout)).to.deep.equal({ count: 0 });
      const { code, stderr } = await cli(...replay);
      expect(code).to.equal(1);
      expect(stderr).to.include("--since");
    });
  });
});

describe("platen signature", () => {
  const service = useService({
    config: {
      outbound: { allowPrivateNetworks: ["127.0.0.0/8"] },
      signatures: fastSettings,
    },
  });
  const cli = cliOn(service.dataFolder, networks);
  let fake: FakeDocuseal;
  const harness = new EsignHarness(service, new MemoryEsign(), () => ({
    provider: "docuseal",
    credentials: fake.credentials,
  }));
  before(async () => {
    fake = await FakeDocuseal.start();
    await harness.open();
  });
  after(() => fake.server.close());

  it("lists a request and cancels it, without a warning", async () => {
    const id = await harness.send({ bytes: await emptyPdf() });
    const { externalId } = await harness.waitForStatus(id, "pending");
    const org = ["--org", harness.caller.organizationId];
    const list = await cli("signature", "list", ...org);
    expect(list.stdout).to.include(id).and.include("0 of 1");
    const canceled = await cli("signature", "cancel", id, ...org);
    expect(canceled).to.include({ code: 0, stderr: "" });
    expect(canceled.stdout).to.include("Withdrawn");
    expect((await harness.get(id)).status).to.equal("canceled");
    expect(fake.submission(Number(externalId)).archivedAt).to.not.equal(null);
  });
});
