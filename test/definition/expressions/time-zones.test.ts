import { expect } from "chai";
import { value } from "./vocabulary.js";

const tokyo = { timeZone: "Asia/Tokyo" };
const york = { timeZone: "America/New_York" };
const berlin = { timeZone: "Europe/Berlin" };

describe("time zones", () => {
  it("do not shift a date alone", () => {
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

  it("may be named by the filter", () => {
    const data = { at: "2024-05-01T20:00:00Z" };
    const filter = "date('HH:mm', 'fr-FR', 'Europe/Paris')";
    expect(value(`at | ${filter}`, data, tokyo)).to.equal("22:00");
  });

  it("are those of a clock reading without an offset", () => {
    const data = { at: "2024-05-01T20:00" };
    const form = "date('HH:mm')";
    expect(value(`at | ${form}`, data, tokyo)).to.equal("20:00");
    const paris = "date('HH:mm', 'en-US', 'Europe/Paris')";
    expect(value(`at | ${paris}`, data, york)).to.equal("02:00");
  });

  it("say which day it is", () => {
    expect(value("TODAY()", {}, tokyo)).to.equal("2024-03-11");
    const data = { day: "2024-03-11" };
    expect(value("NOW() = day", data, tokyo)).to.equal("false");
    expect(value("NOW() >= day", data, tokyo)).to.equal("true");
    expect(value("NOW() >= day", data, york)).to.equal("false");
  });

  it("keep the clock when it changes between", () => {
    const data = { at: "2024-03-30T12:00:00+01:00" };
    const added = "DATE_ADD(at, 1, 'day') | date('dd HH:mm')";
    expect(value(added, data, berlin)).to.equal("31 12:00");
    const hours = "DATE_ADD(at, 24, 'hours') | date('dd HH:mm')";
    expect(value(hours, data, berlin)).to.equal("31 13:00");
  });
});
