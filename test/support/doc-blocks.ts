import { readFileSync } from "node:fs";

/** A fenced block of a Markdown page: "```sh skip: needs an Airtable account" has the note "skip: needs …". */
export interface DocBlock {
  language: string;
  note: string;
  code: string;
  line: number;
}

/** The fenced blocks of a page, those inside of lists too. */
export function readBlocks(page: string): DocBlock[] {
  const lines = readFileSync(page, "utf8").split("\n");
  const blocks: DocBlock[] = [];
  let open: (DocBlock & { indent: string; fence: string }) | null = null;
  for (const [index, line] of lines.entries()) {
    const [, indent = "", fence = "", info = ""] =
      /^( *)(`{3,})(.*)$/.exec(line) ?? [];
    if (open === null && fence !== "") {
      const [language = "", ...note] = info.trim().split(" ");
      const at = { language, note: note.join(" "), line: index + 1 };
      open = { ...at, code: "", indent, fence };
    } else if (open !== null && fence === open.fence && info === "") {
      const { indent: _, fence: __, ...block } = open;
      blocks.push(block);
      open = null;
    } else if (open !== null) {
      open.code += `${line.startsWith(open.indent) ? line.slice(open.indent.length) : line}\n`;
    }
  }
  return blocks;
}

/** The block that a page tells its readers to save or paste under this name. */
export function readDocFile(page: string, name: string): string {
  const [block, ...others] = readBlocks(page).filter(
    ({ note }) => note === `file=${name}`,
  );
  if (!block || others.length > 0)
    throw new Error(`${page} must have one block with file=${name}.`);
  return block.code;
}
