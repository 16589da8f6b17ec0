/** In print "Inter" is a family of faces; the studio has all of it in one, under this name. */
const atHand = '"Inter Variable"';

/**
 * A list of families as the print takes it: an alias or a generic name is what it stands for there.
 * @param aliases as `EditorDesign.fontAliases`
 */
export function printFonts(
  families: string,
  aliases: Readonly<Record<string, string>>,
): string {
  return families
    .split(",")
    .map((written) => {
      const name = written.trim().replaceAll(/^["']|["']$/g, "");
      const meant = Object.hasOwn(aliases, name) ? aliases[name] : name;
      if (meant === "Inter") return atHand;
      return meant === name ? written.trim() : `"${meant}"`;
    })
    .join(", ");
}
