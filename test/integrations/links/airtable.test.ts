import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { operator } from "../../../core/accounts/index.js";
import * as tokens from "../../../core/app/tokens.js";
import { newBatchCaller } from "../../support/batches.js";
import { FakeAirtable } from "../../support/fakes/fake-airtable.js";
import {
  readLink,
  waitForFinishedPage,
  openAndSubmit,
} from "../../support/links.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";

const outbound = { allowPrivateNetworks: ["127.0.0.0/8"] };

describe("a link for Airtable", () => {
  const service = useService({ config: { outbound } });
  let airtable: FakeAirtable;
  before(async () => {
    airtable = await FakeAirtable.start();
  });
  after(() => airtable.close());

  it("has a formula whose page writes the document into the record's cell", async () => {
    const base = airtable.addBase("Shop");
    const table = airtable.addTable(base, "Orders", {
      Number: "singleLineText",
      Documents: "multipleAttachments",
    });
    const id = table.add({ Number: "2026-117" });
    const caller = await newBatchCaller(service);
    const token = airtable.addToken("pat-of-the-test");
    const { url } = airtable;
    const credentials = { token, endpointUrl: url, contentUrl: url };
    const input = { platform: "airtable", name: "Shop", credentials };
    const connections = service.container.resolve(tokens.CONNECTIONS);
    await connections.create(caller, input, operator);
    const fields = [{ name: "number", source: "Number", type: "String" }];
    const text = "Order {{ root.number }}";
    const definition = {
      schema: [{ id: "root", fields }],
      components: [{ type: "text", text }],
      fileName: text,
    };
    const templateId = await publish(service.store, caller, { definition });
    const link = await readLink(
      await caller.post("/api/links", {
        templateId,
        platform: "airtable",
        baseId: base.id,
        tableId: "Orders",
        attachmentField: "Documents",
        formats: ["html"],
      }),
      201,
    );
    expect(link.formulas.map(({ formula }) => formula)).to.deep.equal([
      `"${link.url}?recordId=" & RECORD_ID()`,
    ]);
    const question = await fetch(`${link.url}?recordId=${id}`);
    expect(await question.text()).to.contain("<li>2026-117</li>");
    const page = await waitForFinishedPage(await openAndSubmit(link.url, id));
    expect(page).to.contain("saved in the field “Documents”");
    const shown = JSON.stringify(table.show(table.record(id), false));
    expect(shown).to.contain("Order 2026-117.html");
  });
});
