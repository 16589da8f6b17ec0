import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { Automation, newId, User } from "../../core/storage/database/index.js";
import { cliOn, json } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";
import { onSqlite } from "../support/store.js";

const template = {
  name: "Letter",
  definition: {
    schema: [{ id: "root", fields: [{ name: "Name", type: "String" }] }],
    components: [{ type: "text", text: "Dear {{ root.Name }}" }],
  },
};

onSqlite((open, location) => {
  describe("platen automation", () => {
    const data = suiteFolder();
    const cli = cliOn(data, {
      PLATEN_DATABASE_URL:
        location.kind === "sqlite" ? `sqlite:${location.file}` : "",
    });
    const id = newId();
    let org: string[] = [];
    before(async () => {
      const named = ["--name", "A", "--plan", "premium"];
      const { id: organizationId = "" } = await json(
        cli,
        "org",
        "create",
        ...named,
      );
      org = ["--org", organizationId];
      const file = join(data, "letter.json");
      writeFileSync(file, JSON.stringify(template));
      const { id: templateId = "" } = await json(
        cli,
        "template",
        "import",
        file,
        ...org,
      );
      const { read, unitOfWork } = await open();
      const { id: createdById } = await read.findOneByOrFail(User, {});
      const now = new Date();
      await unitOfWork.run((tx) =>
        tx.insert(Automation, {
          id,
          organizationId,
          templateId,
          name: "Invoices",
          platform: "memory",
          connectionId: newId(),
          tableId: "tblOrders",
          tableName: "Orders",
          formats: ["pdf"],
          overwriteExisting: false,
          records: { emptyAttachment: true },
          schedule: { cron: "0 8 * * 1", timeZone: "Europe/Berlin" },
          missedRuns: "run-once",
          repeatMode: "changed",
          failures: 0,
          baselineAt: now,
          nextRunAt: new Date("2090-01-02T07:00:00Z"),
          createdById,
          createdAt: now,
          updatedAt: now,
        }),
      );
    });

    it("lists, starts, pauses, resumes and deletes an automation", async () => {
      const listed = await cli("automation", "list", ...org);
      expect(listed.stdout, listed.stderr).to.match(
        /Invoices +memory +Orders +0 8 \* \* 1 \(Europe\/Berlin\) +active +2090-01-02T07:00:00\.000Z +-/,
      );
      const run = await json(cli, "automation", "run", id, ...org);
      expect(run).to.include({ origin: "manual", status: "waiting" });
      const runs = await cli("automation", "runs", id, ...org);
      expect(runs.stdout, runs.stderr).to.match(/manual +waiting/);
      const again = await cli("automation", "run", id, ...org);
      expect(again.stderr).to.contain("This automation is running already.");
      const paused = await cli("automation", "pause", id, ...org);
      expect(paused.stdout, paused.stderr).to.equal("Paused “Invoices”.\n");
      expect(await json(cli, "automation", "resume", id, ...org)).to.include({
        state: "active",
      });
      const deleted = await cli("automation", "delete", id, ...org);
      expect(deleted.stdout, deleted.stderr).to.equal("Deleted “Invoices”.\n");
      const { stdout } = await cli("automation", "list", ...org, "--json");
      expect(JSON.parse(stdout)).to.deep.equal([]);
    });
  });
});
