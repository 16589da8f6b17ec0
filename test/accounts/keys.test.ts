import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { parseConfig } from "../../config/index.js";
import {
  CallerCache,
  operator,
  requireScope,
  SCOPES,
} from "../../core/accounts/index.js";
import { newId, type Store } from "../../core/storage/database/index.js";
import { getKeys, json, newCaller, refusal } from "../support/caller.js";
import { useFixedTime } from "../support/clock.js";
import { withRows } from "../support/rows.js";
import { type TestService, useService } from "../support/service.js";
import { cliOn } from "../support/store-cli.js";
import {
  anyDatabase,
  createAccounts,
  eachDatabase,
  getRefusal,
  newOrganization,
} from "../support/store.js";
import { newVisitor } from "../support/studio.js";
import { postMessage } from "../support/tool-client.js";

anyDatabase((open) => {
  describe("an API key", () => {
    const time = useFixedTime();
    let store: Store;
    let accounts: ReturnType<typeof createAccounts>;
    let organizationId: string;
    before(async () => {
      store = await open();
      accounts = createAccounts(store);
      organizationId = await newOrganization(store, "pro");
    });
    const create = (input: object = {}) =>
      accounts.keys.create(
        organizationId,
        { scopes: ["documents:read"], ...input },
        operator,
      );
    const authenticate = (key?: string) =>
      accounts.authenticator.authenticate(key);

    it("has 256 bits after the prefix plk_, and is listed and stored without them", async () => {
      const { id, key, prefix } = await create({ name: "Shop" });
      expect(key).to.match(/^plk_[\w-]{43}$/);
      expect(key.startsWith(prefix)).to.equal(true);
      const listed = await accounts.keys.list(organizationId);
      expect(listed.at(-1)).to.include({ id, name: "Shop", prefix });
      const rows = await store.read.query("SELECT * FROM api_key");
      expect(JSON.stringify([listed, rows])).to.not.include(key);
      expect(listed.at(-1)).to.not.have.any.keys("key", "hash");
    });

    it("identifies its organization, user and scopes", async () => {
      const { id: keyId, key, userId } = await create();
      expect(await authenticate(key)).to.deep.equal({
        organizationId,
        plan: "pro",
        userId,
        keyId,
        requestsPerMinute: null,
        scopes: ["documents:read"],
      });
    });

    const valid = `Valid scopes: ${SCOPES.join(", ")}.`;
    const stranger = newId();
    const inputs: Record<string, object> = {
      "unknown scopes": { scopes: ["document:read", "everything"] },
      "no scope": { scopes: [] },
      "a past expiry": { expiresAt: new Date(0) },
      "a user of nobody": { userId: stranger },
      "an empty name and no request": { name: " ", requestsPerMinute: 0 },
      "a name and a limit that are too large": {
        name: "x".repeat(201),
        requestsPerMinute: 1_000_001,
      },
    };
    for (const [what, input, error] of withRows(
      inputs,
      `
      unknown scopes | invalid_request "document:read" is not a valid scope; did you mean documents:read? "everything" is not a valid scope; valid scopes are ${SCOPES.join(", ")}. ${valid}
      no scope | invalid_request A key needs at least one scope. ${valid}
      a past expiry | invalid_request A key cannot expire in the past: give a later time, such as 2030-12-31T00:00:00Z.
      a user of nobody | not_found The organization has no user ${stranger}.
      an empty name and no request | invalid_request name must not be empty. requestsPerMinute must be at least 1.
      a name and a limit that are too large | invalid_request name must be at most 200 characters long. requestsPerMinute must be at most 1000000.`,
    ))
      it(`is not created with ${what}`, async () => {
        expect(await getRefusal(create(input))).to.equal(error);
      });

    it("is refused when it is missing or unknown, without being repeated", async () => {
      const none = "No API key was sent. Send one in the header x-api-key.";
      for (const [key, words] of [
        [undefined, none],
        ["", none],
        ["plk_x", "Unknown API key. Check that you sent the complete key."],
        [
          "plo_unknown",
          "Access tokens of assistants are valid at /mcp alone, in the header Authorization. Send an API key.",
        ],
      ] as const)
        expect(await getRefusal(authenticate(key))).to.equal(
          `unauthorized ${words}`,
        );
    });

    it("is listed and revoked by its own organization, the oldest first", async () => {
      const own = await newOrganization(store);
      const other = await newOrganization(store);
      const views = [];
      for (const name of ["one", "two", "three"]) {
        const input = { name, scopes: ["all"] };
        const { key, ...view } = await accounts.keys.create(
          own,
          input,
          operator,
        );
        expect(key.startsWith(view.prefix)).to.equal(true);
        views.push(view);
        time.advance(1);
      }
      expect(await accounts.keys.list(own)).to.deep.equal(views);
      expect(await accounts.keys.list(other)).to.deep.equal([]);
      const [{ id } = { id: "" }] = views;
      const revoke = (by: string) => accounts.keys.revoke(id, operator, by);
      expect(await getRefusal(revoke(other))).to.equal(
        `not_found There is no key ${id}.`,
      );
      expect(await accounts.keys.list(own)).to.deep.equal(views);
      expect((await revoke(own)).revokedAt).to.be.a("string");
    });

    it("is found ended when it was revoked, has expired or never existed", async () => {
      const expiresAt = new Date(time.now() + 1000);
      const live = await create();
      const revoked = await create();
      const expiring = await create({ expiresAt });
      await accounts.keys.revoke(revoked.id, operator);
      const ids = [live.id, revoked.id, expiring.id, newId()];
      const findEnded = (now: Date) => accounts.keys.findEnded(ids, now);
      expect(await findEnded(new Date(time.now() + 999))).to.deep.equal(
        new Set([ids[1], ids[3]]),
      );
      expect(await findEnded(expiresAt)).to.deep.equal(new Set(ids.slice(1)));
    });

    it("is refused as soon as it is revoked, for which a second time makes no difference", async () => {
      const { id, key } = await create();
      await authenticate(key);
      const first = await accounts.keys.revoke(id, operator);
      expect(await getRefusal(authenticate(key))).to.equal(
        "unauthorized This API key was revoked. Ask for a new one.",
      );
      expect(await accounts.keys.revoke(id, operator)).to.deep.equal(first);
      for (const unknown of [newId(), "no id"])
        expect(
          await getRefusal(accounts.keys.revoke(unknown, operator)),
        ).to.equal(`not_found There is no key ${unknown}.`);
    });

    it("is accepted until it expires, and then refused with the time", async () => {
      const expiresAt = new Date("2099-01-01T00:00:00Z");
      const { key } = await create({ expiresAt });
      await authenticate(key);
      time.advance(expiresAt.getTime() - time.now());
      expect(await getRefusal(authenticate(key))).to.equal(
        "unauthorized This API key expired at 2099-01-01T00:00:00.000Z. Ask for a new one.",
      );
    });

    it("is not remembered when it is revoked during its lookup, which may have read it before", async () => {
      const callers = new CallerCache();
      const cached = { ...caller, expiresAt: null };
      await callers.fill("hash", async () => {
        callers.forget("hash");
        return cached;
      });
      expect(callers.get("hash")).to.equal(undefined);
      await callers.fill("hash", async () => cached);
      expect(callers.get("hash")).to.equal(cached);
    });
  });
});

const caller = {
  organizationId: "o",
  plan: "free",
  userId: "u",
  keyId: "k",
  requestsPerMinute: null,
  scopes: ["templates:read"],
} as const;

describe("requireScope", () => {
  it("accepts a scope that the caller has, and says of another one where it would come from", () => {
    requireScope(caller, "templates:read");
    const lacks = "This needs a key with the scope documents:write; this key's";
    for (const [who, message] of [
      [caller, `${lacks} scopes are: templates:read.`],
      [{ ...caller, scopes: [] }, `${lacks} scopes are: none.`],
      [
        { ...caller, keyId: null },
        "Your role does not allow this; it would need the permission documents:write. Ask an owner of the organization for another role.",
      ],
      [
        { ...caller, isAssistant: true as const },
        "This needs the permission documents:write; this connection's permissions are: templates:read. Connect the assistant again and allow it, with a role that includes it.",
      ],
    ] as const)
      expect(() => requireScope(who, "documents:write"))
        .to.throw()
        .that.includes({ code: "forbidden", status: 400, message });
  });
});

eachDatabase((open) => {
  describe("a key's last use", () => {
    const time = useFixedTime();

    it("is recorded once a minute, by whichever process is first", async () => {
      const store = await open();
      const { keys } = createAccounts(store);
      const organizationId = await newOrganization(store);
      const scopes = ["templates:read"];
      const { key } = await keys.create(organizationId, { scopes }, operator);
      const lastUse = async () => {
        // Behind the write that notes the use.
        await store.unitOfWork.run(async () => undefined);
        return (await keys.list(organizationId))[0]?.lastUsedAt;
      };
      const use = async () => {
        const other: Store = await open();
        await createAccounts(other).authenticator.authenticate(key);
        await other.close();
        return lastUse();
      };
      expect(await lastUse()).to.equal(null);
      const first = await use();
      expect(first).to.be.a("string");
      time.advance(59_000);
      expect(await use()).to.equal(first);
      time.advance(2000);
      expect(Date.parse((await use()) ?? "")).to.equal(
        Date.parse(first ?? "") + 61_000,
      );
    });
  });
});

async function createBoundKey(
  service: TestService,
  ...networks: string[]
): Promise<string> {
  const { organizationId } = await newCaller(service);
  const input = { scopes: SCOPES, networks };
  return (await getKeys(service).create(organizationId, input, operator)).key;
}

const ask = (service: TestService, key: string, forwarded?: string) =>
  fetch(`${service.url}/api/templates`, {
    headers: {
      "x-api-key": key,
      ...(forwarded !== undefined && { "x-forwarded-for": forwarded }),
    },
  });

describe("a key that is bound to networks", () => {
  const service = useService();

  it("works from them", async () => {
    const key = await createBoundKey(service, "10.0.0.0/8", "127.0.0.1");
    expect((await ask(service, key)).status).to.equal(200);
    const tools = await postMessage(service.url, { "x-api-key": key });
    expect(tools.status).to.equal(200);
  });

  it("is refused from elsewhere, by REST and the tool server, with the address, whatever X-Forwarded-For claims", async () => {
    const key = await createBoundKey(service, "10.0.0.0/8", "fd00::/8");
    const authorization = `Bearer ${key}`;
    for (const answer of [
      ask(service, key),
      ask(service, key, "10.0.0.1"),
      ask(service, key, "10.0.0.1, 10.0.0.2"),
      ask(service, key, "127.0.0.1,10.0.0.1"),
      postMessage(service.url, { authorization }),
      fetch(`${service.url}/sse?apiKey=${key}`),
    ])
      expect(await refusal(answer)).to.match(/^403 .*127\.0\.0\.1/);
  });

  it("is created by owners in the studio and on the command line, and listed with them", async () => {
    const owner = await newVisitor(service);
    const create = (more: object = {}) =>
      owner.send("POST", "/studio/api/keys", {
        name: "Office",
        scopes: ["templates:read"],
        expiresAt: null,
        ...more,
      });
    const networks = ["203.0.113.0/24", "2001:db8::1"];
    const { key, ...info } = await json<{
      key: string;
      id: string;
      createdAt: string;
    }>(create({ networks }), 201);
    const { id, createdAt, ...others } = info;
    expect(new Date(createdAt).toISOString()).to.equal(createdAt);
    expect(others).to.deep.equal({
      name: "Office",
      prefix: key.slice(0, 12),
      scopes: ["templates:read"],
      networks: ["203.0.113.0/24", "2001:db8::1/128"],
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    });
    const { keys } = await json<{ keys: object[] }>(
      owner.get("/studio/api/keys"),
    );
    expect(keys).to.deep.equal([info]);
    expect(id).to.match(/^[\da-f-]{36}$/);
    expect((await ask(service, key)).status).to.equal(403);
    expect(await json(create(), 201)).to.include({ networks: null });
    expect(await refusal(create({ networks: ["the office"] }))).to.match(
      /^400 .*Not a network: "the office"/,
    );
    const createByCli = (network: string) =>
      cliOn(service.dataFolder)(
        "key",
        "create",
        `--org=${owner.organizationId}`,
        "--scopes=all",
        `--networks=${network}`,
        "--json",
      );
    const made = await createByCli("10.0.0.0/8");
    expect(JSON.parse(made.stdout).networks).to.deep.equal(["10.0.0.0/8"]);
    const { code, stderr } = await createByCli("10.0.0.0/40");
    expect(code).to.equal(1);
    expect(stderr).to.match(/Not a network: .*10\.0\.0\.0\/40/);
  });
});

describe("behind a trusted proxy", () => {
  const { trustedProxies } = parseConfig({
    PLATEN_TRUSTED_PROXIES: "127.0.0.1, 192.0.2.0/24",
  });
  useFixedTime();
  const service = useService({ config: { trustedProxies } });

  it("a key that is bound to networks is judged by the last address that no trusted proxy has", async () => {
    const networks = ["198.51.100.0/24", "2001:db8::/32"];
    const key = await createBoundKey(service, ...networks);
    for (const [forwarded, status] of [
      ["198.51.100.7", 200],
      ["198.51.100.7:51234", 200],
      ["[2001:db8::9]:443", 200],
      ["::ffff:198.51.100.7", 200],
      ["203.0.113.5, 198.51.100.7", 200],
      ["198.51.100.7, 192.0.2.8", 200],
      ["198.51.100.7, 192.0.2.8, 192.0.2.9", 200],
      ["198.51.100.7, 203.0.113.5", 403],
      ["198.51.100.7, 203.0.113.5, 192.0.2.8", 403],
      ["198.51.100.7, unknown", 403],
      ["", 403],
      ["192.0.2.8", 403],
      [undefined, 403],
    ] as const) {
      const answer = await ask(service, key, forwarded);
      expect(answer.status, forwarded).to.equal(status);
    }
  });

  it("it is judged by all X-Forwarded-For headers together", async () => {
    const key = await createBoundKey(service, "198.51.100.0/24");
    const send = async (...addresses: string[]) => {
      const forwarded = addresses.flatMap((one) => ["x-forwarded-for", one]);
      const { host } = new URL(service.url);
      const sent = request(`${service.url}/api/templates`, {
        headers: ["host", host, "x-api-key", key, ...forwarded],
      }).end();
      const [response] = await once(sent, "response");
      await text(response);
      return response.statusCode;
    };
    expect(await send("198.51.100.7")).to.equal(200);
    expect(await send("198.51.100.7", "203.0.113.5")).to.equal(403);
  });

  const attempt = async (forwarded: string) =>
    (
      await fetch(`${service.url}/studio/sign-in/${"x".repeat(43)}`, {
        method: "POST",
        redirect: "manual",
        headers: { "x-forwarded-for": forwarded },
      })
    ).status;

  it("attempts to sign in are counted by the client's address, so that nobody locks out others", async () => {
    const attempts = Array.from({ length: 31 }, () => attempt("203.0.113.5"));
    expect(await Promise.all(attempts)).to.include(429);
    expect(await attempt("203.0.113.6")).to.equal(303);
  });
});
