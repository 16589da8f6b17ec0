import { expect } from "chai";
import { before, beforeEach, describe, it } from "mocha";
import { eventually } from "../support/eventually.js";
import { newCaller, type TestCaller } from "../support/caller.js";
import { recordingLog } from "../support/recording-log.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import { postMessage } from "../support/tool-client.js";

describe("the log entry of a request that fails", () => {
  const { log, text } = recordingLog();
  const service = useService({ log });
  let caller: TestCaller;
  let templateId: string;
  let earlier = 0;
  before(async () => {
    caller = await newCaller(service);
    templateId = await publish(service.store, caller);
  });
  beforeEach(() => {
    earlier = text().length;
  });

  /** The entry of the one request of this test. */
  const entry = () =>
    eventually(() => {
      const line = text()
        .slice(earlier)
        .split("\n")
        .find((each) => each.includes('"msg":"request"'));
      return line !== undefined && JSON.parse(line);
    });
  const body = (more: object) => ({ templateId, formats: ["html"], ...more });

  for (const [description, act, status, code] of [
    [
      "an invalid body",
      () => caller.post("/api/export", body({ formats: ["Confidential"] })),
      400,
      "invalid_request",
    ],
    [
      "data that cannot be merged",
      () =>
        caller.post(
          "/api/export",
          body({ data: { prototype: "Confidential" } }),
        ),
      400,
      "merge_failed",
    ],
    [
      "an invalid query",
      () => caller.get("/api/templates?pageSize=Confidential"),
      400,
      "invalid_request",
    ],
    [
      "a missing resource",
      () => caller.get("/api/templates/Confidential"),
      404,
      "not_found",
    ],
    [
      "a packed message to the tool server",
      () =>
        postMessage(service.url, {
          "x-api-key": caller.key,
          "content-encoding": "br",
        }),
      400,
      "invalid_request",
    ],
  ] as const)
    it(`has error code, organization and key of ${description}`, async () => {
      expect((await act()).status).to.equal(status);
      const { organizationId, keyId } = caller;
      expect(await entry()).to.include({
        status,
        code,
        organizationId,
        keyId,
        level: "info",
      });
      const written = text().slice(earlier);
      expect(written).not.to.contain(caller.key);
      expect(await entry()).to.not.have.any.keys("body", "error", "err");
    });

  it("has the error code of a missing scope, with organization and key", async () => {
    const reader = await newCaller(service, ["templates:read"]);
    earlier = text().length;
    await reader.post("/api/folders", { name: "F", kind: "asset" });
    const { organizationId, keyId } = reader;
    expect(await entry()).to.include({
      status: 400,
      code: "forbidden",
      organizationId,
      keyId,
    });
  });

  it("has the error code alone where nobody is known", async () => {
    await fetch(`${service.url}/api/templates`, {
      headers: { "x-api-key": "wrong" },
    });
    const found = await entry();
    expect(found).to.include({ status: 401, code: "unauthorized" });
    expect(found).to.not.have.any.keys("organizationId", "keyId");
  });

  it("is not longer for a request that succeeds", async () => {
    await caller.get("/api/templates");
    expect(await entry()).to.not.have.any.keys(
      "code",
      "organizationId",
      "keyId",
    );
  });
});
