import { expect } from "chai";
import { describe, it } from "mocha";
import { Document } from "../../../core/storage/database/index.js";
import {
  countBatches,
  getFormToken,
  createLink,
  submitForm,
} from "../../support/links.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  useRecordService,
} from "../../support/records.js";
import { eachDatabase } from "../../support/store.js";

eachDatabase((_open, database) => {
  describe("a form of a link that is submitted several times", () => {
    const platform = ordersPlatform();
    const service = useRecordService(platform, { config: { database } });

    it("creates one batch and redirects to one page", async () => {
      addOrder(platform, "A");
      const { url } = await createLink(await newRecordCaller(service));
      const page = await (await fetch(`${url}?recordId=A`)).text();
      const form = getFormToken(page);
      const presses = [1, 2, 3, 4].map(() => submitForm(url, form));
      const answers = [
        ...(await Promise.all(presses)),
        await submitForm(url, form),
      ];
      const places = answers.map(({ headers }) => headers.get("location"));
      expect(new Set(places).size).to.equal(1);
      expect(places[0]).to.contain("/run/");
      expect(await countBatches(service)).to.equal(1);
      expect(await service.store.read.count(Document)).to.equal(1);
    });
  });
});
