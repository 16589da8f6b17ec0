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
  {
    family: "Inter",
    folder: "inter",
    isMadeReadable: true,
    faces: [...DESIGN_WEIGHTS, "800ExtraBold"],
    covers: "Latin, Greek, Cyrillic: the default, also `sans-serif`",
    aliases: ["system-ui", "ui-sans-serif", "Helvetica Neue", "Segoe UI"],
  },
  {
    family: "Source Serif 4",
    folder: "source-serif-4",
    isMadeReadable: true,
    faces: [...WITH_ITALICS, "600SemiBold"],
    covers: "Latin, Greek, Cyrillic: `serif`",
    aliases: ["Georgia", "ui-serif", "Source Serif Pro"],
  },
  {
    family: "JetBrains Mono",
    folder: "jetbrains-mono",
    isMadeReadable: true,
    faces: WITH_ITALICS,
    covers: "Latin, Greek, Cyrillic: `monospace`",
    aliases: ["ui-monospace", "Menlo", "Consolas"],
  },
  {
    family: "Noto Sans",
    folder: "noto-sans",
    faces: WITH_ITALICS,
    covers: "Latin, Greek, Cyrillic with rare letters, Vietnamese, phonetics",
  },
  {
    family: "IBM Plex Sans Arabic",
    folder: "ibm-plex-sans-arabic",
    isParted: true,
    faces: [...REGULAR_TO_BOLD, "500Medium", "600SemiBold"],
    covers:
      "Arabic, Persian, Urdu (its text can be searched and copied; that of Noto Sans Arabic cannot)",
    aliases: ["Noto Sans Arabic"],
  },
  {
    family: "Noto Sans Hebrew",
    folder: "noto-sans-hebrew",
    faces: REGULAR_TO_BOLD,
    covers: "Hebrew",
  },
  {
    family: "Noto Sans Devanagari",
    folder: "noto-sans-devanagari",
    faces: REGULAR_TO_BOLD,
    covers: "Hindi, Marathi, Nepali",
  },
  {
    family: "Noto Sans Bengali",
    folder: "noto-sans-bengali",
    faces: REGULAR_TO_BOLD,
    covers: "Bengali, Assamese",
  },
  {
    family: "Noto Sans Gurmukhi",
    folder: "noto-sans-gurmukhi",
    faces: REGULAR_TO_BOLD,
    covers: "Punjabi",
  },
  {
    family: "Noto Sans Gujarati",
    folder: "noto-sans-gujarati",
    faces: REGULAR_TO_BOLD,
    covers: "Gujarati",
  },
  {
    family: "Noto Sans Oriya",
    folder: "noto-sans-oriya",
    faces: REGULAR_TO_BOLD,
    covers: "Odia",
  },
  {
    family: "Noto Sans Tamil",
    folder: "noto-sans-tamil",
    faces: REGULAR_TO_BOLD,
    covers: "Tamil",
  },
  {
    family: "Noto Sans Telugu",
    folder: "noto-sans-telugu",
    faces: REGULAR_TO_BOLD,
    covers: "Telugu",
  },
  {
    family: "Noto Sans Kannada",
    folder: "noto-sans-kannada",
    faces: REGULAR_TO_BOLD,
    covers: "Kannada",
  },
  {
    family: "Noto Sans Malayalam",
    folder: "noto-sans-malayalam",
    faces: REGULAR_TO_BOLD,
    covers: "Malayalam",
  },
  {
    family: "Noto Sans Sinhala",
    folder: "noto-sans-sinhala",
    faces: REGULAR_TO_BOLD,
    covers: "Sinhala",
  },
  {
    family: "Noto Sans Thai",
    folder: "noto-sans-thai",
    faces: REGULAR_TO_BOLD,
    covers: "Thai",
  },
  {
    family: "Noto Sans Lao",
    folder: "noto-sans-lao",
    faces: REGULAR_TO_BOLD,
    covers: "Lao",
  },
  {
    family: "Noto Sans Khmer",
    folder: "noto-sans-khmer",
    faces: REGULAR_TO_BOLD,
    covers: "Khmer",
  },
  {
    family: "Noto Sans Myanmar",
    folder: "noto-sans-myanmar",
    faces: REGULAR_TO_BOLD,
    covers: "Burmese, Shan, Mon",
  },
  {
    family: "Noto Serif Tibetan",
    folder: "noto-serif-tibetan",
    faces: REGULAR_TO_BOLD,
    covers: "Tibetan, Dzongkha",
  },
  {
    family: "Noto Sans Ethiopic",
    folder: "noto-sans-ethiopic",
    faces: REGULAR_TO_BOLD,
    covers: "Amharic, Tigrinya",
  },
  {
    family: "Noto Sans Georgian",
    folder: "noto-sans-georgian",
    faces: REGULAR_TO_BOLD,
    covers: "Georgian",
  },
  {
    family: "Noto Sans Armenian",
    folder: "noto-sans-armenian",
    faces: REGULAR_TO_BOLD,
    covers: "Armenian",
  },
  {
    family: "BIZ UDPGothic",
    folder: "biz-udpgothic",
    faces: REGULAR_TO_BOLD,
    covers: 'Japanese (`lang="ja"`)',
    aliases: ["Noto Sans JP", "Noto Sans CJK JP"],
  },
  {
    family: "NanumGothic",
    folder: "nanum-gothic",
    faces: REGULAR_TO_BOLD,
    covers: "Korean",
    aliases: ["Nanum Gothic", "Noto Sans KR", "Noto Sans CJK KR"],
  },
  {
    family: "Noto Sans SC",
    folder: "noto-sans-sc",
    faces: REGULAR_TO_BOLD,
    covers: "Chinese, simplified; also traditional and rare Han characters",
    aliases: ["Noto Sans CJK SC", "Noto Sans TC"],
  },
  {
    family: "Noto Sans Rare Han",
    folder: "noto-sans-rare-han",
    faces: REGULAR_TO_BOLD,
    covers: "Han characters of names in Japan and Hong Kong",
  },
  {
    family: "Noto Sans Math",
    folder: "noto-sans-math",
    faces: ["400Regular"],
    covers: "mathematical signs and alphabets",
  },
  {
    family: "Noto Sans Symbols",
    folder: "noto-sans-symbols",
    faces: REGULAR_TO_BOLD,
    covers: "symbols: currency, weather, music, alchemy",
  },
  {
    family: "Noto Sans Symbols 2",
    folder: "noto-sans-symbols-2",
    faces: ["400Regular"],
    covers: "symbols: arrows, dingbats, boxes, chess, braille",
  },
  {
    family: "Noto Color Emoji",
    folder: "noto-color-emoji",
    faces: ["400Regular"],
    covers: "emoji, in colour",
  },
  {
    family: "Playfair Display",
    folder: "playfair-display",
    faces: [...WITH_ITALICS, "600SemiBold"],
    covers: "Latin, Cyrillic: display serif for titles",
  },
  {
    family: "Great Vibes",
    folder: "great-vibes",
    faces: ["400Regular"],
    covers: "Latin: script for certificates and signatures, also `cursive`",
  },
  {
    family: "Arimo",
    folder: "arimo",
    faces: WITH_ITALICS,
    covers: "Latin, Greek, Cyrillic, Hebrew: same widths as Arial",
    aliases: ["Arial", "Helvetica"],
  },
  {
    family: "Tinos",
    folder: "tinos",
    faces: WITH_ITALICS,
    covers: "Latin, Greek, Cyrillic, Hebrew: same widths as Times New Roman",
    aliases: ["Times New Roman", "Times"],
  },
  {
    family: "Cousine",
    folder: "cousine",
    faces: WITH_ITALICS,
    covers: "Latin, Greek, Cyrillic, Hebrew: same widths as Courier New",
    aliases: ["Courier New", "Courier"],
  },
];

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
