import { expect } from "chai";
import { describe, it } from "mocha";
import { blueprints } from "../../../core/templates/blueprints/index.js";
import { mergedSample } from "./merged-sample.js";

describe("every blueprint", () => {
  for (const { id } of blueprints())
    it(`${id} finds all its values in its sample and has a file name`, () => {
      const { report, fileName, assets } = mergedSample(id);
      expect(report.missing).to.deep.equal([]);
      expect(report.refusedImages).to.deep.equal([]);
      expect(assets, "images from elsewhere").to.deep.equal([]);
      expect(fileName).to.match(/\S/).and.not.contain("{{");
    });
});
