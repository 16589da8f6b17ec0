import { expect } from "chai";
import { useTools } from "../support/tool-client.js";

describe("the list of resources", () => {
  const { caller, client } = useTools();

  const page = async (params: { cursor?: string }) =>
    client().request({ method: "resources/list", params });

  it("starts with the guide, followed by templates sorted by name, in pages", async () => {
    const names = Array.from({ length: 51 }, (_, count) => `No ${100 + count}`);
    for (const name of names.toReversed()) await caller().publish({ name });
    const first = await page({});
    const second = await page({ cursor: first.nextCursor ?? "" });
    expect(second.nextCursor).to.equal(undefined);
    const titles = [first, second].map(({ resources }) =>
      resources.map(({ title }) => title),
    );
    expect(titles[0]?.shift()).to.match(/guide/i);
    expect(titles).to.deep.equal([names.slice(0, 50), names.slice(50)]);
  });
});
