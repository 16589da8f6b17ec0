import { expect } from "chai";
import { describe, it } from "mocha";
import { Outbound } from "../../../core/lib/outbound/index.js";
import { silentLog } from "../../support/store-log.js";

const outbound = (allowPrivateNetworks: string[]) =>
  new Outbound({ allowPrivateNetworks, log: silentLog });

describe("a plain http address with a host's name", () => {
  const address = "http://shop.example.com/hook";

  it("is refused at once where no network of one's own is allowed", () => {
    expect(() => outbound([]).check(address)).to.throw("requires https");
  });

  it("may lead into a network that is allowed, which its look-up will tell", () => {
    const { href } = outbound(["10.0.0.0/8"]).check(address);
    expect(href).to.equal(address);
  });
});
