import { expect } from "chai";
import {
  limits,
  outboundTo,
  getRejection,
  useServer,
} from "./outbound-calls.js";

describe("redirects", () => {
  const secret = useServer(
    (_request, response) => response.end("secret"),
    "127.0.0.2",
  );
  const server = useServer((request, response) => {
    const targets: Record<string, string> = {
      "/inside": `http://127.0.0.2:${secret.port}/`,
      "/metadata": "https://169.254.169.254/latest/meta-data/",
      "/file": "file:///etc/passwd",
      "/relative": "/end",
      "/round": "/round",
      "/nowhere": "http://[",
      "/elsewhere": `http://localhost:${server.port}/end`,
    };
    const location = targets[request.url ?? ""];
    if (location) response.writeHead(302, { location }).end("moved");
    else response.end(request.headers["x-key"] ?? "no key");
  });
  const outbound = outboundTo({ allowPrivateNetworks: ["127.0.0.1/32"] });
  after(() => outbound.close());

  const at = (path: string) => `http://127.0.0.1:${server.port}${path}`;
  const following = { ...limits, maxRedirects: 3 };

  for (const path of ["/inside", "/metadata", "/file", "/nowhere"])
    it(`are checked like the first URL: ${path}`, async () => {
      const error = await getRejection(outbound.fetch(at(path), following));
      expect(error.code).to.equal("invalid_request");
      expect(secret.requests).to.deep.equal([]);
    });

  it("are followed up to the limit", async () => {
    const reply = await outbound.fetch(at("/relative"), following);
    expect(reply.url).to.equal(at("/end"));
    const { message } = await getRejection(
      outbound.fetch(at("/round"), following),
    );
    expect(message).to.contain("more than 3 times");
  });

  it("are returned as replies by default", async () => {
    const { status, headers, body } = await outbound.fetch(
      at("/inside"),
      limits,
    );
    expect(status).to.equal(302);
    expect(headers["location"]).to.contain("127.0.0.2");
    expect(body.toString()).to.equal("moved");
  });

  it("keep the caller's headers only on the same host", async () => {
    const call = { ...following, headers: { "x-key": "a key" } };
    const same = await outbound.fetch(at("/relative"), call);
    expect(same.body.toString()).to.equal("a key");
    const own = outboundTo({
      allowPrivateNetworks: ["127.0.0.0/8", "::1/128"],
    });
    const other = await own.fetch(at("/elsewhere"), call);
    expect(other.body.toString()).to.equal("no key");
    await own.close();
  });
});
