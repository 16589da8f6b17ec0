/** The studio's own face of the family, much like it but for its digits, stands in until the print's is there. */
export const interInPrint = '"Inter", "Inter Variable"';

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
      if (meant === "Inter") return interInPrint;
      return meant === name ? written.trim() : `"${meant}"`;
    })
    .join(", ");
}
