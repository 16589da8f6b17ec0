import { expect } from "chai";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { value } from "./vocabulary.js";

// Tried on a record that has nothing: whatever prints was read from somewhere else.
const payloads = [
  "root.__proto__",
  "root.constructor",
  "root.constructor.constructor('return 1')()",
  "root['__proto__']",
  'root["constructor"]["prototype"]',
  "root.a.__proto__.polluted",
  "__proto__",
  "constructor",
  "prototype",
  "root.toString",
  "root.valueOf",
  "root.hasOwnProperty",
  "root.__defineGetter__",
  "root.__lookupGetter__",
  "root.list.length",
  "root.list.map",
  "root.list.constructor",
  "root.list.at",
  "root.text.length",
  "root.text.0",
  "root.text.repeat",
  "root.text.constructor",
  "root.number.toFixed",
  "toString",
  "hasOwnProperty",
  "process",
  "process.env",
  "global",
  "globalThis.process",
  "require('fs')",
  "import('fs')",
  "this",
  "self.constructor",
  "cycler.__init__",
  "range(10)",
  "joiner()",
  "lipsum",
  "''.constructor",
  "'a'.length",
  "(1).constructor",
  "[].map",
  "{}.x",
  "`${1}`",
  "a => a",
  "new Date()",
  "root.a = 1 ; 2",
  "SUM(root.list, __proto__)",
  "SUM(root.list, 'constructor')",
  "SUM(root.list, constructor.name)",
  "COUNT(root.constructor)",
  "JOIN(root.list.constructor)",
  "MIN(root.__proto__)",
  "root.text | constructor",
  "root.text | __proto__",
  "root.none | default(root.toString)",
  "COALESCE(root.toString, root.valueOf)",
  "root.scope",
  "root.context",
  "root.parent",
  "root.item",
  "context.locale",
  "parent",
];

describe("a malicious expression", () => {
  for (const payload of payloads) {
    it(`reads nothing: ${payload}`, () => {
      const data = { text: "", number: null, list: [{}, []] };
      let printed: string;
      try {
        printed = value(payload, data);
      } catch (error) {
        expect(error).to.be.instanceOf(PlatenError);
        expect(error).to.include({ code: "invalid_definition" });
        return;
      }
      expect(printed).to.be.oneOf(["", "0"]);
    });
  }
});
