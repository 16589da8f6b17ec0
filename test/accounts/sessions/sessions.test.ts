import { expect } from "chai";
import { z } from "zod";
import { operator, Users } from "../../../core/accounts/index.js";
import { Session } from "../../../core/storage/database/index.js";
import { reader, readError } from "../../support/caller.js";
import { eventually } from "../../support/eventually.js";
import { freePort } from "../../support/free-port.js";
import { TestService, useService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";
import { publish, newOwner } from "../../support/store.js";
import {
  linkFor,
  newPerson,
  pressLink,
  newVisitor,
  signInAs,
  type TestVisitor,
} from "../../support/studio.js";

describe("the session cookie", () => {
  const folder = suiteFolder();
  let service: TestService;
  let here = "";

  /** The cookie of a sign-in at a service that is reached under this address. */
  async function cookieAt(baseUrl: string | null): Promise<string> {
    const port = await freePort();
    here = `http://127.0.0.1:${port}`;
    service = new TestService(folder, { config: { port, baseUrl } });
    await service.start();
    const link = await linkFor(service, await newPerson(service));
    const { pathname } = new URL(link);
    const [cookie] = (await pressLink(here + pathname)).headers.getSetCookie();
    return cookie ?? "";
  }
  after(() => service.stop());

  it("is not accessible to scripts and not sent by other sites", async () => {
    const cookie = await cookieAt(null);
    expect(cookie).to.match(/^platen_session=[\w-]{43};/);
    expect(cookie).to.match(/; path=\/;/);
    expect(cookie)
      .to.match(/; httponly/i)
      .and.match(/; samesite=lax/i);
    expect(cookie)
      .to.match(/; expires=/i)
      .and.not.match(/; secure|; domain/i);
    await service.stop();
  });

  it("is sent over https only, under a name that only this host can set", async () => {
    const cookie = await cookieAt("https://documents.example.com");
    expect(cookie).to.match(/^__Host-platen_session=/);
    expect(cookie)
      .to.match(/; path=\/;/)
      .and.match(/; secure/i);
  });
});

describe("a session in use", () => {
  const service = useService();

  it("is recorded as used, so that it does not expire", async () => {
    const { userId, ...visitor } = await newVisitor(service);
    const { read, unitOfWork } = service.store;
    const earlier = new Date(Date.now() - 10 * 60_000);
    await unitOfWork.run((tx) =>
      tx.update(Session, { userId }, { lastSeenAt: earlier }),
    );
    expect((await visitor.get("/api/templates")).status).to.equal(200);
    const noted = await eventually(async () => {
      const { lastSeenAt } = await read.findOneByOrFail(Session, { userId });
      return lastSeenAt > earlier && lastSeenAt;
    });
    expect(noted.getTime()).to.be.above(Date.now() - 5 * 60_000);
  });
});

const sessions = reader(
  z.array(
    z.strictObject({
      id: z.string(),
      userAgent: z.string(),
      createdAt: z.iso.datetime(),
      lastSeenAt: z.iso.datetime(),
      expiresAt: z.iso.datetime(),
      isCurrent: z.boolean(),
    }),
  ),
);

describe("a user's sessions", () => {
  const service = useService();

  it("are listed, and one request ends all others", async () => {
    const person = await newPerson(service, "viewer");
    const [here, there] = [
      await signInAs(service, person),
      await signInAs(service, person),
    ];
    const all = await sessions(await here.get("/studio/api/sessions"));
    expect(all.map(({ isCurrent }) => isCurrent)).to.have.members([
      true,
      false,
    ]);
    const ended = await here.send("DELETE", "/studio/api/sessions");
    expect(ended.status).to.equal(204);
    expect((await there.get("/studio/api/me")).status).to.equal(401);
    expect((await here.get("/studio/api/me")).status).to.equal(200);
  });

  it("end one by one, without access to those of other users", async () => {
    const person = await newPerson(service, "viewer");
    const here = await signInAs(service, person);
    const stranger = await newVisitor(service);
    const [own] = await sessions(await here.get("/studio/api/sessions"));
    const path = `/studio/api/sessions/${own?.id}`;
    expect((await stranger.send("DELETE", path)).status).to.equal(404);
    expect((await here.send("DELETE", path)).status).to.equal(204);
    expect((await here.get("/api/templates")).status).to.equal(401);
  });

  it("end when the user signs out, which deletes the cookie too", async () => {
    const here = await newVisitor(service);
    const out = await here.send("POST", "/studio/api/sign-out");
    expect(out.headers.getSetCookie()[0]).to.match(/platen_session=;.*1970/);
    expect((await here.get("/studio/api/me")).status).to.equal(401);
  });

  for (const [why, column] of [
    ["when they expire", "expires_at"],
    ["when they are idle", "last_seen_at"],
  ] as const)
    it(`end ${why}`, async () => {
      const here = await newVisitor(service);
      await service.store.unitOfWork.run((tx) =>
        tx.query(
          `UPDATE session SET ${column} = '2020-01-01 00:00:00.000' WHERE user_id = ?`,
          [here.userId],
        ),
      );
      expect((await here.get("/studio/api/me")).status).to.equal(401);
    });
});

describe("a request with a session cookie that changes something", () => {
  const service = useService();
  let visitor: TestVisitor;
  let templateId: string;
  before(async () => {
    visitor = await newVisitor(service);
    templateId = await publish(service.store, visitor);
  });
  const change = (headers: Record<string, string>) =>
    fetch(`${service.url}/api/templates/${templateId}`, {
      method: "PATCH",
      headers: {
        cookie: visitor.cookie,
        "content-type": "application/json",
        ...headers,
      },
      body: '{ "isFavorite": true }',
    });
  const ours = { "x-platen-app": "studio" };

  it("is accepted from the service's own page", async () => {
    for (const proof of [
      { "sec-fetch-site": "same-origin" },
      { origin: service.url },
      { "sec-fetch-site": "same-origin", origin: "null" },
      {},
    ])
      expect((await change({ ...ours, ...proof })).status).to.equal(200);
  });

  it("is rejected from another site, whatever its headers claim", async () => {
    for (const proof of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { "sec-fetch-site": "cross-site", origin: service.url },
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `${service.url}.evil.example` },
    ]) {
      const response = await change({ ...ours, ...proof });
      expect(response.status, JSON.stringify(proof)).to.equal(409);
      expect(await readError(response)).to.contain("another site");
    }
  });

  it("is rejected without the header that only the service's scripts can send", async () => {
    const response = await change({ "sec-fetch-site": "same-origin" });
    expect(response.status).to.equal(409);
    expect(await readError(response)).to.contain("x-platen-app");
  });

  it("needs neither with an API key, which no page sends by itself", async () => {
    const made = await visitor.send("POST", "/studio/api/keys", {
      name: "Shop",
      scopes: ["templates:write"],
    });
    const { key } = z.object({ key: z.string() }).parse(await made.json());
    const response = await change({ "x-api-key": key, cookie: "" });
    expect(response.status).to.equal(200);
  });

  it("cannot sign in a user from another site either", async () => {
    const response = await fetch(`${service.url}/studio/sign-in/x`, {
      method: "POST",
      headers: { "sec-fetch-site": "cross-site" },
    });
    expect(response.status).to.equal(409);
  });
});

describe("a request with its page's user and organization", () => {
  const service = useService();
  let visitor: TestVisitor;
  let templateId: string;
  let elsewhere: string;
  before(async () => {
    const person = await newPerson(service);
    const other = await newOwner(service.store);
    elsewhere = other.organizationId;
    const asOwner = {
      name: "Ada",
      email: person.email,
      role: "owner",
    } as const;
    await new Users(service.store).create(elsewhere, asOwner, operator);
    visitor = await signInAs(service, person);
    templateId = await publish(service.store, visitor);
  });
  const ask = (owner: string, method: string, path: string, body?: object) =>
    fetch(service.url + path, {
      method,
      headers: {
        cookie: visitor.cookie,
        "content-type": "application/json",
        "x-platen-app": "studio",
        "x-platen-visitor": owner,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const all = (owner: string) =>
    Promise.all([
      ask(owner, "PATCH", `/api/templates/${templateId}`, { name: "New" }),
      ask(owner, "GET", "/api/templates"),
      ask(owner, "GET", `/studio/api/drafts/${templateId}`),
      ask(owner, "GET", "/studio/api/me"),
      ask(owner, "POST", "/studio/api/people", {}),
    ]);

  it("is accepted when the page belongs to the signed-in user", async () => {
    const { userId, organizationId } = visitor;
    const owner = `${userId}/${organizationId}`;
    const statuses = (await all(owner)).map(({ status }) => status);
    expect(statuses).to.deep.equal([200, 200, 200, 200, 400]);
  });

  it("is rejected from a page of another user or organization", async () => {
    const { userId, organizationId } = visitor;
    const { userId: strangerId } = await newOwner(service.store);
    for (const owner of [
      `${strangerId}/${organizationId}`,
      `${userId}/${elsewhere}`,
      userId,
      "nobody",
    ])
      for (const response of await all(owner)) {
        expect(response.status, owner).to.equal(412);
        expect(await readError(response)).to.contain("in another tab");
      }
  });

  it("changes nothing after switching to another organization", async () => {
    const { userId, organizationId } = visitor;
    const here = `${userId}/${organizationId}`;
    const there = { organizationId: elsewhere };
    await visitor.send("POST", "/studio/api/me/organization", there);
    const name = { name: "From the old page" };
    const created = await ask(here, "POST", "/api/folders", {
      ...name,
      kind: "template",
    });
    expect(created.status).to.equal(412);
    const folders = await visitor.get("/api/folders?kind=template");
    expect(await folders.text()).to.not.contain(name.name);
  });
});
