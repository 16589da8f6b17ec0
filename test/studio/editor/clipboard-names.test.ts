import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../core/plugin-api/definition.js";
import {
  toClipboardText,
  duplicateComponents,
  pasteText,
} from "../../../plugins/studio/app/src/editor/model/clipboard.js";
import { newEditor, withoutIds } from "../../support/editor-model.js";

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
