import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { PlatformError } from "../../../core/plugin-api/index.js";
import { findOperatorFile } from "../../../core/integrations/host/call-context.js";
import { Outbound } from "../../../core/lib/outbound/index.js";
import { suiteFolder } from "../../support/store-folder.js";
import { silentLog } from "../../support/recording-log.js";

describe("a plugin that opens its own connections", () => {
  const folder = suiteFolder();
  const outbound = new Outbound({
    allowPrivateNetworks: ["10.1.0.0/16"],
    log: silentLog,
    resolve: (host) =>
      Promise.resolve([
        { address: host === "inside" ? "10.1.2.3" : "10.9.9.9", family: 4 },
      ]),
  });

  it("gets the address of a host that it may call", async () => {
    expect(await outbound.addressOf("inside")).to.equal("10.1.2.3");
  });

  for (const host of ["elsewhere", "127.0.0.1", "[::1]", "169.254.169.254"])
    it(`may not connect to ${host}`, async () => {
      const answer = await outbound.addressOf(host).catch(String);
      expect(answer).to.include("not on the public internet");
    });

  it("finds files of the operator's folder by name, and none outside it", () => {
    writeFileSync(join(folder, "shop.sqlite"), "");
    expect(findOperatorFile(folder, "shop.sqlite")).to.equal(
      join(folder, "shop.sqlite"),
    );
    for (const name of ["../shop.sqlite", "/etc/passwd", "..", "other.db"])
      expect(() => findOperatorFile(folder, name)).to.throw(PlatformError);
    expect(() => findOperatorFile(undefined, "shop.sqlite")).to.throw(
      PlatformError,
    );
  });
});
