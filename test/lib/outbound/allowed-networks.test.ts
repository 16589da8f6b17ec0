import { expect } from "chai";
import {
  limits,
  outboundTo,
  getRejection,
  useServer,
} from "./outbound-calls.js";

describe("allowed private networks", () => {
  const server = useServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      response.setHeader("x-host", request.headers.host ?? "").end(body);
    });
  });
  const outbound = outboundTo();
  after(() => outbound.close());

  it("can be called, even over plain http", async () => {
    const { port } = server;
    for (const host of ["127.0.0.1", "2130706433", "[::ffff:127.0.0.1]"]) {
      const call = { ...limits, method: "POST", body: host };
      const url = `http://${host}:${port}/hook?a=b`;
      const reply = await outbound.fetch(url, call);
      expect(reply.status).to.equal(200);
      expect(reply.body.toString()).to.equal(host);
      expect(reply.headers["x-host"]).to.equal(new URL(url).host);
    }
    expect(server.requests).to.include("POST /hook?a=b");
  });

  it("do not include networks that are not listed", async () => {
    for (const url of ["http://10.0.0.1/", "http://[::1]/"]) {
      const { code } = await getRejection(outbound.fetch(url, limits));
      expect(code).to.equal("invalid_request");
    }
  });

  it("return an error when nothing listens on the port", async () => {
    const host = `127.0.0.3:${server.port}`;
    const error = await getRejection(outbound.fetch(`http://${host}/`, limits));
    expect(error.code).to.equal("unavailable");
    expect(error.message).to.equal(
      `Cannot connect to ${host}: nothing listens there.`,
    );
  });

  it("cannot be called on ports of email and other protocols", async () => {
    const url = "http://127.0.0.1:25/";
    const { message } = await getRejection(outbound.fetch(url, limits));
    expect(message).to.contain("its port is reserved for another protocol");
  });
});
