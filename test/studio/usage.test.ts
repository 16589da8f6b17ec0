import { expect } from "chai";
import { describe, it } from "mocha";
import { countUsage } from "../../core/accounts/index.js";
import { useService } from "../support/service.js";
import { pressButton, waitForText, useStudio } from "../support/studio.js";

describe("usage in the studio", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("is plotted by day of the month and listed in a table", async () => {
    const { page, pageErrors, organizationId } = await signIn("viewer");
    await service.store.unitOfWork.run(async (tx) => {
      for (const [day, amount] of [
        ["2026-02-03T23:59:59Z", 1200],
        ["2026-02-28T00:00:00Z", 30],
        ["2026-03-01T00:00:00Z", 7],
      ] as const) {
        const at = new Date(day);
        await countUsage(tx, organizationId, "documents", amount, at);
      }
    });
    await pressButton(page, "Usage");
    await waitForText(page, "No documents this month");
    await page.goto(`${service.url}/studio/usage?month=2026-03`);
    await waitForText(page, "7 documents");
    await pressButton(page, "Previous month");
    await waitForText(page, "1,230 documents");
    const bars = await page.$$eval(".bar-mark", (all) =>
      all.map((bar) => Number(bar.getAttribute("height"))),
    );
    expect(bars).to.have.length(28);
    expect((bars[2] ?? 0) / (bars[27] ?? 1)).to.be.closeTo(40, 0.01);
    expect(bars.filter((height) => height > 0)).to.have.length(2);
    await pressButton(page, "As a table");
    await waitForText(page, "Feb 3, 2026\t1,200");
    expect(pageErrors).to.deep.equal([]);
  });
});
