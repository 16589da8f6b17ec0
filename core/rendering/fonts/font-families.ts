/** One font family that every document can use in CSS, on every machine. */
export interface FontFamily {
  /** Its name in CSS. */
  family: string;
  /** Folder of its TTF files and its license, below `fonts`. */
  folder: string;
  /** The files of that folder without `.ttf`, one face each. */
  faces: readonly string[];
  /** What it is for, as `docs/reference/fonts.md` says it. */
  covers: string;
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

/** In the order in which missing glyphs are searched. */
export const FONT_FAMILIES: readonly FontFamily[] = [
  createFamily(
    "Inter",
    "Latin, Greek, Cyrillic: the default, also `sans-serif`",
    {
      faces: [...DESIGN_WEIGHTS, "800ExtraBold"],
      aliases: ["system-ui", "ui-sans-serif", "Helvetica Neue", "Segoe UI"],
      isMadeReadable: true,
    },
  ),
  createFamily("Source Serif 4", "Latin, Greek, Cyrillic: `serif`", {
    faces: [...WITH_ITALICS, "600SemiBold"],
    aliases: ["Georgia", "ui-serif", "Source Serif Pro"],
    isMadeReadable: true,
  }),
  createFamily("JetBrains Mono", "Latin, Greek, Cyrillic: `monospace`", {
    faces: WITH_ITALICS,
    aliases: ["ui-monospace", "Menlo", "Consolas"],
    isMadeReadable: true,
  }),
  createFamily(
    "Noto Sans",
    "Latin, Greek, Cyrillic with rare letters, Vietnamese, phonetics",
    { faces: WITH_ITALICS },
  ),
  createFamily(
    "IBM Plex Sans Arabic",
    "Arabic, Persian, Urdu (its text can be searched and copied; that of Noto Sans Arabic cannot)",
    {
      faces: [...REGULAR_TO_BOLD, "500Medium", "600SemiBold"],
      aliases: ["Noto Sans Arabic"],
      isParted: true,
    },
  ),
  createFamily("Noto Sans Hebrew", "Hebrew"),
  createFamily("Noto Sans Devanagari", "Hindi, Marathi, Nepali"),
  createFamily("Noto Sans Bengali", "Bengali, Assamese"),
  createFamily("Noto Sans Gurmukhi", "Punjabi"),
  createFamily("Noto Sans Gujarati", "Gujarati"),
  createFamily("Noto Sans Oriya", "Odia"),
  createFamily("Noto Sans Tamil", "Tamil"),
  createFamily("Noto Sans Telugu", "Telugu"),
  createFamily("Noto Sans Kannada", "Kannada"),
  createFamily("Noto Sans Malayalam", "Malayalam"),
  createFamily("Noto Sans Sinhala", "Sinhala"),
  createFamily("Noto Sans Thai", "Thai"),
  createFamily("Noto Sans Lao", "Lao"),
  createFamily("Noto Sans Khmer", "Khmer"),
  createFamily("Noto Sans Myanmar", "Burmese, Shan, Mon"),
  createFamily("Noto Serif Tibetan", "Tibetan, Dzongkha"),
  createFamily("Noto Sans Ethiopic", "Amharic, Tigrinya"),
  createFamily("Noto Sans Georgian", "Georgian"),
  createFamily("Noto Sans Armenian", "Armenian"),
  createFamily("BIZ UDPGothic", 'Japanese (`lang="ja"`)', {
    aliases: ["Noto Sans JP", "Noto Sans CJK JP"],
  }),
  createFamily("NanumGothic", "Korean", {
    folder: "nanum-gothic",
    aliases: ["Nanum Gothic", "Noto Sans KR", "Noto Sans CJK KR"],
  }),
  createFamily(
    "Noto Sans SC",
    "Chinese, simplified; also traditional and rare Han characters",
    { aliases: ["Noto Sans CJK SC", "Noto Sans TC"] },
  ),
  createFamily(
    "Noto Sans Rare Han",
    "Han characters of names in Japan and Hong Kong",
  ),
  createFamily("Noto Sans Math", "mathematical signs and alphabets", {
    faces: ["400Regular"],
  }),
  createFamily(
    "Noto Sans Symbols",
    "symbols: currency, weather, music, alchemy",
  ),
  createFamily(
    "Noto Sans Symbols 2",
    "symbols: arrows, dingbats, boxes, chess, braille",
    { faces: ["400Regular"] },
  ),
  createFamily("Noto Color Emoji", "emoji, in colour", {
    faces: ["400Regular"],
  }),
  createFamily(
    "Playfair Display",
    "Latin, Cyrillic: display serif for titles",
    { faces: [...WITH_ITALICS, "600SemiBold"] },
  ),
  createFamily(
    "Great Vibes",
    "Latin: script for certificates and signatures, also `cursive`",
    { faces: ["400Regular"] },
  ),
  createFamily(
    "Arimo",
    "Latin, Greek, Cyrillic, Hebrew: same widths as Arial",
    { faces: WITH_ITALICS, aliases: ["Arial", "Helvetica"] },
  ),
  createFamily(
    "Tinos",
    "Latin, Greek, Cyrillic, Hebrew: same widths as Times New Roman",
    { faces: WITH_ITALICS, aliases: ["Times New Roman", "Times"] },
  ),
  createFamily(
    "Cousine",
    "Latin, Greek, Cyrillic, Hebrew: same widths as Courier New",
    { faces: WITH_ITALICS, aliases: ["Courier New", "Courier"] },
  ),
];

function createFamily(
  family: string,
  covers: string,
  details: Partial<FontFamily> = {},
): FontFamily {
  const folder = family.toLowerCase().replaceAll(" ", "-");
  return { family, folder, faces: REGULAR_TO_BOLD, covers, ...details };
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
