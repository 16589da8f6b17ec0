import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../support/service.js";

describe("a request id", () => {
  const service = useService();
  const fetchRequestId = async (requestId?: string) => {
    const headers =
      requestId === undefined ? {} : { "x-request-id": requestId };
    const response = await fetch(`${service.url}/health/live`, { headers });
    return response.headers.get("x-request-id");
  };

  it("is the caller's when it is valid", async () => {
    expect(await fetchRequestId("order-4711:a.b_c")).to.equal(
      "order-4711:a.b_c",
    );
  });

  it("is generated otherwise", async () => {
    const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
    for (const requestId of [
      undefined,
      "short",
      "a b c d e f g h",
      "x".repeat(65),
    ])
      expect(await fetchRequestId(requestId)).to.match(uuid);
    expect(await fetchRequestId()).not.to.equal(await fetchRequestId());
  });
});
