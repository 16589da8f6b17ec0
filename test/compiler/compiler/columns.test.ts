import { renders, text } from "../support.js";

const column = (width: string | undefined, more: object = {}) => ({
  type: "column",
  ...(width && { width }),
  components: [text("a")],
  ...more,
});

function drawn(width: string, share: string, gap: string, name: string) {
  return `<div class="column" style="flex:0 0 calc(${width} - ${share} * ${gap})"><p>${name}</p></div>`;
}

describe("columns", () => {
  it("share the row evenly without widths", () => {
    const cell = '<div class="column"><p>a</p></div>';
    renders(
      [{ type: "columns", components: [column(undefined), column(undefined)] }],
      {},
      `<div class="columns">${cell}${cell}</div>`,
    );
  });

  it("share the row minus its gaps with percentage widths", () => {
    renders(
      [
        {
          type: "columns",
          gap: "8mm",
          components: [column("70%"), column("30%")],
        },
      ],
      {},
      `<div class="columns" style="gap:8mm">${drawn("70%", "0.3", "8mm", "a")}${drawn("30%", "0.7", "8mm", "a")}</div>`,
    );
  });

  it("wrap into a grid when one of them repeats", () => {
    const card = column("33.33%", {
      collection: { collectionId: "card", path: "root.cards" },
      components: [text("{{ card.name }}")],
    });
    renders(
      [{ type: "columns", components: [card] }],
      { cards: [{ name: "x" }, { name: "y" }] },
      `<div class="columns wrap">${drawn("33.33%", "0.6667", "24px", "x")}${drawn("33.33%", "0.6667", "24px", "y")}</div>`,
    );
  });
});
