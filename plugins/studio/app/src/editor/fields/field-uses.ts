import type { Component } from "../../../../../../core/contract/definition.js";
import { catalogEntry } from "../model/catalog.js";
import type { Editor } from "../model/editor.js";
import { regionWords } from "../model/place-words.js";

const EXPRESSION = /\{\{[^]*?\}\}/g;

/** The parts of the template whose expressions have this name in them, in words: "Text: Dear {{ … }}". */
export function usesOf(editor: Editor, name: string): string[] {
  const { entries } = editor.tree.peek();
  const word = wordPattern(name);
  return [...entries.values()]
    .filter(({ component }) => readsWord(component, word))
    .map(({ component, region }) => {
      const { words } = catalogEntry(component.type);
      const text = "text" in component ? plain(component.text) : "";
      const named = text === "" ? words : `${words}: ${text}`;
      return region === "body" ? named : `${regionWords[region]} › ${named}`;
    });
}

function wordPattern(name: string): RegExp {
  const escaped = name.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped}(?![\\p{L}\\p{N}_$])`, "u");
}

/** In its own expressions, not in those of what it holds. */
function readsWord(component: Component, word: RegExp): boolean {
  const { condition, collection, ...own } = component;
  const { else: _else, ...logic } = condition ?? {};
  const { empty: _empty, ...repeat } = collection ?? {};
  const rest = Object.entries(own).filter(([key]) => key !== "components");
  const texts = JSON.stringify(rest).match(EXPRESSION) ?? [];
  const chart = component.type === "chart" ? rest : [];
  return [...texts, JSON.stringify([logic, repeat, chart])].some((one) =>
    word.test(one),
  );
}

function plain(text: unknown): string {
  const whole = typeof text === "string" ? text : "";
  const short = whole.replaceAll(EXPRESSION, "…").trim().slice(0, 40);
  return short;
}
