import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type CssNode, type List, parse, walk } from "css-tree";

const sources = "studio/src";

/** The part of the studio that a file belongs to: what is outside of these is shared by all pages. */
function getPart(path: string): string {
  return /\/(editor|wizard)\//.exec(path)?.[1] ?? "shared";
}

/** Classes that a file styles wherever they are: `.name` without another element around it. */
function findClasses(path: string): string[] {
  const classes: string[] = [];
  walk(parse(readFileSync(path, "utf8")), {
    visit: "Selector",
    enter({ children }: { children: List<CssNode> }) {
      const [first, ...others] = children.toArray();
      const isAlone = others.every(
        (one) => one.type === "PseudoClassSelector" && one.children === null,
      );
      if (first?.type === "ClassSelector" && isAlone) classes.push(first.name);
    },
  });
  return classes;
}

describe("the styles of the studio", () => {
  it("use each class in one component only, because every page loads the same file", () => {
    const parts = new Map<string, Set<string>>();
    const files = readdirSync(sources, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".css"))
      .map((name) => join(sources, name));
    for (const path of files)
      for (const name of findClasses(path))
        parts.set(name, (parts.get(name) ?? new Set()).add(getPart(path)));
    expect(parts).to.include.keys("sheet", "table-sketch", "button");
    const shared = [...parts].filter(([, { size }]) => size > 1);
    expect(shared.map(([name]) => name)).to.deep.equal([]);
  });
});
