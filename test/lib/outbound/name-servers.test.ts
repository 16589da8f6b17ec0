import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { expect } from "chai";
import { createSystemResolver } from "../../../core/lib/outbound/addresses.js";

/** Knows one name, and says nothing when it is asked for `silent.test`. */
function answerTo(question: Buffer): Buffer | null {
  if (question.includes("silent")) return null;
  const isKnown = question.includes("known");
  const isIpv4 = question.at(-3) === 1;
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
  const answer = Buffer.from("c00c00010001000000010004c0000207", "hex");
  const answers = isKnown && isIpv4 ? [answer] : [];
  head.writeUInt16BE(answers.length, 6);
  head.writeUInt16BE(0, 10);
  return Buffer.concat([head, questionIn(question), ...answers]);
}

/** Without what may follow it. */
function questionIn(message: Buffer): Buffer {
  return message.subarray(12, message.indexOf(0, 12) + 5);
}

describe("host names", () => {
  const socket = createSocket("udp4");
  const servers = new Resolver();
  const resolve = createSystemResolver(servers);
  const shortTimeout = new Resolver({ timeout: 50, tries: 1 });

  before(async () => {
    socket.on("message", (message, { port, address }) => {
      const question = Buffer.concat([
        message.subarray(0, 12),
        questionIn(message),
      ]);
      const response = answerTo(question);
      if (response) socket.send(response, port, address);
    });
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    for (const one of [servers, shortTimeout])
      one.setServers([`127.0.0.1:${socket.address().port}`]);
  });
  after(() => socket.close());

  it("are resolved by the name servers", async () => {
    expect(await resolve("known.test")).to.deep.equal([
      { address: "192.0.2.7", family: 4 },
    ]);
  });

  it("are resolved by the system when the name servers do not know them", async () => {
    const addresses = await resolve("localhost");
    expect(addresses.map(({ address }) => address)).to.include("127.0.0.1");
  });

  it("fail when the name servers do not respond, in any number", async () => {
    const resolveSilent = createSystemResolver(shortTimeout);
    const lookups = Array.from({ length: 8 }, () =>
      resolveSilent("silent.test"),
    );
    for (const result of await Promise.allSettled(lookups))
      expect(result).to.deep.include({ status: "rejected" });
  });
});
