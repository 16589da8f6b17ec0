import { renders, text } from "../support.js";

const data = {
  id: "R",
  warehouses: [
    {
      id: "W1",
      shipments: [
        { id: "S1", packages: [{ id: "P1" }, { id: "P2" }] },
        { id: "S2", packages: [] },
      ],
    },
    { id: "W2", shipments: [] },
  ],
};

function level(id: string, path: string, components: object[]) {
  return {
    type: "container",
    collection: { collectionId: id, path, empty: [text(`no ${id}`)] },
    components,
  };
}

describe("nested collections", () => {
  it("reach each of three levels by its collectionId when names clash", () => {
    const packages = text("{{ root.id }} {{ w.id }} {{ s.id }} {{ p.id }}", {
      collection: { collectionId: "p", path: "s.packages" },
    });
    renders(
      [level("w", "root.warehouses", [level("s", "w.shipments", [packages])])],
      data,
      "<div><div><p>R W1 S1 P1</p><p>R W1 S1 P2</p></div><div></div></div>" +
        "<div><p>no s</p></div>",
    );
  });

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
