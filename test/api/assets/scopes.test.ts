import { expect } from "chai";
import { before, describe, it } from "mocha";
import { readError, newCaller, type TestCaller } from "../../support/caller.js";
import { useService } from "../../support/service.js";

type SendRequest = (caller: TestCaller) => Promise<Response>;

const asked: [scope: string, what: string, ask: SendRequest][] = [
  ["read", "GET assets", (c) => c.get("/api/assets")],
  ["read", "GET an asset", (c) => c.get("/api/assets/a")],
  ["read", "GET folders", (c) => c.get("/api/folders")],
  ["write", "POST assets", (c) => c.post("/api/assets", {})],
  ["write", "POST a link", (c) => c.post("/api/assets/upload-link", {})],
  ["write", "PATCH an asset", (c) => c.patch("/api/assets/a", {})],
  ["write", "DELETE an asset", (c) => c.delete("/api/assets/a")],
  ["write", "POST restore", (c) => c.post("/api/assets/a/restore", {})],
  ["write", "POST folders", (c) => c.post("/api/folders", {})],
  ["write", "PATCH a folder", (c) => c.patch("/api/folders/a", {})],
  ["write", "DELETE a folder", (c) => c.delete("/api/folders/a")],
];

describe("the scopes of the library", () => {
  const service = useService();
  const callers: Record<string, TestCaller> = {};
  before(async () => {
    for (const scope of ["read", "write"])
      callers[scope] = await newCaller(service, [`templates:${scope}`]);
  });

  for (const [scope, what, ask] of asked)
    it(`require templates:${scope} for ${what}`, async () => {
      for (const [held, caller] of Object.entries(callers)) {
        const response = await ask(caller);
        const lacks = `templates:${scope}`;
        if (held === scope)
          expect(await response.text()).not.to.contain("permission");
        else expect(await readError(response)).to.contain(lacks);
      }
    });
});
