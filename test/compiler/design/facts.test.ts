import { getDesignFacts } from "../../../core/compiler/design/design-facts.js";
import { expectRecorded } from "../support.js";

describe("the facts of the compiler that an editor shows", () => {
  it("are its default styles, sizes and places of components", () => {
    const { jsonSchema: _, ...facts } = getDesignFacts();
    const json = JSON.stringify(
      facts,
      (key, value: unknown) => (key === "networks" ? undefined : value),
      2,
    );
    // Style sheets have a line for each rule.
    const lines = json.replaceAll("\\n", "\n");
    expectRecorded(`${lines}\n`, new URL("facts.txt", import.meta.url));
  });
});
