import { expect } from "chai";
import {
  limits,
  outboundTo,
  getRejection,
  useServer,
} from "./outbound-calls.js";

const allowed = { address: "127.0.0.1", family: 4 };
const inside = { address: "127.0.0.2", family: 4 };

describe("a host that resolves to another address the second time", () => {
  const good = useServer((_request, response) => response.end("good"));
  const secret = useServer(
    (_request, response) => response.end("secret"),
    inside.address,
  );
  const answers = [allowed, inside];
  const outbound = outboundTo({
    allowPrivateNetworks: ["127.0.0.1/32"],
    resolve: async () => [answers.shift() ?? inside],
  });
  after(() => outbound.close());

  it("is resolved once per call, and the checked address is called", async () => {
    const url = `http://rebinding.test:${good.port}/`;
    const { body } = await outbound.fetch(url, limits);
    expect(body.toString()).to.equal("good");
    expect(answers).to.deep.equal([inside]);
  });

  it("is rejected when the next resolution returns a private address", async () => {
    const url = `http://rebinding.test:${secret.port}/`;
    const error = await getRejection(outbound.fetch(url, limits));
    expect(error.code).to.equal("invalid_request");
    expect(secret.requests).to.deep.equal([]);
  });
});

describe("a host with several addresses", () => {
  const secret = useServer(
    (_request, response) => response.end("secret"),
    inside.address,
  );
  const outbound = outboundTo({
    allowPrivateNetworks: ["127.0.0.1/32"],
    resolve: async () => [allowed, inside],
  });
  after(() => outbound.close());

  it("is rejected when one of them is blocked", async () => {
    const url = `http://mixed.test:${secret.port}/`;
    const error = await getRejection(outbound.fetch(url, limits));
    expect(error.message).to.contain("mixed.test is not on the public");
    expect(secret.requests).to.deep.equal([]);
  });
});
