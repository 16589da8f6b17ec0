import { renders, text } from "../support.js";

const data = {
  warehouses: [
    { id: "W1", shipments: [{ id: "S1" }, { id: "S2" }] },
    { id: "W2", shipments: [] },
  ],
};

describe("nested collections", () => {
  it("evaluate the empty branch of an inner one with the outer element in scope", () => {
    const inner = text("x", {
      collection: {
        collectionId: "s",
        path: "w.shipments",
        empty: [text("{{ w.id }} is empty")],
      },
    });
    renders(
      [
        {
          type: "fragment",
          collection: { collectionId: "w", path: "root.warehouses" },
          components: [inner],
        },
      ],
      data,
      "<p>x</p><p>x</p><p>W2 is empty</p>",
    );
  });
});
