import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import * as tokens from "../../core/app/tokens.js";
import { AuditEvent } from "../../core/storage/database/index.js";
import { parseConfig } from "../../config/index.js";
import { pluginFolder } from "../support/plugin-folder.js";
import { useService } from "../support/service.js";
import { cliProcessOn } from "../support/store-cli.js";
import {
  pressButton,
  waitForText,
  useStudio,
  newVisitor,
} from "../support/studio.js";

const auditLog = z.object({ data: z.array(z.unknown()) });

describe("plugins in the studio", () => {
  const folder = pluginFolder(
    { name: "ledger" },
    { name: "faulty", code: 'throw new Error("no ink");' },
  );
  const { plugins } = parseConfig({ PLATEN_PLUGIN_FOLDER: folder });
  const service = useService({ config: { plugins } });
  const signIn = useStudio(service);

  it("are listed with their settings and with the reason when one cannot be used", async () => {
    const { page, pageErrors } = await signIn();
    await pressButton(page, "Plugins");
    await waitForText(page, "It failed to load: no ink");
    await waitForText(page, "Follows links between tables");
    const lines = await page.$$eval(".plugin", (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(lines.find((line) => line.startsWith("ledger"))).to.match(
      /version 1\.2\.3.*Ready.*tokenRequiredSecret/,
    );
    expect(pageErrors).to.deep.equal([]);
  });

  it("are shown only to owners", async () => {
    const { page } = await signIn("editor");
    await page.goto(`${service.url}/studio/plugins`);
    await waitForText(page, "Only owners can open this page");
    const viewer = await newVisitor(service, "viewer");
    const rejected = await viewer.get("/studio/api/plugins");
    expect(await rejected.text()).to.include("role owner");
  });
});

describe("a disabled plugin in the studio", () => {
  const folder = pluginFolder({ name: "ledger" });
  const { plugins } = parseConfig({ PLATEN_PLUGIN_FOLDER: folder });
  const service = useService({ config: { plugins } });
  const signIn = useStudio(service);
  const ledger = { kind: "platform", id: "ledger" };
  const path = "/studio/api/plugins/ledger/enable";
  let organizationId: string;

  const failures = () => service.container.resolve(tokens.PLUGIN_FAILURES);
  const fail = () => failures().record(ledger, "it called process.exit(3)");

  it("is shown with the reason and can be enabled while there is one organization", async () => {
    await fail();
    const owner = await signIn();
    organizationId = owner.organizationId;
    const { page, pageErrors } = owner;
    await pressButton(page, "Plugins");
    await waitForText(page, "It stopped the plugin host 1 time");
    for (let count = 0; count < 2; count += 1) await fail();
    await page.reload();
    await waitForText(page, "Disabled");
    await waitForText(page, "It stopped the plugin host 3 times");
    await pressButton(page, "Enable ledger");
    await waitForText(page, "ledger was enabled.");
    expect(await failures().find(ledger)).to.equal(null);
    const noted = await service.store.read.findOneByOrFail(AuditEvent, {
      action: "plugin.enabled",
    });
    expect(noted).to.include({
      organizationId,
      userId: owner.userId,
      origin: "studio",
      subject: "ledger",
    });
    await pressButton(page, "Audit log");
    await waitForText(page, "Plugin enabled");
    await waitForText(page, "ledger");
    expect(pageErrors).to.deep.equal([]);
  });

  it("can be enabled only by owners", async () => {
    const editor = await newVisitor(service, "editor", organizationId);
    expect((await editor.send("POST", path)).status).to.equal(400);
    const owner = await newVisitor(service, "owner", organizationId);
    expect((await owner.send("POST", path)).status).to.equal(200);
    const unknown = "/studio/api/plugins/nothing/enable";
    expect((await owner.send("POST", unknown)).status).to.equal(404);
  });

  it("cannot be enabled by an owner while there are several organizations", async () => {
    for (let count = 0; count < 3; count += 1) await fail();
    const owner = await newVisitor(service, "owner");
    const refused = await owner.send("POST", path);
    expect(refused.status).to.equal(400);
    expect(await refused.text()).to.include("platen plugin enable ledger");
    expect((await failures().find(ledger))?.isDisabled).to.equal(true);
  });

  it("can be enabled by the operator, which the audit log of each organization shows", async () => {
    const owners = [
      await newVisitor(service, "owner"),
      await newVisitor(service, "owner"),
    ];
    const cli = cliProcessOn(service.dataFolder, {
      PLATEN_PLUGIN_FOLDER: folder,
    });
    const { stdout } = await cli("plugin", "enable", "ledger");
    expect(stdout).to.equal("The plugin ledger is enabled.\n");
    expect(await failures().find(ledger)).to.equal(null);
    for (const owner of owners) {
      const log = await owner.get("/studio/api/audit?action=plugin.enabled");
      const { data } = auditLog.parse(await log.json());
      expect(data).to.have.lengthOf(1);
      expect(data[0]).to.deep.include({
        origin: "cli",
        person: null,
        subject: { id: "ledger", name: "ledger" },
      });
    }
  });
});
