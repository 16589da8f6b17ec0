// Date patterns of strftime, PHP, Moment and Excel, and what to write instead. Only used for messages.

const STRFTIME = readCodes(
  "Y=yyyy y=yy m=MM -m=M d=dd -d=d e=d B=MMMM b=MMM h=MMM H=HH -H=H " +
    "I=hh -I=h l=h M=mm S=ss L=SSS p=a A=EEEE a=EEE j=DDD Z=z z=xx s=t " +
    "F=yyyy-MM-dd D=MM/dd/yy T=HH:mm:ss R=HH:mm",
);
const PHP = readCodes(
  "Y=yyyy y=yy m=MM n=M d=dd j=d F=MMMM M=MMM H=HH G=H i=mm s=ss l=EEEE D=EEE",
);

/** @param pairs a code there and here each */
function readCodes(pairs: string): ReadonlyMap<string, string> {
  const codes = pairs.split(" ").map((pair): [string, string] => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return new Map(codes);
}

/**
 * The pattern that another language's means: `dd.MM.yyyy` for `%d.%m.%Y`, `d.m.Y`, `DD.MM.YYYY` and `dd.mm.yyyy`; null
 * for one of this language, and "" for a code of strftime that has no letter here.
 */
export function findMeantDatePattern(pattern: string): string | null {
  const meant = correctLetters(translateCodes(pattern));
  return meant === pattern ? null : meant;
}

function translateCodes(pattern: string): string {
  if (/%-?[A-Za-z]/.test(pattern)) {
    const codes = pattern.match(/(?<=%)-?[A-Za-z]/g) ?? [];
    if (!codes.every((code) => STRFTIME.has(code))) return "";
    return pattern.replaceAll(
      /%(-?[A-Za-z])|[A-Za-z]+/g,
      (text, code: string) => STRFTIME.get(code) ?? `'${text}'`,
    );
  }
  // PHP has one letter for each part. Its year has four digits, and here Y is the year of a week.
  const isPhp =
    /^[djnmYFMlDHGis\s.,:/-]+$/.test(pattern) &&
    !/([A-Za-z])\1/.test(pattern) &&
    (/[GH]:i|Y.*m|m.*Y/.test(pattern) ||
      (/(?<![A-Za-z])Y(?![A-Za-z])/.test(pattern) &&
        /[A-Za-z][\s.,:/-]/.test(pattern)));
  return isPhp
    ? pattern.replaceAll(/[A-Za-z]/g, (code) => PHP.get(code) ?? code)
    : pattern.replace(/(?<=[Hh]:)ii?(?![A-Za-z])/, "mm");
}

/** Letters that mean something else here, as a letter each. Text between quotes is not replaced. */
function correctLetters(pattern: string): string {
  let letters = pattern.replaceAll(/'(?:''|[^'])*'?/g, ({ length }) =>
    "'".repeat(length),
  );
  const replace = (runs: RegExp, letter: string) => {
    letters = letters.replace(runs, ({ length }) => letter.repeat(length));
  };
  if (!letters.includes("w")) replace(/(?<!Y)(?:YYYY|YY)(?!Y)/g, "y");
  if (/[MmYy]/.test(letters)) replace(/(?<!D)DD?(?![Do])/g, "d");
  replace(/(?<!d)d{3,4}(?!d)/g, "E");
  replace(/(?<!m)m{3,5}(?!m)/g, "M");
  replace(/(?<=[HhKk]:?)MM?(?![Mo])|(?<!M)MM?(?=:(?:s|SS(?!S)))/g, "m");
  replace(/(?<=m:)SS(?!S)/g, "s");
  // Minutes follow an hour or precede seconds.
  if (!/[ML]/.test(letters))
    replace(
      /(?<!m)(?<![HhKk][^A-Za-z]*)(?:(?<=(?:[dy]|do)[^A-Za-z]*)mm?|mm?(?=[^A-Za-z]*[dy]))(?![mo])(?![^A-Za-z]*s)/g,
      "M",
    );
  return Array.from(pattern, (character, at) =>
    letters[at] === "'" ? character : (letters[at] ?? ""),
  ).join("");
}
