import { expect } from "chai";
import { printsEach } from "./vocabulary.js";

function repeated(data: object, path = "root.lines") {
  const missing: string[] = [];
  const invalid: string[] = [];
  const onMissing = (name: string) => missing.push(name);
  const onInvalid = (name: string) => invalid.push(name);
  const repeat = { collectionId: "line", path };
  const printed = printsEach([repeat], "{{ line.n }}", data, {
    onMissing,
    onInvalid,
  });
  return { printed, missing, invalid };
}

describe("the source of a collection", () => {
  it("can be a list", () => {
    const { printed } = repeated({ lines: [{ n: 1 }, { n: 2 }] });
    expect(printed).to.eql(["1", "2"]);
  });

  it("can be one object, as a collection of one", () => {
    expect(repeated({ lines: { n: 1 } }).printed).to.eql(["1"]);
  });

  it("can cross collections", () => {
    const orders = [{ lines: [{ n: 1 }] }, {}, { lines: [{ n: 2 }, { n: 3 }] }];
    const { printed } = repeated({ orders }, "root.orders.lines");
    expect(printed).to.eql(["1", "2", "3"]);
  });

  it("can be empty", () => {
    for (const lines of [[], null, ""]) {
      expect(repeated({ lines })).to.eql({
        printed: [],
        missing: [],
        invalid: [],
      });
    }
  });

  it("is reported as missing when there is none", () => {
    const missing = { printed: [], missing: ["root.lines"], invalid: [] };
    expect(repeated({})).to.eql(missing);
  });

  it("is reported as invalid when it is not a collection", () => {
    const invalid = { printed: [], missing: [], invalid: ["root.lines"] };
    for (const lines of ["text", 5, true])
      expect(repeated({ lines })).to.eql(invalid);
  });
});
