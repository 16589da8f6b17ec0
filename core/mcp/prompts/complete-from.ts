import type { PromptArgument } from "../prompt.js";

/** Offers fixed words; others may be said as well. */
export function oneOf(
  description: string,
  words: readonly string[],
): PromptArgument {
  return {
    description,
    complete: async (_session, typed) =>
      words.filter((word) =>
        word.toLowerCase().startsWith(typed.toLowerCase()),
      ),
  };
}

export const languages = [
  "English",
  "Arabic",
  "Chinese",
  "Dutch",
  "French",
  "German",
  "Hebrew",
  "Hindi",
  "Italian",
  "Japanese",
  "Korean",
  "Polish",
  "Portuguese",
  "Spanish",
  "Thai",
  "Turkish",
  "Ukrainian",
] as const;
