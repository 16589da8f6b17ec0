import { expect } from "chai";
import { listRuns, parseTrigger } from "../../core/automations/index.js";
import { formatError } from "../../core/plugin-api/index.js";

function runs(cron: string, timeZone: string, from: string, count = 3) {
  return listRuns({ cron, timeZone }, new Date(from), count).map((one) =>
    one.toISOString(),
  );
}

function rejection(cron: string, timeZone = "UTC"): string {
  try {
    parseTrigger({ cron, timeZone });
  } catch (error) {
    return formatError(error);
  }
  throw new Error(`"${cron}" was accepted`);
}

describe("the schedule of an automation", () => {
  it("is due at a local time in summer and winter", () => {
    expect(runs("0 8 * * 1", "Europe/Berlin", "2026-10-19T12:00:00Z"))
      .to.deep //
      .equal([
        "2026-10-26T07:00:00.000Z",
        "2026-11-02T07:00:00.000Z",
        "2026-11-09T07:00:00.000Z",
      ]);
  });

  it("is due once on the day whose clock change skips its time", () => {
    expect(runs("30 2 * * *", "Europe/Berlin", "2026-03-28T02:00:00Z", 2))
      .to //
      .deep.equal(["2026-03-29T01:00:00.000Z", "2026-03-30T00:30:00.000Z"]);
    expect(
      runs("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", 2),
    ).to.deep.equal(["2026-10-03T15:30:00.000Z", "2026-10-04T15:15:00.000Z"]);
  });

  it("is due once on the day whose clock change repeats its time", () => {
    expect(runs("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2))
      .to //
      .deep.equal(["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"]);
    expect(
      runs("30 2 * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", 1),
    ).to.deep.equal(["2026-10-26T01:30:00.000Z"]);
  });

  it("is due on a leap day", () => {
    expect(runs("0 0 29 2 *", "UTC", "2097-01-01T00:00:00Z", 1)).to.deep.equal([
      "2104-02-29T00:00:00.000Z",
    ]);
  });

  it("is rejected when it is never due", () => {
    for (const cron of ["0 8 31 2 *", "0 0 30 2 *", "0 0 31 4,6,9,11 *"])
      expect(rejection(cron)).to.contain(
        `$.when.cron: is never due: no month that "${cron}" names has such a day.`,
      );
  });

  it("is rejected unless it has five valid fields", () => {
    for (const cron of ["", "0 8", "* * * * * *", "@daily", "2030-01-01"])
      expect(rejection(cron)).to.contain("$.when.cron: must have five fields");
    for (const cron of ["61 * * * *", "0 8 * * 1-5/0", "a b c d e"])
      expect(rejection(cron)).to.contain("is not a valid cron expression:");
  });

  it("is rejected for an unknown time zone", () => {
    expect(rejection("0 8 * * *", "Mars/Olympus")).to.contain(
      '$.when.timeZone: names the unknown time zone "Mars/Olympus".',
    );
  });

  it("is due first when one interval has passed", () => {
    const trigger = { everyMinutes: 90, startFrom: "now" } as const;
    const from = new Date("2026-11-29T23:00:00Z");
    expect(listRuns(trigger, from, 2)).to.deep.equal([
      new Date("2026-11-30T00:30:00Z"),
      new Date("2026-11-30T02:00:00Z"),
    ]);
  });

  it("is rejected for an interval shorter than a minute or longer than a day", () => {
    for (const everyMinutes of [0, -1, 0.5, 1441])
      expect(() => parseTrigger({ everyMinutes, startFrom: "now" })).to.throw();
  });
});
