import { expect } from "chai";
import { describe, it } from "mocha";
import { SCOPES, type Scope } from "../../core/accounts/index.js";
import { readError, newCaller, type TestCaller } from "../support/caller.js";
import { useService } from "../support/service.js";

type SendRequest = (caller: TestCaller) => Promise<Response>;

const endpoints: [name: string, needed: Scope, ask: SendRequest][] = [
  ["GET /api/templates", "templates:read", (c) => c.get("/api/templates")],
  [
    "GET /api/templates/:id",
    "templates:read",
    (c) => c.get("/api/templates/a"),
  ],
  [
    "GET …/versions",
    "templates:read",
    (c) => c.get("/api/templates/a/versions"),
  ],
  [
    "GET …/:versionId",
    "templates:read",
    (c) => c.get("/api/templates/a/ver_b"),
  ],
  [
    "PATCH /api/templates/:id",
    "templates:write",
    (c) => c.patch("/api/templates/a", {}),
  ],
  [
    "POST /api/export",
    "documents:write",
    (c) => c.post("/api/export", { templateId: "a", formats: ["html"] }),
  ],
  [
    "POST …/write-back of a batch",
    "documents:write",
    (c) => c.post("/api/batches/a/write-back", {}),
  ],
  ["GET /api/documents", "documents:read", (c) => c.get("/api/documents")],
  [
    "GET /api/documents/:id",
    "documents:read",
    (c) => c.get("/api/documents/a"),
  ],
  ["GET /api/webhooks", "webhooks:read", (c) => c.get("/api/webhooks")],
  ["GET /api/webhooks/:id", "webhooks:read", (c) => c.get("/api/webhooks/a")],
  [
    "GET …/deliveries",
    "webhooks:read",
    (c) => c.get("/api/webhooks/a/deliveries"),
  ],
  [
    "GET …/deliveries/:deliveryId",
    "webhooks:read",
    (c) => c.get("/api/webhooks/a/deliveries/b"),
  ],
  [
    "PATCH /api/webhooks/:id",
    "webhooks:write",
    (c) => c.patch("/api/webhooks/a", {}),
  ],
  [
    "DELETE /api/webhooks/:id",
    "webhooks:write",
    (c) => c.delete("/api/webhooks/a"),
  ],
  ["POST …/test", "webhooks:write", (c) => c.post("/api/webhooks/a/test", {})],
  [
    "POST …/rotate-secret",
    "webhooks:write",
    (c) => c.post("/api/webhooks/a/rotate-secret", {}),
  ],
  [
    "POST …/replay",
    "webhooks:write",
    (c) => c.post("/api/webhooks/a/replay", { since: "2026-01-01T00:00:00Z" }),
  ],
  [
    "POST …/deliveries/:deliveryId/replay",
    "webhooks:write",
    (c) => c.post("/api/webhooks/a/deliveries/b/replay", {}),
  ],
  ["GET /api/platforms", "connections:read", (c) => c.get("/api/platforms")],
  [
    "GET /api/esign-providers",
    "connections:read",
    (c) => c.get("/api/esign-providers"),
  ],
  [
    "GET /api/connections/:id",
    "connections:read",
    (c) => c.get("/api/connections/a"),
  ],
  [
    "DELETE /api/connections/:id",
    "connections:write",
    (c) => c.delete("/api/connections/a"),
  ],
  [
    "POST …/test of a connection",
    "connections:write",
    (c) => c.post("/api/connections/a/test", {}),
  ],
];

describe("the scopes of a key", () => {
  const service = useService();
  const callers = new Map<string, Promise<TestCaller>>();
  const callerWith = (scopes: readonly string[]): Promise<TestCaller> => {
    const known = callers.get(scopes.join());
    if (known) return known;
    const fresh = newCaller(service, scopes);
    callers.set(scopes.join(), fresh);
    return fresh;
  };

  for (const [name, needed, ask] of endpoints)
    it(`must include ${needed} for ${name}, or the response is a 400 that names it`, async () => {
      const others = SCOPES.filter((scope) => scope !== needed);
      const rejected = await ask(await callerWith(others));
      expect(rejected.status).to.equal(400);
      expect(await readError(rejected)).to.contain(`scope ${needed}`);
      const allowed = await ask(await callerWith([needed]));
      expect(allowed.status).to.be.oneOf([200, 404]);
    });
});
