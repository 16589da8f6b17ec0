/** One font family that every document can use in CSS, on every machine. */
export interface FontFamily {
  /** Its name in CSS. */
  family: string;
  /** Folder of its TTF files and its license, below `fonts`. */
  folder: string;
  /** The files of that folder without `.ttf`, one face each. */
  faces: readonly string[];
  /** Other names that documents use for it. */
  aliases?: readonly string[];
  /** Its figures are tabular and its text can be copied out of a PDF whole, see `open-type.ts`. */
  isMadeReadable?: true;
  /** Of its joined shapes only those that must be are one, see `open-type.ts`. */
  isParted?: true;
}

const REGULAR_TO_BOLD = ["400Regular", "700Bold"] as const;
const WITH_ITALICS = [
  ...REGULAR_TO_BOLD,
  "400Regular_Italic",
  "700Bold_Italic",
] as const;
const DESIGN_WEIGHTS = [
  ...WITH_ITALICS,
  "300Light",
  "500Medium",
  "600SemiBold",
] as const;

/** In the order in which missing glyphs are searched. `docs/reference/fonts.md` says what each is for. */
export const FONT_FAMILIES: readonly FontFamily[] = [
  createFamily("Inter", {
    faces: [...DESIGN_WEIGHTS, "800ExtraBold"],
    aliases: ["system-ui", "ui-sans-serif", "Helvetica Neue", "Segoe UI"],
    isMadeReadable: true,
  }),
  createFamily("Source Serif 4", {
    faces: [...WITH_ITALICS, "600SemiBold"],
    aliases: ["Georgia", "ui-serif", "Source Serif Pro"],
    isMadeReadable: true,
  }),
  createFamily("JetBrains Mono", {
    faces: WITH_ITALICS,
    aliases: ["ui-monospace", "Menlo", "Consolas"],
    isMadeReadable: true,
  }),
  createFamily("Noto Sans", { faces: WITH_ITALICS }),
  createFamily("IBM Plex Sans Arabic", {
    faces: [...REGULAR_TO_BOLD, "500Medium", "600SemiBold"],
    aliases: ["Noto Sans Arabic"],
    isParted: true,
  }),
  createFamily("Noto Sans Hebrew"),
  createFamily("Noto Sans Devanagari"),
  createFamily("Noto Sans Bengali"),
  createFamily("Noto Sans Gurmukhi"),
  createFamily("Noto Sans Gujarati"),
  createFamily("Noto Sans Oriya"),
  createFamily("Noto Sans Tamil"),
  createFamily("Noto Sans Telugu"),
  createFamily("Noto Sans Kannada"),
  createFamily("Noto Sans Malayalam"),
  createFamily("Noto Sans Sinhala"),
  createFamily("Noto Sans Thai"),
  createFamily("Noto Sans Lao"),
  createFamily("Noto Sans Khmer"),
  createFamily("Noto Sans Myanmar"),
  createFamily("Noto Serif Tibetan"),
  createFamily("Noto Sans Ethiopic"),
  createFamily("Noto Sans Georgian"),
  createFamily("Noto Sans Armenian"),
  createFamily("BIZ UDPGothic", {
    aliases: ["Noto Sans JP", "Noto Sans CJK JP"],
  }),
  createFamily("NanumGothic", {
    folder: "nanum-gothic",
    aliases: ["Nanum Gothic", "Noto Sans KR", "Noto Sans CJK KR"],
  }),
  createFamily("Noto Sans SC", {
    aliases: ["Noto Sans CJK SC", "Noto Sans TC"],
  }),
  createFamily("Noto Sans Rare Han"),
  createFamily("Noto Sans Math", { faces: ["400Regular"] }),
  createFamily("Noto Sans Symbols"),
  createFamily("Noto Sans Symbols 2", { faces: ["400Regular"] }),
  createFamily("Noto Color Emoji", { faces: ["400Regular"] }),
  createFamily("Playfair Display", { faces: [...WITH_ITALICS, "600SemiBold"] }),
  createFamily("Great Vibes", { faces: ["400Regular"] }),
  createFamily("Arimo", {
    faces: WITH_ITALICS,
    aliases: ["Arial", "Helvetica"],
  }),
  createFamily("Tinos", {
    faces: WITH_ITALICS,
    aliases: ["Times New Roman", "Times"],
  }),
  createFamily("Cousine", {
    faces: WITH_ITALICS,
    aliases: ["Courier New", "Courier"],
  }),
];

function createFamily(
  family: string,
  details: Partial<FontFamily> = {},
): FontFamily {
  const folder = family.toLowerCase().replaceAll(" ", "-");
  return { family, folder, faces: REGULAR_TO_BOLD, ...details };
}

/** Which family each generic name of CSS means. */
export const GENERIC_FAMILIES = {
  standard: "Inter",
  sansSerif: "Inter",
  serif: "Source Serif 4",
  fixed: "JetBrains Mono",
  cursive: "Great Vibes",
  fantasy: "Playfair Display",
  math: "Noto Sans Math",
} as const;

/** The same by the names of CSS. */
export const CSS_GENERICS: Readonly<Record<string, string>> = {
  "sans-serif": GENERIC_FAMILIES.sansSerif,
  serif: GENERIC_FAMILIES.serif,
  monospace: GENERIC_FAMILIES.fixed,
  cursive: GENERIC_FAMILIES.cursive,
  fantasy: GENERIC_FAMILIES.fantasy,
};
