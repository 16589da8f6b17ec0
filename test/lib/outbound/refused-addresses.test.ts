import { expect } from "chai";
import { limits, outboundTo, getRejection } from "./outbound-calls.js";
import { listWords } from "../../support/rows.js";

/** None of them reaches a socket: each stands for a way to write, or to hide, an address that is not public. */
const rejected = listWords(`
  https://127.0.0.1/ https://2130706433/ https://0x7f000001/ https://0177.0.0.1/ https://127.1/ https://127.0.0.1./
  https://0/ https://10.1.2.3/ https://172.16.0.1/ https://192.168.1.1:8443/ https://100.64.0.1/
  https://100.100.100.200/latest/meta-data/ https://169.254.169.254/latest/meta-data/
  http://169.254.169.254/latest/meta-data/ https://168.63.129.16/ https://192.0.0.192/ https://192.0.2.1/
  https://198.18.0.1/ https://224.0.0.1/ https://255.255.255.255/ https://[::]/ https://[::1]/
  https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/ https://[::127.0.0.1]/ https://[fe80::1]/
  https://[fd00:ec2::254]/ https://[fec0::1]/ https://[64:ff9b::7f00:1]/ https://[64:ff9b:1::7f00:1]/
  https://[2002:7f00:1::]/ https://[2001:0:4136:e378::]/ https://[2001:db8::1]/ https://[4000::1]/ https://[ff02::1]/
`);

describe("addresses that are not public", () => {
  const outbound = outboundTo({ allowPrivateNetworks: [] });
  after(() => outbound.close());

  for (const url of rejected)
    it(`rejects ${url}`, async () => {
      const error = await getRejection(outbound.fetch(url, limits));
      expect(error.code).to.equal("invalid_request");
      expect(error.message).to.contain("PLATEN_ALLOW_PRIVATE_NETWORKS");
      expect(() => outbound.check(url)).to.throw("is not on the public");
    });

  it("rejects host names that resolve to them without revealing the address", async () => {
    const url = "https://localhost:8443/";
    const { message } = await getRejection(outbound.fetch(url, limits));
    expect(message).to.contain("localhost is not on the public internet");
    expect(message).not.to.match(/127\.0\.0\.1|::1/);
  });
});
