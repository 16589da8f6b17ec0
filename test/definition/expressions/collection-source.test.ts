import { expect } from "chai";
import { printsEach } from "./vocabulary.js";

function repeated(data: object, path = "root.lines") {
  const missing: string[] = [];
  const onMissing = (name: string) => missing.push(name);
  const repeat = { collectionId: "line", path };
  const printed = printsEach([repeat], "{{ line.n }}", data, { onMissing });
  return { printed, missing };
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
      expect(repeated({ lines })).to.eql({ printed: [], missing: [] });
    }
  });

  it("is reported when it is missing or not a collection", () => {
    const none = { printed: [], missing: ["root.lines"] };
    for (const lines of [undefined, "text", 5, true]) {
      expect(repeated({ lines })).to.eql(none);
    }
  });
});
