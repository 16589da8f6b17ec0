import { expect } from "chai";
import { parseConfig } from "../../config/index.js";

const parseSchedule = (text: string) =>
  parseConfig({ PLATEN_WEBHOOK_SCHEDULE: text }).webhooks.schedule;

describe("a duration", () => {
  it("has a unit, and several are separated by commas", () => {
    expect(parseSchedule("250ms, 5s,2m,3h,1d")).to.deep.equal([
      250, 5000, 120_000, 10_800_000, 86_400_000,
    ]);
    expect(parseSchedule("none")).to.deep.equal([]);
  });

  it("defaults to the documented schedule", () => {
    const { schedule } = parseConfig({}).webhooks;
    const hours = schedule.reduce((sum, wait) => sum + wait, 0) / 3_600_000;
    expect(schedule).to.have.length(9);
    expect(hours).to.be.within(75, 77);
  });

  for (const text of ["5", "5 weeks", "-1s", "5s,,1m", "1.5h"])
    it(`rejects ${text}`, () => {
      expect(() => parseSchedule(text)).to.throw("PLATEN_WEBHOOK_SCHEDULE");
    });
});
