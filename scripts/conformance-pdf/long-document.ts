/** A template and a record for more than 100 pages, which are printed in pieces when no tags are asked for. */
export function createLongDocument() {
  return {
    schema: [
      {
        id: "root",
        fields: [{ name: "rows", type: "OneToManyLink", target: "rows" }],
      },
      {
        id: "rows",
        fields: [
          { name: "number", type: "Number" },
          { name: "text", type: "String" },
        ],
      },
    ],
    sample: {
      rows: Array.from({ length: 4500 }, (_, index) => ({
        number: index + 1,
        text: `Row ${index + 1} with enough text that it takes more than a line on most pages. `.repeat(
          2,
        ),
      })),
    },
    page: {
      header: [{ type: "text", text: "A long document" }],
      footer: [{ type: "page-number", format: "{page} of {pages}" }],
      watermark: "Draft",
    },
    components: [
      { type: "heading", level: 1, text: "Rows" },
      {
        type: "text",
        text: "Ends with [a link](https://example.com).",
      },
      {
        type: "table",
        components: [
          {
            type: "table-row",
            header: true,
            components: [
              { type: "table-cell", text: "Number" },
              { type: "table-cell", text: "Text" },
            ],
          },
          {
            type: "table-row",
            collection: { collectionId: "row", path: "root.rows" },
            components: [
              { type: "table-cell", text: "{{ row.number }}" },
              { type: "table-cell", text: "{{ row.text }}" },
            ],
          },
        ],
      },
    ],
  };
}
