import { expect } from "chai";
import { value } from "./vocabulary.js";

const data = {
  day: "2024-02-29",
  at: "2024-02-29T13:05:09.250Z",
  ms: 1709211909250,
  digits: "1709211909250",
  odd: "29.02.2024",
  no: "2023-02-29",
  form: "dd/MM",
};

describe("date", () => {
  const cases: [string, string][] = [
    ["day | date", "Feb 29, 2024"],
    ["day | date('short')", "2/29/24"],
    ["day | date('medium')", "Feb 29, 2024"],
    ["day | date('long')", "February 29, 2024"],
    ["day | date('full')", "Thursday, February 29, 2024"],
    ["day | date('dd MMM yyyy')", "29 Feb 2024"],
    ["day | date('long', 'de-DE')", "29. Februar 2024"],
    ["day | date('EEEE d. MMMM', 'de-AT')", "Donnerstag 29. Februar"],
    ["at | date(\"yyyy-MM-dd'T'HH:mm:ss.SSS\")", "2024-02-29T13:05:09.250"],
    ["ms | date('HH:mm')", "13:05"],
    ["digits | date('HH:mm')", "13:05"],
    ["day | date(form)", "29/02"],
    ["odd | date", "29.02.2024"],
    ["no | date", "2023-02-29"],
    ["day | date(at)", "2024-02-29"],
    ["null | date", ""],
    ["day | date('PPP', 'xx-YY')", "February 29th, 2024"],
  ];
  for (const [expression, printed] of cases) {
    it(`${expression} is ${printed || "nothing"}`, () => {
      expect(value(expression, data)).to.equal(printed);
    });
  }
});
