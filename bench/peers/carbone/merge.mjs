import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import carbone from "carbone";
import { prepare } from "../prepare.mjs";

// The invoice merged by Carbone, in the process that calls it. Its free edition adds nothing up and groups nothing.

const template = readFileSync(new URL("invoice.html", import.meta.url), "utf8");
const render = promisify(carbone.renderXML.bind(carbone));
const OPTIONS = {
  lang: "en-gb",
  timezone: "Europe/Berlin",
  currencySource: "EUR",
  currencyTarget: "EUR",
  extension: "html",
};

/** @returns a promise for the html of one record */
export function merge(record) {
  return render(template, prepare(record), { ...OPTIONS });
}
