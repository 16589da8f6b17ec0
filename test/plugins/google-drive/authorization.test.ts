import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { z } from "zod";
import { Connection } from "../../../core/storage/database/index.js";
import { answerConsent, FakeGoogle } from "../../support/fakes/fake-google.js";
import { useService } from "../../support/service.js";
import { newVisitor, type TestVisitor } from "../../support/studio.js";

const at = "/studio/api/authorizations";
const page = z.object({ url: z.string() });
const saved = z.object({ connectionId: z.string() });
const refusal = z.object({ error: z.string() });

describe("Google Drive as a delivery method, authorized by a person's consent", () => {
  const service = useService({
    config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
  });
  let fake: FakeGoogle;
  let credentials: Record<string, string>;
  before(async () => {
    fake = await FakeGoogle.start();
    const returnUrl = `${service.url}/studio/connections/return`;
    const client = fake.accounts.consent.addClient(returnUrl);
    const folderId = fake.drive.addSharedFolder();
    credentials = { ...client, folderId, endpointUrl: fake.url };
  });
  after(() => fake.close());

  /** Begins, and returns Google's page. */
  async function begin(
    visitor: TestVisitor,
    target: object = { delivery: "google-drive", name: "Archive", credentials },
  ): Promise<string> {
    const response = await visitor.send("POST", at, target);
    const text = await response.text();
    expect(response.status, text).to.equal(200);
    return page.parse(JSON.parse(text)).url;
  }

  it("asks for the files in Drive alone, and saves a connection that works", async () => {
    const visitor = await newVisitor(service);
    const url = await begin(visitor);
    expect(new URL(url).searchParams.get("scope")).to.equal(
      "https://www.googleapis.com/auth/drive",
    );
    const id = await consent(visitor, url);
    const shown = await (await visitor.get(`/api/connections/${id}`)).text();
    expect(shown)
      .to.contain('"delivery":"google-drive"')
      .and.contain(credentials["folderId"])
      .and.not.contain("refresh-");
    expect(await test(visitor, id))
      .to.contain('"working"')
      .and.contain("anna@example.com")
      .and.contain('"warnings":[]');
  });

  it("renews the consent of a saved connection, with its saved or with new credentials", async () => {
    const visitor = await newVisitor(service);
    const created = await visitor.send("POST", "/api/connections", {
      delivery: "google-drive",
      name: "Archive",
      credentials: { ...credentials, refreshToken: "revoked" },
    });
    const { id: connectionId } = z
      .object({ id: z.string() })
      .parse(await created.json());
    expect(await test(visitor, connectionId)).to.contain('"failing"');
    for (const target of [{ connectionId }, { connectionId, credentials }]) {
      const url = await begin(visitor, target);
      expect(await consent(visitor, url)).to.equal(connectionId);
      expect(await test(visitor, connectionId)).to.contain('"working"');
    }
  });

  it("saves nothing when the person declines", async () => {
    const visitor = await newVisitor(service);
    const { organizationId } = visitor;
    const answers = [
      { answer: "deny" as const, message: "did not give your consent" },
      { scopes: [], message: "access to your Google Drive files" },
    ];
    for (const { message, ...answer } of answers) {
      const query = await answerConsent(await begin(visitor), answer);
      const response = await finish(visitor, query);
      const { error } = refusal.parse(await response.json());
      expect(error).to.contain(message);
    }
    const where = { organizationId };
    expect(await service.store.read.countBy(Connection, where)).to.equal(0);
  });

  it("refuses other delivery methods, unknown ones, and settings that Drive does not have", async () => {
    const visitor = await newVisitor(service);
    const cases: [object, string][] = [
      [{ delivery: "sftp", credentials: sftp }, "has no page to authorize"],
      [{ delivery: "pigeon", credentials }, 'no delivery method \\"pigeon\\"'],
      [{ credentials: { ...credentials, colour: "red" } }, "colour"],
    ];
    for (const [change, message] of cases) {
      const target = { delivery: "google-drive", name: "Archive", ...change };
      const response = await visitor.send("POST", at, target);
      expect(response.status).to.be.within(400, 404);
      expect(await response.text()).to.contain(message);
    }
  });
});

const sftp = { host: "files.example.com", user: "platen", password: "s3cret" };

const finish = (visitor: TestVisitor, query: URLSearchParams) =>
  visitor.send("POST", `${at}/finish`, { query: query.toString() });

async function test(visitor: TestVisitor, id: string): Promise<string> {
  const path = `/api/connections/${id}/test`;
  return (await visitor.send("POST", path)).text();
}

/** @returns the id of the connection that was saved. */
async function consent(visitor: TestVisitor, url: string): Promise<string> {
  const response = await finish(visitor, await answerConsent(url));
  const text = await response.text();
  expect(response.status, text).to.equal(200);
  expect(text).to.not.contain("refresh-");
  return saved.parse(JSON.parse(text)).connectionId;
}
