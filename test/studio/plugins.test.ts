import { expect } from "chai";
import { describe, it } from "mocha";
import * as tokens from "../../core/app/tokens.js";
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

  it("that ended the plugin host are shown with the reason, and disabled ones can be enabled", async () => {
    const failures = service.container.resolve(tokens.PLUGIN_FAILURES);
    const ledger = { kind: "platform", id: "ledger" };
    await failures.record(ledger, "it called process.exit(3)");
    const { page, wrong } = await enter();
    await pressButton(page, "Plugins");
    await said(page, "It ended the plugin host 1 time");
    for (let count = 0; count < 2; count += 1)
      await failures.record(ledger, "it called process.exit(3)");
    await page.reload();
    await said(page, "Disabled");
    await said(page, "It ended the plugin host 3 times");
    await pressButton(page, "Enable ledger");
    await said(page, "ledger was enabled.");
    expect(await failures.find(ledger)).to.equal(null);
    expect(wrong).to.deep.equal([]);
  });

  it("can be enabled only by owners", async () => {
    const editor = await newVisitor(service, "editor");
    const path = "/studio/api/plugins/ledger/enable";
    expect((await editor.send("POST", path)).status).to.equal(400);
    const owner = await newVisitor(service, "owner");
    expect((await owner.send("POST", path)).status).to.equal(200);
    const unknown = "/studio/api/plugins/nothing/enable";
    expect((await owner.send("POST", unknown)).status).to.equal(404);
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
