import { expect } from "chai";
import { parseConfig } from "../../config/index.js";

const read = (text: string) =>
  parseConfig({ PLATEN_ALLOW_PRIVATE_NETWORKS: text }).outbound
    .allowPrivateNetworks;

describe("PLATEN_ALLOW_PRIVATE_NETWORKS", () => {
  it("accepts networks and single addresses", () => {
    expect(read("")).to.deep.equal([]);
    expect(read("10.0.0.0/8, fd00::/8 192.168.1.7,::1")).to.deep.equal([
      "10.0.0.0/8",
      "fd00::/8",
      "192.168.1.7/32",
      "::1/128",
    ]);
  });

  for (const text of ["10.0.0.0/33", "10.1", "localhost", "10.0.0.0/8,none"])
    it(`rejects ${text}`, () => {
      expect(() => read(text)).to.throw(`it is "${text}"`);
    });
});
