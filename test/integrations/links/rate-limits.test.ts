import { expect } from "chai";
import { describe, it } from "mocha";
import { createLink } from "../../support/links.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  useRecordService,
} from "../../support/records.js";

describe("the pages of a link", () => {
  const platform = ordersPlatform();
  const config = { rateLimits: { premium: 3 } };
  const service = useRecordService(platform, { config });

  it("count toward the organization's rate limit and say when it is reached", async () => {
    addOrder(platform, "A");
    const { url } = await createLink(await newRecordCaller(service));
    const ask = () => fetch(`${url}?recordId=A`);
    const statuses = [(await ask()).status, (await ask()).status];
    // Unless the minute is over just now, the next is one too many.
    let response = await ask();
    while (response.status !== 429) response = await ask();
    expect(statuses).to.deep.equal([200, 200]);
    expect(Number(response.headers.get("retry-after"))).to.be.within(1, 60);
    expect(await response.text()).to.contain("Too many requests right now");
  });
});
