import { expect } from "chai";
import { limits, outboundTo, getRejection } from "./outbound-calls.js";

const publicAddress = async () => [{ address: "93.184.216.34", family: 4 }];

describe("invalid URLs", () => {
  const outbound = outboundTo({
    ownUrl: new URL("https://documents.example.com/platen"),
    resolve: publicAddress,
  });
  after(() => outbound.close());

  const cases: [url: string, says: string][] = [
    ["ftp://example.com/", "must start with https://"],
    ["file:///etc/passwd", "must start with https://"],
    ["gopher://127.0.0.1:6379/_INFO", "must start with https://"],
    ["example.com", "must start with https://"],
    ["https://user:word@example.com/", "name or password"],
    ["https://127.0.0.1@example.com/", "name or password"],
    ["http://example.com/", "requires https"],
    ["http://93.184.216.34/", "requires https"],
    ["https://documents.example.com/api", "this service itself"],
    ["https://DOCUMENTS.example.com.:443/", "this service itself"],
  ];
  for (const [url, message] of cases)
    it(`rejects ${url}`, async () => {
      const error = await getRejection(outbound.fetch(url, limits));
      expect(error.code).to.equal("invalid_request");
      expect(error.message).to.contain(message);
    });

  it("accepts another port of its own host", () => {
    const url = "https://documents.example.com:8443/hook";
    expect(outbound.check(url).href).to.equal(url);
  });
});
