import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { reader } from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  waitForCount,
  pressButton,
  waitForText,
  useStudio,
  newVisitor,
  signInAs,
} from "../support/studio.js";

const log = reader(
  z.object({
    data: z.array(
      z.object({
        action: z.string(),
        person: z.object({ name: z.string() }).nullable(),
        subject: z.object({ name: z.string().nullable() }),
      }),
    ),
    total: z.int(),
  }),
);

describe("the audit log in the studio", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("describes who did what, and can be filtered by action, person and day", async () => {
    const { page, pageErrors, ...me } = await signIn();
    const visitor = await signInAs(service, me);
    const templateId = await publish(service.store, me, { name: "Invoice" });
    await visitor.send("DELETE", `/api/templates/${templateId}`);
    await pressButton(page, "Audit log");
    await page.waitForSelector(".act ::-p-text(Template moved to trash)");
    await page.waitForSelector(".act ::-p-text(Ada, in the studio)");
    await page.locator("select").fill("template.trashed");
    await waitForCount(page, ".act", 1);
    expect(await page.$eval(".act", (one) => one.textContent)).to.include(
      "Invoice",
    );
    await page.locator("input[type=date]").fill("2031-01-01");
    await waitForText(page, "No matching entries");
    await pressButton(page, "Show all");
    await page.waitForSelector(".act ::-p-text(Sign-in link created)");
    expect(pageErrors).to.deep.equal([]);
  });

  it("is filtered by the service, for owners, separately for each organization", async () => {
    const owner = await newVisitor(service);
    const other = await newVisitor(service);
    const templateId = await publish(service.store, owner, { name: "Quote" });
    await owner.send("DELETE", `/api/templates/${templateId}`);
    const found = async (query: string) => {
      const response = await owner.get(`/studio/api/audit?${query}`);
      return (await log(response)).data.map(({ action }) => action);
    };
    expect((await found(""))[0]).to.equal("template.trashed");
    expect(await found("action=template.trashed")).to.have.length(1);
    expect(await found(`userId=${other.userId}`)).to.deep.equal([]);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await found(`from=${later}`)).to.deep.equal([]);
    expect(
      await found(`until=${later}&action=template.trashed`),
    ).to.have.length(1);
    const theirs = await log(await other.get("/studio/api/audit"));
    expect(JSON.stringify(theirs)).to.not.include("Quote");
    const editor = await newVisitor(service, "editor");
    expect((await editor.get("/studio/api/audit")).status).to.equal(400);
  });
});
