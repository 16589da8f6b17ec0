import { expect } from "chai";
import { describe, it } from "mocha";
import { blueprints } from "../../../core/templates/blueprints/index.js";
import { merged } from "./merged-sample.js";

describe("a nearly empty record", () => {
  for (const blueprint of blueprints())
    it(`still renders ${blueprint.id}, and the report names the missing values`, () => {
      const { html, report } = merged(blueprint, { number: "2026-001" });
      expect(report.missing).not.to.deep.equal([]);
      expect(html).not.to.match(/NaN|undefined|\bnull\b|Invalid Date/);
    });
});
