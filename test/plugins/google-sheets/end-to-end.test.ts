import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { operator } from "../../../core/accounts/index.js";
import * as tokens from "../../../core/app/tokens.js";
import { newBatchCaller } from "../../support/batches.js";
import { FakeGoogle } from "../../support/fakes/fake-google.js";
import {
  waitForWriteBacks,
  downloadHtml,
  sendRecords,
} from "../../support/records.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";

const definition = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "customer", source: "Customer", type: "String" },
        {
          name: "lines",
          source: "Lines",
          type: "OneToManyLink",
          target: "line",
        },
      ],
    },
    {
      id: "line",
      fields: [{ name: "price", source: "Price", type: "Number" }],
    },
  ],
  components: [
    { type: "text", text: "{{ root.customer }}: {{ SUM(root.lines, price) }}" },
  ],
  fileName: "{{ root.customer }}",
};
const user = "anna@example.com";

describe("rows of Google Sheets", () => {
  const service = useService({
    config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
  });
  let fake: FakeGoogle;
  before(async () => {
    fake = await FakeGoogle.start();
  });
  after(() => fake.close());

  it("become documents in Drive, with links in their cells", async () => {
    const { id: baseId, sheets } = fake.addSpreadsheet("Sales", [user], {
      Invoices: [
        ["ID", "Customer", "PDF"],
        [1, "Ada"],
        [2, "Bo"],
      ],
      Lines: [
        ["ID", "Invoice", "Price"],
        ["a", 1, 2],
        ["b", 2, 3],
        ["c", 1, 5],
      ],
    });
    const caller = await newBatchCaller(service);
    const link = { sheet: "Lines", column: "Invoice", to: "Invoices" };
    const { id: connectionId } = await service.container
      .resolve(tokens.CONNECTIONS)
      .create(
        caller,
        {
          platform: "google-sheets",
          name: "Sales",
          credentials: {
            clientId: "client",
            clientSecret: "very-secret",
            refreshToken: fake.accounts.addUser(user),
            endpointUrl: fake.url,
            links: [{ ...link, inverse: "Lines" }],
          },
        },
        operator,
      );
    const templateId = await publish(service.store, caller, { definition });
    const { batchId } = await sendRecords(
      { ...caller, templateId, connectionId },
      ["1", "2"],
      { baseId, tableId: "Invoices", attachmentField: "PDF" },
      "google-sheets",
    );
    const batch = await waitForWriteBacks(caller, batchId);
    expect(batch.writeBack).to.include({ succeeded: 2, failed: 0 });
    const texts = (await downloadHtml(batch)).join();
    expect(texts).to.contain("Ada: 7").and.to.contain("Bo: 3");
    const cells = sheets[0]?.values(2, 3).map((row) => String(row[2]));
    const names = cells?.map((url) => new URL(url).hash);
    expect(names).to.deep.equal(["#Ada.html", "#Bo.html"]);
    expect(fake.drive.files.size).to.equal(2);
  });
});
