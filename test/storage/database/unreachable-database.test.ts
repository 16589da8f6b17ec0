import { expect } from "chai";
import { describe, it } from "mocha";
import { openStore } from "../../../core/storage/database/index.js";
import { silentLog } from "../../support/recording-log.js";

describe("a database that cannot be reached", () => {
  it("is reported without the password", async () => {
    const url = "mysql://root:sesame@127.0.0.1:1/platen";
    const error = await openStore({
      database: { kind: "mysql", url },
      migrate: true,
      log: silentLog,
    }).catch((reason: unknown) => reason);
    expect(error).to.include({ code: "unavailable" });
    expect(String(error))
      .to.include("127.0.0.1:1/platen")
      .and.include("PLATEN_DATABASE_URL")
      .and.not.include("sesame");
  });
});
