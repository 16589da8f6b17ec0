import { toCardinal as arabic } from "n2words/ar-SA";
import { toCardinal as british } from "n2words/en-GB";
import { toCardinal as chinese } from "n2words/zh-Hans-CN";
import { toCardinal as czech } from "n2words/cs-CZ";
import { toCardinal as danish } from "n2words/da-DK";
import { toCardinal as dutch } from "n2words/nl-NL";
import { toCardinal as english } from "n2words/en-US";
import { toCardinal as finnish } from "n2words/fi-FI";
import { toCardinal as french } from "n2words/fr-FR";
import { toCardinal as german } from "n2words/de-DE";
import { toCardinal as hindi } from "n2words/hi-IN";
import { toCardinal as indian } from "n2words/en-IN";
import { toCardinal as italian } from "n2words/it-IT";
import { toCardinal as japanese } from "n2words/ja-JP";
import { toCardinal as norwegian } from "n2words/nb-NO";
import { toCardinal as polish } from "n2words/pl-PL";
import { toCardinal as portuguese } from "n2words/pt-PT";
import { toCardinal as spanish } from "n2words/es-ES";
import { toCardinal as swedish } from "n2words/sv-SE";
import { toCardinal as turkish } from "n2words/tr-TR";

/** A language's words for whole numbers, and the word that joins a fraction to them ("and 56/100"). */
export interface Cardinal {
  readonly words: (whole: bigint) => string;
  readonly joint: string;
}

const ENGLISH: Cardinal = { words: english, joint: "and " };

const cardinals: Readonly<Record<string, Cardinal>> = {
  ar: { words: arabic, joint: "و " },
  cs: { words: czech, joint: "a " },
  da: { words: danish, joint: "og " },
  de: { words: german, joint: "und " },
  en: ENGLISH,
  "en-GB": { words: british, joint: "and " },
  "en-IN": { words: indian, joint: "and " },
  es: { words: spanish, joint: "con " },
  fi: { words: finnish, joint: "ja " },
  fr: { words: french, joint: "et " },
  hi: { words: hindi, joint: "और " },
  it: { words: italian, joint: "e " },
  ja: { words: japanese, joint: "" },
  nb: { words: norwegian, joint: "og " },
  nl: { words: dutch, joint: "en " },
  no: { words: norwegian, joint: "og " },
  pl: { words: polish, joint: "i " },
  pt: { words: portuguese, joint: "e " },
  sv: { words: swedish, joint: "och " },
  tr: { words: turkish, joint: "" },
  zh: { words: chinese, joint: "" },
};

/** The words of the locale's language; English where there are none. */
export function cardinalFor(locale: string): Cardinal {
  const { language } = new Intl.Locale(locale);
  return cardinals[locale] ?? cardinals[language] ?? ENGLISH;
}
