import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import { pluginFolder } from "../support/plugin-folder.js";
import { useService } from "../support/service.js";
import { pressButton, said, useStudio, newVisitor } from "../support/studio.js";

describe("plugins in the studio", () => {
  const folder = pluginFolder(
    { name: "ledger" },
    { name: "faulty", code: 'throw new Error("no ink");' },
  );
  const { plugins } = parseConfig({ PLATEN_PLUGIN_FOLDER: folder });
  const service = useService({ config: { plugins } });
  const enter = useStudio(service);

  it("are listed with their settings and with the reason when one cannot be used", async () => {
    const { page, wrong } = await enter();
    await pressButton(page, "Plugins");
    await said(page, "It failed to load: no ink");
    await said(page, "Follows links between tables");
    const lines = await page.$$eval(".plugin", (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(lines.find((line) => line.startsWith("ledger"))).to.match(
      /version 1\.2\.3.*Ready.*tokenRequiredSecret/,
    );
    expect(wrong).to.deep.equal([]);
  });

  it("are shown only to owners", async () => {
    const { page } = await enter("editor");
    await page.goto(`${service.url}/studio/plugins`);
    await said(page, "Only owners can open this page");
    const viewer = await newVisitor(service, "viewer");
    const refused = await viewer.get("/studio/api/plugins");
    expect(await refused.text()).to.include("role owner");
  });
});
