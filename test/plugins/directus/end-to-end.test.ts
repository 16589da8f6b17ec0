import { expect } from "chai";
import { describe, it } from "mocha";
import { operator } from "../../../core/accounts/index.js";
import * as tokens from "../../../core/app/tokens.js";
import { newBatchCaller } from "../../support/batches.js";
import {
  openAndSubmit,
  readLink,
  waitForFinishedPage,
} from "../../support/links.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { eachDirectus, shopFor } from "./directus-server.js";

const outbound = { allowPrivateNetworks: ["127.0.0.0/8"] };
const fields = [
  { name: "number", source: "invoice_no", type: "String" },
  { name: "total", type: "Number" },
];
const fileName = "Invoice {{ root.number }}";
const definition = {
  schema: [{ id: "root", fields }],
  components: [{ type: "text", text: `${fileName}: {{ root.total }}` }],
  fileName,
};

describe("a link for Directus", () => {
  eachDirectus((open) => {
    const service = useService({ config: { outbound } });
    const getShop = shopFor(open);

    it("saves a PDF in the file field of each record", async () => {
      const shop = await getShop();
      const ids = await shop.addInvoices([
        { invoice_no: "R-117", total: 12.5 },
        { invoice_no: "R-118", total: 8 },
      ]);
      const caller = await newBatchCaller(service);
      const credentials = { ...shop.credentials };
      const input = { platform: "directus", name: "Shop", credentials };
      const connections = service.container.resolve(tokens.CONNECTIONS);
      await connections.create(caller, input, operator);
      const templateId = await publish(service.store, caller, { definition });
      const link = await readLink(
        await caller.post("/api/links", {
          templateId,
          platform: "directus",
          tableId: shop.invoices,
          attachmentField: "papers",
        }),
        201,
      );
      await waitForFinishedPage(await openAndSubmit(link.url, ids.join()));
      for (const [at, recordId] of ids.entries()) {
        const [file, ...others] = await shop.host.read({
          scope: { tableId: shop.invoices },
          recordId,
          fieldId: "papers",
        });
        expect(others).to.deep.equal([]);
        expect(file?.filename).to.equal(`Invoice R-11${7 + at}.pdf`);
        const bytes = Buffer.from(await shop.bytesOf(file ?? {}));
        expect(bytes.subarray(0, 5).toString()).to.equal("%PDF-");
      }
    });
  });
});
