import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../support/caller.js";
import { exported, useService } from "../support/service.js";
import { publish } from "../support/store.js";

describe("expiresAt", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;
  const render = async (expiresAt?: string) =>
    (await exported(caller, { templateId, formats: ["html"], expiresAt }))
      .document;

  before(async () => {
    caller = await newCaller(service);
    templateId = await publish(service.store, caller);
  });

  it("defaults to 24 hours after the request", async () => {
    const { createdAt, expiresAt } = await render();
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).to.equal(86_400_000);
  });

  it("is exact to the millisecond", async () => {
    const value = "2035-05-06T07:08:09.010+02:00";
    expect((await render(value)).expiresAt).to.equal(
      "2035-05-06T05:08:09.010Z",
    );
  });

  it("is the end of the day for a date", async () => {
    expect((await render("2035-05-06")).expiresAt).to.equal(
      "2035-05-06T23:59:59.999Z",
    );
  });
});
