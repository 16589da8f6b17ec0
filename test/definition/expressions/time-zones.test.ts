import { expect } from "chai";
import { value } from "./vocabulary.js";

const tokyo = { timeZone: "Asia/Tokyo" };
const york = { timeZone: "America/New_York" };
const berlin = { timeZone: "Europe/Berlin" };

describe("time zones", () => {
  it("do not shift a date without a time", () => {
    const data = { day: "2024-05-01" };
    for (const zone of [tokyo, york]) {
      expect(value("day | date('yyyy-MM-dd')", data, zone)).to.equal(data.day);
      expect(value("day | date", data, zone)).to.equal("May 1, 2024");
    }
  });

  it("shift a point in time", () => {
    const data = { at: "2024-05-01T20:00:00Z", ms: 1714593600000 };
    const form = "date('yyyy-MM-dd HH:mm')";
    expect(value(`at | ${form}`, data, tokyo)).to.equal("2024-05-02 05:00");
    expect(value(`ms | ${form}`, data, york)).to.equal("2024-05-01 16:00");
    expect(value("at | date", data, tokyo)).to.equal("May 2, 2024");
  });

  it("are those of offsets with hours alone, with minutes, and with a colon", () => {
    for (const [offset, printed] of [
      ["+05", "15:00"],
      ["+0530", "14:30"],
      ["-05:30", "01:30"],
    ] as const) {
      const data = { at: `2024-05-01T20:00:00${offset}` };
      expect(value("at | date('HH:mm')", data)).to.equal(printed);
    }
  });

  it("can be an argument of the filter", () => {
    const data = { at: "2024-05-01T20:00:00Z" };
    const filter = "date('HH:mm', 'fr-FR', 'Europe/Paris')";
    expect(value(`at | ${filter}`, data, tokyo)).to.equal("22:00");
  });

  it("apply to a local time without an offset", () => {
    const data = { at: "2024-05-01T20:00" };
    const form = "date('HH:mm')";
    expect(value(`at | ${form}`, data, tokyo)).to.equal("20:00");
    const paris = "date('HH:mm', 'en-US', 'Europe/Paris')";
    expect(value(`at | ${paris}`, data, york)).to.equal("02:00");
  });

  it("determine the day", () => {
    expect(value("TODAY()", {}, tokyo)).to.equal("2024-03-11");
    const data = { day: "2024-03-11" };
    expect(value("NOW() = day", data, tokyo)).to.equal("false");
    expect(value("NOW() >= day", data, tokyo)).to.equal("true");
    expect(value("NOW() >= day", data, york)).to.equal("false");
  });

  it("keep the local time across a change of offset", () => {
    const data = { at: "2024-03-30T12:00:00+01:00" };
    const added = "DATE_ADD(at, 1, 'day') | date('dd HH:mm')";
    expect(value(added, data, berlin)).to.equal("31 12:00");
    const hours = "DATE_ADD(at, 24, 'hours') | date('dd HH:mm')";
    expect(value(hours, data, berlin)).to.equal("31 13:00");
  });

  it("move a skipped local time past the gap", () => {
    const form = "date('yyyy-MM-dd HH:mm')";
    const cases: [string, string, string][] = [
      ["Europe/Berlin", "2024-03-31T02:30", "2024-03-31 03:30"],
      ["America/New_York", "2024-03-10T02:30", "2024-03-10 03:30"],
      ["Australia/Lord_Howe", "2024-10-06T02:10", "2024-10-06 02:40"],
    ];
    for (const [timeZone, at, printed] of cases)
      expect(value(`at | ${form}`, { at }, { timeZone })).to.equal(printed);
    // In Cuba summer time begins at midnight.
    const sum = `DATE_ADD(at, 1, 'hour') | ${form}`;
    const havana = { timeZone: "America/Havana" };
    expect(value(sum, { at: "2024-03-10" }, havana)).to.equal(
      "2024-03-10 02:00",
    );
  });

  it("use the first of two equal local times", () => {
    const form = "date('HH:mm xxx')";
    const cases: [string, string, string][] = [
      ["Europe/Berlin", "2024-10-27T02:30", "02:30 +02:00"],
      ["America/New_York", "2024-11-03T01:30", "01:30 -04:00"],
      ["Australia/Lord_Howe", "2024-04-07T01:45", "01:45 +11:00"],
    ];
    for (const [timeZone, at, printed] of cases)
      expect(value(`at | ${form}`, { at }, { timeZone })).to.equal(printed);
  });

  it("count whole days by local time across a change of offset", () => {
    const from = "2024-03-30T12:00:00+01:00";
    const days = (to: string) =>
      value("DATE_DIFF(to, from)", { from, to }, berlin);
    expect(days("2024-03-31T11:59:59+02:00")).to.equal("0");
    expect(days("2024-03-31T12:00:00+02:00")).to.equal("1");
    const hours = "DATE_DIFF(to, from, 'hours')";
    const to = "2024-03-31T12:00:00+02:00";
    expect(value(hours, { from, to }, berlin)).to.equal("23");
  });
});
