import { expect } from "chai";
import { z } from "zod";
import {
  AuditEvent,
  Connection,
  ConnectionAuthorization,
} from "../../../core/storage/database/index.js";
import { ConnectionService } from "../../../core/integrations/connections/index.js";
import { json } from "../../support/caller.js";
import { answerConsent, FakeGoogle } from "../../support/fakes/fake-google.js";
import { useServer } from "../../support/fakes/fake-server.js";
import { useService } from "../../support/service.js";
import { anyDatabase } from "../../support/store.js";
import {
  newVisitor,
  signInAs,
  type TestVisitor,
} from "../../support/studio.js";

const email = "anna@example.com";
const page = z.object({ url: z.string() });
const saved = z.object({ connectionId: z.string() });
const refusal = z.object({ error: z.string() });
const sheetsScope = "https://www.googleapis.com/auth/spreadsheets";
const driveScope = "https://www.googleapis.com/auth/drive";

const countConnections = async (visitor: TestVisitor) =>
  (await json<{ data: unknown[] }>(visitor.get("/api/connections"))).data
    .length;

describe("Google, authorized by a person's consent", () => {
  anyDatabase((open, database) => {
    before(open);
    const service = useService({
      config: { database, outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
    });
    const fake = useServer(new FakeGoogle());
    let client: { clientId: string; clientSecret: string };
    before(() => {
      const returnUrl = `${service.url}/studio/connections/return`;
      client = fake.accounts.consent.addClient(returnUrl);
    });

    /** Begins, and returns Google's page. */
    async function begin(visitor: TestVisitor, input: object = {}) {
      const credentials = {
        ...client,
        endpointUrl: fake.url,
        links: [{ sheet: "Lines", column: "Invoice", to: "Invoices" }],
      };
      const response = await visitor.send(
        "POST",
        "/studio/api/authorizations",
        { platform: "google-sheets", name: "Sales", credentials, ...input },
      );
      expect(response.status, await response.clone().text()).to.equal(200);
      return page.parse(await response.json()).url;
    }

    it("saves a connection that works, and shows its refresh token to nobody", async () => {
      const visitor = await newVisitor(service);
      const url = await begin(visitor);
      const asked = new URL(url).searchParams;
      expect(asked.get("scope")).to.equal(`${sheetsScope} ${driveScope}`);
      const pending = await service.store.read.findOneByOrFail(
        ConnectionAuthorization,
        { organizationId: visitor.organizationId },
      );
      expect(JSON.stringify(pending)).to.not.contain(client.clientSecret);
      const response = await finish(visitor, await answerConsent(url));
      const text = await response.text();
      expect(response.status, text).to.equal(200);
      const { connectionId } = saved.parse(JSON.parse(text));
      const at = `/api/connections/${connectionId}`;
      const tested = await visitor.send("POST", `${at}/test`);
      expect(await tested.text())
        .to.contain('"working"')
        .and.contain(email);
      const shown = await (await visitor.get(at)).text();
      expect(shown).to.contain('"name":"Sales"');
      expect(text + shown).to.not.contain("refresh-");
      const { credentials } = await service.store.read.findOneByOrFail(
        Connection,
        { id: connectionId },
      );
      expect(credentials).to.not.contain("refresh-");
      const event = await service.store.read.findOneByOrFail(AuditEvent, {
        subject: connectionId,
        action: "connection.created",
      });
      expect(event).to.include({ origin: "studio", userId: visitor.userId });
    });

    it("renews the consent of a saved connection and keeps its other credentials", async () => {
      const visitor = await newVisitor(service);
      const connections = service.container.resolve(ConnectionService);
      const { id } = await connections.create(
        visitor,
        {
          platform: "google-sheets",
          name: "Sales",
          credentials: {
            ...client,
            refreshToken: "revoked",
            endpointUrl: fake.url,
            keyColumns: { Sales: "Number" },
          },
        },
        { origin: "rest", userId: null, keyId: null },
      );
      const asked = { connectionId: id };
      const response = await visitor.send(
        "POST",
        "/studio/api/authorizations",
        asked,
      );
      const { url } = page.parse(await response.json());
      const finished = await finish(visitor, await answerConsent(url));
      expect(await finished.json()).to.deep.equal({ connectionId: id });
      const spreadsheet = fake.addSpreadsheet("Sales", [email], {
        Sales: [
          ["Number", "Name"],
          ["1", "Ada"],
        ],
      });
      const tables = `/api/connections/${id}/tables?baseId=${spreadsheet.id}`;
      expect(await (await visitor.get(tables)).text()).to.contain('"Number"');
      expect(await countConnections(visitor)).to.equal(1);
    });

    it("saves nothing when the person declines", async () => {
      const visitor = await newVisitor(service);
      const query = await answerConsent(await begin(visitor), {
        answer: "deny",
      });
      expect(await fail(visitor, query)).to.contain("did not give");
      expect(await countConnections(visitor)).to.equal(0);
    });

    it("names the permissions that were not ticked", async () => {
      const visitor = await newVisitor(service);
      const scopes = [sheetsScope];
      const query = await answerConsent(await begin(visitor), { scopes });
      const message = await fail(visitor, query);
      expect(message).to.contain("Google Drive").and.contain("again");
      expect(message).to.not.contain("spreadsheets");
      expect(await countConnections(visitor)).to.equal(0);
    });

    it("says how to get a refresh token when Google sends none", async () => {
      const visitor = await newVisitor(service);
      fake.accounts.consent.hasRefreshTokenAlready = true;
      const query = await answerConsent(await begin(visitor));
      const message = await fail(visitor, query);
      fake.accounts.consent.hasRefreshTokenAlready = false;
      expect(message).to.contain("myaccount.google.com/connections");
      expect(await countConnections(visitor)).to.equal(0);
    });

    it("says that the client's secret is wrong", async () => {
      const visitor = await newVisitor(service);
      const credentials = {
        ...client,
        clientSecret: "x",
        endpointUrl: fake.url,
      };
      const url = await begin(visitor, { credentials });
      const message = await fail(visitor, await answerConsent(url));
      expect(message).to.contain("client ID").and.contain("secret");
    });

    it("accepts each answer once", async () => {
      const visitor = await newVisitor(service);
      const query = await answerConsent(await begin(visitor));
      const [one, other] = await Promise.all([
        finish(visitor, query),
        finish(visitor, query),
      ]);
      expect([one.status, other.status]).to.have.members([200, 410]);
      expect(await fail(visitor, query)).to.contain("Start again");
      expect(await countConnections(visitor)).to.equal(1);
    });

    it("accepts no answer after ten minutes", async () => {
      const visitor = await newVisitor(service);
      const query = await answerConsent(await begin(visitor));
      const { organizationId } = visitor;
      const { createdAt, expiresAt } = await service.store.read.findOneByOrFail(
        ConnectionAuthorization,
        { organizationId },
      );
      expect(expiresAt.getTime() - createdAt.getTime()).to.equal(600_000);
      await service.store.unitOfWork.run((tx) =>
        tx.update(
          ConnectionAuthorization,
          { organizationId },
          { expiresAt: new Date() },
        ),
      );
      expect(await fail(visitor, query)).to.contain("Start again");
      expect(await countConnections(visitor)).to.equal(0);
    });

    it("accepts no answer from another session, person or organization", async () => {
      const visitor = await newVisitor(service);
      const query = await answerConsent(await begin(visitor));
      const others = [
        await signInAs(service, visitor),
        await newVisitor(service, "owner", visitor.organizationId),
        await newVisitor(service),
      ];
      for (const other of others) {
        expect(await fail(other, query)).to.contain("Start again");
        expect(await countConnections(other)).to.equal(0);
      }
      expect((await finish(visitor, query)).status).to.equal(200);
    });

    it("authorizes no connection of another organization, and nothing for editors", async () => {
      const visitor = await newVisitor(service);
      const finished = await finish(
        visitor,
        await answerConsent(await begin(visitor)),
      );
      const { connectionId } = saved.parse(await finished.json());
      const at = "/studio/api/authorizations";
      const stranger = await newVisitor(service);
      const foreign = await stranger.send("POST", at, { connectionId });
      expect(foreign.status).to.equal(404);
      const editor = await newVisitor(
        service,
        "editor",
        visitor.organizationId,
      );
      const refused = await editor.send("POST", at, { connectionId });
      expect(await refused.text()).to.contain("requires the role owner");
      const late = await finish(editor, new URLSearchParams("state=x&code=y"));
      expect(await late.text()).to.contain("requires the role owner");
    });

    it("checks the credentials before it asks Google", async () => {
      const visitor = await newVisitor(service);
      const at = "/studio/api/authorizations";
      const send = async (input: object) => {
        const response = await visitor.send("POST", at, {
          platform: "google-sheets",
          name: "Sales",
          ...input,
        });
        expect(response.status).to.equal(400);
        return response.text();
      };
      const incomplete = { clientId: client.clientId };
      expect(await send({ credentials: incomplete })).to.contain(
        "clientSecret",
      );
      const unknown = { ...client, colour: "red" };
      expect(await send({ credentials: unknown })).to.contain("colour");
      const both = { ...client, serviceAccount: "{}" };
      expect(await send({ credentials: both })).to.contain("service account");
      expect(await send({ credentials: client, name: "" })).to.contain(
        "$.name",
      );
      expect(
        await send({ platform: "airtable", credentials: { token: "x" } }),
      ).to.contain("Airtable");
    });
  });
});

async function finish(visitor: TestVisitor, query: URLSearchParams) {
  const at = "/studio/api/authorizations/finish";
  return visitor.send("POST", at, { query: query.toString() });
}

async function fail(
  visitor: TestVisitor,
  query: URLSearchParams,
): Promise<string> {
  const response = await finish(visitor, query);
  expect(response.status).to.be.within(400, 499);
  return refusal.parse(await response.json()).error;
}
