import { expect } from "chai";
import { Outbound } from "../../../core/lib/outbound/index.js";
import { silentLog } from "../../support/recording-log.js";

const outbound = (allowPrivateNetworks: string[]) =>
  new Outbound({ allowPrivateNetworks, log: silentLog });

describe("a plain http URL with a host name", () => {
  const address = "http://shop.example.com/hook";

  it("is rejected when no private network is allowed", () => {
    expect(() => outbound([]).check(address)).to.throw("requires https");
  });

  it("is accepted when a private network is allowed, until it is resolved", () => {
    const { href } = outbound(["10.0.0.0/8"]).check(address);
    expect(href).to.equal(address);
  });
});
