import { expect } from "chai";
import { before, describe, it } from "mocha";
import { exported } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { useTools } from "../../support/tool-client.js";

describe("tools for documents", () => {
  const { answer, rejection, service, caller } = useTools();
  const ids: string[] = [];
  before(async () => {
    const templateId = await publish(service.store, caller());
    for (const name of ["A", "B", "C"]) {
      const body = { templateId, formats: ["html"], data: { name } };
      const { document } = await exported(caller(), body);
      ids.unshift(document.id);
    }
  });
  const listed = async (args: object) => {
    const { data, pagination } = await answer("list_documents", { ...args });
    const found = JSON.stringify(data).matchAll(/"id":"(doc_[^"]+)"/g);
    return { ids: Array.from(found, ([, id]) => id), pagination };
  };

  it("list the newest first, starting at any position", async () => {
    expect((await listed({})).ids).to.deep.equal(ids);
    const slice = { limit: 2, offset: 1 };
    expect(await listed(slice)).to.deep.equal({
      ids: ids.slice(1),
      pagination: { ...slice, total: 3 },
    });
    expect((await listed({ offset: 3 })).ids).to.deep.equal([]);
  });

  it("reject an invalid limit or offset", async () => {
    for (const args of [{ limit: 0 }, { limit: 101 }, { offset: -1 }])
      expect(
        (await rejection("list_documents", args)).problems,
      ).to.have.lengthOf(1);
  });

  it("read the same document as REST", async () => {
    const [documentId] = ids;
    const rest = await caller().get(`/api/documents/${documentId}`);
    expect(await answer("get_document", { documentId })).to.deep.equal(
      await rest.json(),
    );
    const { code } = await rejection("get_document", { documentId: "doc_1" });
    expect(code).to.equal("not_found");
  });
});
