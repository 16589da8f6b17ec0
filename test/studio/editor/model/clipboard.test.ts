import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../../core/plugin-api/definition.js";
import {
  duplicateComponents,
  pasteText,
  toClipboardText,
} from "../../../../plugins/studio/app/src/editor/model/clipboard.js";
import {
  getBody,
  newEditor,
  withoutIds,
} from "../../../support/editor-model.js";

const list: Component = {
  type: "container",
  id: "list",
  collection: {
    collectionId: "line",
    path: "root.lines",
    filter: {
      combinator: "and",
      rules: [
        { field: "line.amount", operator: ">", value: "line" },
        {
          field: "amount",
          operator: "<",
          value: "line.most",
          valueSource: "field",
        },
      ],
    },
    empty: [{ type: "text", text: "{{ line.amount }}" }],
  },
  condition: {
    combinator: "and",
    rules: [{ field: "line.outer", operator: "notNull" }],
  },
  style: { color: "{{ line.color }}" },
  components: [
    {
      type: "text",
      text: [
        'line {{ "line.x" ~ line.title ~ root.line }} \\{{ line }}',
        {
          text: "{{ SUM(line.parts, line.price) + COUNT(line) }}",
          marks: [{ link: "https://example.com/{{line.id}}" }],
        },
      ],
    },
    {
      type: "text",
      collection: { collectionId: "part", path: "line.parts" },
      text: '{{ part.name | default("line") }} of {{ line.title }}',
    },
    {
      type: "chart",
      chart: "bar",
      data: "line.months",
      label: "line.name",
      series: [{ field: "item.value" }],
    },
  ],
};

const expected = {
  type: "container",
  collection: {
    collectionId: "line2",
    path: "root.lines",
    filter: {
      combinator: "and",
      rules: [
        { field: "line2.amount", operator: ">", value: "line" },
        {
          field: "amount",
          operator: "<",
          value: "line2.most",
          valueSource: "field",
        },
      ],
    },
    empty: [{ type: "text", text: "{{ line.amount }}" }],
  },
  condition: list.condition,
  style: { color: "{{ line2.color }}" },
  components: [
    {
      type: "text",
      text: [
        'line {{ "line.x" ~ line2.title ~ root.line }} \\{{ line }}',
        {
          text: "{{ SUM(line2.parts, line.price) + COUNT(line2) }}",
          marks: [{ link: "https://example.com/{{line2.id}}" }],
        },
      ],
    },
    {
      type: "text",
      collection: { collectionId: "part2", path: "line2.parts" },
      text: '{{ part2.name | default("line") }} of {{ line2.title }}',
    },
    {
      type: "chart",
      chart: "bar",
      data: "line2.months",
      label: "line2.name",
      series: [{ field: "item.value" }],
    },
  ],
};

describe("collection names in a pasted copy", () => {
  it("are replaced by unused ones, together with the expressions that read them", () => {
    const editor = newEditor([list]);
    editor.selected.value = "list";
    duplicateComponents(editor, editor.selection.value);
    const [first, second] = editor.definition.value.components;
    expect(withoutIds(first ? [first] : [])).to.deep.equal(withoutIds([list]));
    expect(withoutIds(second ? [second] : [])).to.deep.equal([expected]);
  });

  it("stay unchanged when they are unused", () => {
    const other = newEditor([]);
    const source = newEditor([list]);
    source.selected.value = "list";
    pasteText(other, toClipboardText(source.selection.value));
    expect(withoutIds(other.definition.value.components)).to.deep.equal(
      withoutIds([list]),
    );
  });
});

const box = { type: "container" as const, id: "box", components: [] };
const row = {
  type: "table-row",
  components: [{ type: "table-cell", text: "One" }],
};

describe("pasting", () => {
  it("accepts what the guide shows: a component, a list of them, or a definition", () => {
    const text = { type: "text", text: "Hello" };
    for (const one of [text, [text], { schema: [], components: [text] }]) {
      const editor = newEditor([]);
      const fenced = `\`\`\`json\n${JSON.stringify(one, null, 2)}\n\`\`\``;
      for (const words of [JSON.stringify(one), fenced])
        expect(pasteText(editor, words)).to.deep.equal({ count: 1 });
      expect(getBody(editor)).to.deep.equal([text, text]);
    }
  });

  it("inserts a copy after its original, and other components into the selection", () => {
    const editor = newEditor([box]);
    editor.selected.value = "box";
    pasteText(editor, toClipboardText(editor.selection.value));
    expect(editor.tree.value.lists.get("body")?.components).to.have.length(2);
    editor.selected.value = "box";
    pasteText(editor, "Just words,\nin two lines");
    expect(editor.tree.value.lists.get("box/components")?.components[0])
      .to.have.property("text")
      .equal("Just words,\nin two lines");
  });

  it("finds the nearest place where the component is allowed", () => {
    const table = { type: "table" as const, id: "table", components: [] };
    const editor = newEditor([table, { type: "text", id: "last", text: "" }]);
    editor.selected.value = "last";
    expect(pasteText(editor, JSON.stringify(row))).to.deep.equal({
      fault: "Row goes into a table. Select one and paste again.",
    });
    editor.selected.value = "table";
    expect(pasteText(editor, JSON.stringify(row))).to.deep.equal({ count: 1 });
  });

  it("rejects, with a message, what the template cannot contain", () => {
    const inner = { type: "container", components: [{ type: "page-break" }] };
    const editor = newEditor([], "email");
    expect(pasteText(editor, JSON.stringify(inner))).to.deep.equal({
      fault: "Page break is only available in documents.",
    });
    expect(pasteText(editor, '{ "type": "heading" }')).to.deep.equal({
      fault: 'Heading needs "text".',
    });
    expect(getBody(editor)).to.deep.equal([]);
  });
});
