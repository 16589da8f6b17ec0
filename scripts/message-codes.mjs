import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

const pluralSuffix = /_(?:zero|one|two|few|many|other)$/;

/**
 * Replaces the keys of the studio's messages, such as "editor.addComponent", by short codes: they would add more to the
 * bundle than the texts. In the sources, a key is always a complete string literal.
 */
export async function createMessageCodes(sources) {
  const english = join(sources, "messages", "en.ts");
  const messages = await readMessages(english);
  const keys = new Set(messages.map(([key]) => key.replace(pluralSuffix, "")));
  const codes = assignCodes(sources, keys);

  /** Encodes the keys in a module's text. */
  function encode(text) {
    return text.replaceAll(/"(\w+\.\w+)"/g, (literal, key) =>
      codes.has(key) ? JSON.stringify(codes.get(key)) : literal,
    );
  }

  /** A module that exports the messages of a catalog by code. Codes are positions, so that they take no room. */
  async function encodeCatalog(path, name) {
    // Sorted, the forms of all plurals are in the same order.
    const sorted = (await readMessages(path)).toSorted(([one], [other]) =>
      one < other ? -1 : 1,
    );
    const forms = Map.groupBy(sorted, ([key]) => key.replace(pluralSuffix, ""));
    const texts = [...codes.keys()].map((key) =>
      forms
        .get(key)
        .map(([, text]) => text)
        .join("\t"),
    );
    const plural = [...forms.values()].find(({ length }) => length > 1);
    const suffixes = plural.map(([key]) => pluralSuffix.exec(key)[0]);
    return `export const ${name} = Object.fromEntries(
      ${JSON.stringify(texts.join("\n"))}.split("\\n").flatMap((text, index) => {
        const code = index.toString(36);
        const forms = text.split("\\t");
        return forms.length === 1
          ? [[code, text]]
          : ${JSON.stringify(suffixes)}.map((suffix, form) => [code + suffix, forms[form]]);
      }),
    );`;
  }

  return {
    encode,
    plugin: {
      name: "message-codes",
      setup({ onLoad }) {
        onLoad({ filter: /\/messages\/[a-z]{2}\.ts$/ }, async ({ path }) => ({
          contents: await encodeCatalog(path, basename(path, ".ts")),
        }));
      },
    },
  };
}

/** The messages of a catalog by key; those of a plural have its suffix. */
async function readMessages(path) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    format: "esm",
    write: false,
  });
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  const [catalog] = Object.values(
    await import(`data:text/javascript;base64,${code}`),
  );
  return Object.entries(catalog).flatMap(([area, messages]) =>
    Object.entries(messages).map(([name, text]) => [`${area}.${name}`, text]),
  );
}

/** Numbers the keys in the order of their first use: near each other they differ little, and compress well. */
function assignCodes(sources, keys) {
  const codes = new Map();
  const paths = readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .toSorted();
  for (const path of paths) {
    const text = readFileSync(join(sources, path), "utf8");
    for (const [, key] of text.matchAll(/"(\w+\.\w+)"/g))
      if (keys.has(key) && !codes.has(key))
        codes.set(key, codes.size.toString(36));
  }
  return codes;
}
