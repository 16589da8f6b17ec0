import { expect } from "chai";
import { describe, it } from "mocha";
import { operator } from "../../../core/accounts/index.js";
import * as tokens from "../../../core/app/tokens.js";
import { newBatchCaller } from "../../support/batches.js";
import {
  readLink,
  waitForFinishedPage,
  openAndSubmit,
} from "../../support/links.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { NocodbServer, nocodbShop } from "./nocodb-server.js";

const outbound = { allowPrivateNetworks: ["127.0.0.0/8"] };
const fields = [
  { name: "number", source: "Number", type: "String" },
  { name: "total", source: "Total", type: "Number" },
];
const fileName = "Invoice {{ root.number }}";
const definition = {
  schema: [{ id: "root", fields }],
  components: [{ type: "text", text: `${fileName}: {{ root.total }}` }],
  fileName,
};

if (NocodbServer.address())
  describe("a link for NocoDB", () => {
    const service = useService({ config: { outbound } });

    it("saves a PDF in the record's cell", async () => {
      const shop = await nocodbShop();
      const caller = await newBatchCaller(service);
      const credentials = { ...shop.credentials };
      const input = { platform: "nocodb", name: "Shop", credentials };
      const connections = service.container.resolve(tokens.CONNECTIONS);
      await connections.create(caller, input, operator);
      const templateId = await publish(service.store, caller, { definition });
      const link = await readLink(
        await caller.post("/api/links", {
          templateId,
          platform: "nocodb",
          baseId: shop.baseId,
          tableId: shop.tableId,
          attachmentField: "Papers",
        }),
        201,
      );
      const page = await waitForFinishedPage(
        await openAndSubmit(link.url, shop.recordId),
      );
      expect(page).to.contain("saved in the field “Papers”");
      const [file, ...others] = await shop.papers();
      expect(others).to.deep.equal([]);
      expect(file?.filename).to.equal("Invoice R-117.pdf");
      const reply = await fetch(file?.url ?? "");
      const bytes = Buffer.from(await reply.arrayBuffer());
      expect(bytes.subarray(0, 5).toString()).to.equal("%PDF-");
    });
  });
