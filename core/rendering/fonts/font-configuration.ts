import { CSS_GENERICS, FONT_FAMILIES } from "../fonts.js";

/**
 * The configuration of fontconfig that Chromium gets: our fonts and no others, so that a document looks the same on
 * every machine. Where a letter is missing, families are asked in the order of the list.
 */
export function fontConfiguration(
  fontFolder: string,
  cacheFolder: string,
): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
<dir>${escapeXml(fontFolder)}</dir>
<cachedir>${escapeXml(cacheFolder)}</cachedir>
${renderingRules}
${FONT_FAMILIES.flatMap(({ family, aliases = [] }) =>
  aliases.map((alias) => aliasRule(alias, [family], "same")),
).join("\n")}
${Object.entries(CSS_GENERICS)
  .map(([generic, first]) => aliasRule(generic, [first, ...fallbacks], "weak"))
  .join("\n")}
</fontconfig>
`;
}

const fallbacks = FONT_FAMILIES.map(({ family }) => family);

/** Outlines as they are drawn: a printed page has no pixel grid to fit them to. */
const renderingRules = `<match target="pattern"><edit name="family" mode="append_last"><string>sans-serif</string></edit></match>
<match target="font"><edit name="hinting" mode="assign"><bool>false</bool></edit><edit name="antialias" mode="assign"><bool>true</bool></edit></match>`;

function aliasRule(
  name: string,
  families: readonly string[],
  binding: "same" | "weak",
): string {
  const list = families.map(
    (family) => `<family>${escapeXml(family)}</family>`,
  );
  return `<alias binding="${binding}"><family>${escapeXml(name)}</family><prefer>${list.join("")}</prefer></alias>`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
