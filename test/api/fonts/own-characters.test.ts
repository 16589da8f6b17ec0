import { expect } from "chai";
import { describe, it } from "mocha";
import { newCaller } from "../../support/caller.js";
import { exported, useService } from "../../support/service.js";
import { addAsset, shiftedFont } from "../../support/assets.js";
import { publish } from "../../support/store.js";

describe("a character that only an organization's own font contains", () => {
  const service = useService();

  it("is not reported as missing when the document names that font", async () => {
    const caller = await newCaller(service);
    await addAsset(service, caller, "signs.ttf", await shiftedFont());
    const warnings = async (style: object) => {
      const components = [{ type: "text", text: "\uE041", style }];
      const templateId = await publish(service.store, caller, {
        definition: { schema: [], components },
      });
      const job = { templateId, formats: ["pdf"] };
      return (await exported(caller, job)).headers.get("x-render-warnings");
    };
    expect(await warnings({})).to.equal("1");
    expect(await warnings({ "font-family": "Acme Hands" })).to.equal("0");
  });
});
