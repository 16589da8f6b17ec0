import { expect } from "chai";
import { value, type Setting } from "./vocabulary.js";

// Stored templates have such patterns: what a token prints does not change.

const printed = (time: number, pattern: string, setting: Setting = {}) =>
  value(`at | date(${JSON.stringify(pattern)})`, { at: time }, setting);

/** Tokens, and what each of them prints for 2024-02-29T13:05:09.250Z in India, in American English. */
const tokens: [string, string][] = [
  ["G GGGG GGGGG", "AD|Anno Domini|A"],
  ["y yo yy yyy yyyy yyyyy", "2024|2024th|24|2024|2024|02024"],
  ["Y Yo YYY YYYYY", "2024|2024th|2024|02024"],
  ["R RR RRRR RRRRR", "2024|2024|2024|02024"],
  ["u uu uuuu uuuuu", "2024|2024|2024|02024"],
  ["Q Qo QQ QQQ QQQQ QQQQQ", "1|1st|01|Q1|1st quarter|1"],
  ["q qo qq qqq qqqq qqqqq", "1|1st|01|Q1|1st quarter|1"],
  ["M Mo MM MMM MMMM MMMMM MMMMMM", "2|2nd|02|Feb|February|F|February"],
  ["L Lo LL LLL LLLL LLLLL LLLLLL", "2|2nd|02|Feb|February|F|February"],
  ["w wo ww", "9|9th|09"],
  ["I Io II", "9|9th|09"],
  ["d do dd ddd", "29|29th|29|029"],
  ["Do DDD DDDD", "60th|060|0060"],
  ["E EE EEE EEEE EEEEE EEEEEE EEEEEEE", "Thu|Thu|Thu|Thursday|T|Th|Thursday"],
  ["e eo ee eee eeee eeeee eeeeee", "5|5th|05|Thu|Thursday|T|Th"],
  ["c co cc ccc cccc ccccc cccccc", "5|5th|05|Thu|Thursday|T|Th"],
  ["i io ii iii iiii iiiii iiiiii", "4|4th|04|Thu|Thursday|T|Th"],
  ["a aa aaa aaaa aaaaa", "PM|PM|pm|p.m.|p"],
  ["b bbb bbbb bbbbb", "PM|pm|p.m.|p"],
  [
    "B BB BBBB BBBBB",
    "in the evening|in the evening|in the evening|in the evening",
  ],
  ["h ho hh", "6|6th|06"],
  ["H Ho HH", "18|18th|18"],
  ["K Ko KK", "6|6th|06"],
  ["k ko kk", "18|18th|18"],
  ["m mo mm", "35|35th|35"],
  ["s so ss", "9|9th|09"],
  ["S SS SSS SSSS", "2|25|250|2500"],
  ["X XX XXX XXXX XXXXX", "+0530|+0530|+05:30|+0530|+05:30"],
  ["x xx xxx xxxx xxxxx", "+0530|+0530|+05:30|+0530|+05:30"],
  ["O OOO OOOO", "GMT+5:30|GMT+5:30|GMT+05:30"],
  ["z zzz zzzz", "GMT+5:30|GMT+5:30|GMT+05:30"],
  ["t T", "1709211909|1709211909250"],
  [
    "P PP PPP PPPP PPPPP",
    "02/29/2024|Feb 29, 2024|February 29th, 2024|Thursday, February 29th, 2024|Thursday, February 29th, 2024",
  ],
  [
    "p pp ppp pppp ppppp",
    "6:35 PM|6:35:09 PM|6:35:09 PM GMT+5:30|6:35:09 PM GMT+05:30|6:35:09 PM GMT+05:30",
  ],
  [
    "Pp PPpp PPPpp PPPPpppp",
    "02/29/2024, 6:35 PM|Feb 29, 2024, 6:35:09 PM|February 29th, 2024 at 6:35:09 PM|Thursday, February 29th, 2024 at 6:35:09 PM GMT+05:30",
  ],
];

/** What `forms` print on Friday, 1 January 2027, 14:05. Names of months and weekdays are Intl's. */
const forms = "EEEE, d MMMM | LLLL | do | P | PPPPp | QQQ, QQQQ | h a | w";
const locales = `
en-US: Friday, 1 January | January | 1st | 01/01/2027 | Friday, January 1st, 2027 at 2:05 PM | Q1, 1st quarter | 2 PM | 1
en-GB: Friday, 1 January | January | 1st | 01/01/2027 | Friday, 1 January 2027 at 14:05 | Q1, 1st quarter | 2 PM | 53
de-DE: Freitag, 1 Januar | Januar | 1. | 01.01.2027 | Freitag, 1. Januar 2027 um 14:05 | Q1, 1. Quartal | 2 nachm. | 53
de-AT: Freitag, 1 Jänner | Jänner | 1. | 01.01.2027 | Freitag, 1. Jänner 2027 um 14:05 | Q1, 1. Quartal | 2 nachm. | 53
fr-FR: vendredi, 1 janvier | janvier | 1er | 01/01/2027 | vendredi 1 janvier 2027 à 14:05 | 1er trim., 1er trimestre | 2 PM | 53
fr-CA: vendredi, 1 janvier | janvier | 1er | 27-01-01 | vendredi 1 janvier 2027 à 14:05 | 1er trim., 1er trimestre | 2 PM | 1
es-ES: viernes, 1 enero | enero | 1º | 01/01/2027 | viernes, 1 de enero de 2027 a las 14:05 | T1, 1º trimestre | 2 PM | 1
it-IT: venerdì, 1 gennaio | gennaio | 1 | 01/01/2027 | venerdì 1 gennaio 2027 14:05 | T1, 1º trimestre | 2 PM | 53
nl-NL: vrijdag, 1 januari | januari | 1e | 01-01-2027 | vrijdag 1 januari 2027 om 14:05 | K1, 1e kwartaal | 2 PM | 53
pt-PT: sexta-feira, 1 janeiro | janeiro | 1º | 01/01/2027 | sexta-feira, 1 de janeiro de 2027 às 14:05 | T1, 1º trimestre | 2 PM | 52
pt-BR: sexta-feira, 1 janeiro | janeiro | 1º | 01/01/2027 | sexta-feira, 1 de janeiro de 2027 às 14:05 | T1, 1º trimestre | 2 PM | 1
pl-PL: piątek, 1 stycznia | styczeń | 1 | 01.01.2027 | piątek, 1 stycznia 2027 14:05 | I kw., I kwartał | 2 PM | 53
cs-CZ: pátek, 1 ledna | leden | 1. | 01.01.2027 | pátek, 1. ledna 2027 v 14:05 | 1. čtvrtletí, 1. čtvrtletí | 2 odp. | 53
sk-SK: piatok, 1 januára | január | 1. | 1. 1. 2027 | piatok 1. januára 2027, 14:05 | Q1, 1. štvrťrok | 2 PM | 53
hr-HR: petak, 1 siječnja | siječanj | 1. | 01. 01. 2027. | petak, 1. siječnja 2027. u 14:05 | 1. kv., 1. kvartal | 2 PM | 1
ru-RU: пятница, 1 января | январь | 1-е | 01.01.2027 | пятница, 1 января 2027 г., 14:05 | 1-й кв., 1-й квартал | 2 ПП | 1
uk-UA: пʼятниця, 1 січня | січень | 1-е | 01.01.2027 | пʼятниця, 1-е січня 2027 р. о 14:05 | 1-й кв., 1-й квартал | 2 ПП | 1
sv-SE: fredag, 1 januari | januari | 1:a | 2027-01-01 | fredag 1 januari 2027 kl. 14:05 | Q1, 1:a kvartalet | 2 em | 53
da-DK: fredag, 1 januar | januar | 1. | 01/01/2027 | fredag den 1. januar 2027 kl. 14:05 | 1. kvt., 1. kvartal | 2 PM | 53
nb-NO: fredag, 1 januar | januar | 1. | 01.01.2027 | fredag 1. januar 2027 kl. 14:05 | Q1, 1. kvartal | 2 p.m. | 53
fi-FI: perjantaina, 1 tammikuuta | tammikuu | 1. | 1.1.2027 | perjantaina 1. tammikuuta 2027 klo 14.05 | Q1, 1. kvartaali | 2 ip | 53
el-GR: Παρασκευή, 1 Ιανουαρίου | Ιανουάριος | 1η | 1/1/27 | Παρασκευή, 1 Ιανουαρίου 2027 - 2:05 μ.μ. | Τ1, 1ο τρίμηνο | 2 μ.μ. | 53
tr-TR: Cuma, 1 Ocak | Ocak | 1. | 01.01.2027 | 1 Ocak 2027 Cuma saat 14:05 | 1Ç, İlk çeyrek | 2 ÖS | 1
hu-HU: péntek, 1 január | január | 1. | 2027. 01. 01. | 2027. január 1., péntek 14:05 | I. n.év, I. negyedév | 2 du. | 53
ro-RO: vineri, 1 ianuarie | ianuarie | 1 | 01.01.2027 | vineri, 1 ianuarie 2027 la 14:05 | T1, primul trimestru | 2 PM | 1
ca-ES: divendres, 1 gener | gener | 1r | 01/01/2027 | divendres, 1 de gener 2027 a les 14:05 | T1, 1r trimestre | 2 PM | 53
lt-LT: penktadienį, 1 sausio | sausis | 1-oji | 2027-01-01 | 2027 m. sausio 1 d., penktadienį 14:05 | I k., I ketvirtis | 2 popiet | 53
ja-JP: 金曜日, 1 1月 | 1月 | 1日 | 2027/01/01 | 2027年1月1日金曜日 14:05 | Q1, 第1四半期 | 2 午後 | 1
zh-CN: 星期五, 1 一月 | 一月 | 1日 | 27-01-01 | 2027年1月1日 星期五 下午 2:05 | 第一季, 第一季度 | 2 下午 | 53
zh-TW: 星期五, 1 1月 | 1月 | 1日 | 27-01-01 | 2027年1月1日 星期五 下午 2:05 | 第一刻, 第一刻鐘 | 2 下午 | 53
ko-KR: 금요일, 1 1월 | 1월 | 1일 | 2027.01.01 | 2027년 1월 1일 금요일 14:05 | Q1, 1분기 | 2 오후 | 1
th-TH: ศุกร์, 1 มกราคม | มกราคม | 1 | 01/01/2027 | วันศุกร์ที่ 1 มกราคม 2027 เวลา 14:05 น. | Q1, ไตรมาสแรก | 2 หลังเที่ยง | 1
vi-VN: Thứ Sáu, 1 tháng 1 | Tháng 1 | 1 | 01/01/2027 | Thứ Sáu, ngày 1 tháng 1 năm 2027 14:05 | Q1, quý I | 2 PM | 1
ar-EG: الجمعة, ١ يناير | يناير | ١ | ١/٠١/٢٠٢٧ | الجمعة، ١ يناير ٢٠٢٧ الساعة ٢:٠٥ م | ر١, الربع الأول | ٢ م | ١
fa-IR: جمعه, ۱ ژانویه | ژانویه | ۱ | ۲۰۲۷/۰۱/۰۱ | جمعه ۱ ژانویه ۲۰۲۷ در ۲:۰۵ ب.ظ. | س‌م۱, سه‌ماهه ۱ | ۲ ب.ظ. | ۱
he-IL: יום שישי, 1 ינואר | ינואר | ראשון | 1.1.2027 | יום שישי, 1 בינואר 2027 בשעה 14:05 | Q1, רבעון 1 | 2 אחה״צ | 1
hi-IN: शुक्रवार, 1 जनवरी | जनवरी | 1 | 01/01/2027 | शुक्रवार, 1 जनवरी, 2027 को 2:05 अपराह्न | ति1, पहली तिमाही | 2 अपराह्न | 52
sw-KE: Friday, 1 January | January | 1st | 01/01/2027 | Friday, January 1st, 2027 at 2:05 PM | Q1, 1st quarter | 2 PM | 1`;

/** What `fields` print at the borders of summer time, of ISO weeks and of years. */
const fields = "uuuu-MM-dd HH:mm:ss XXX, RRRR-'W'II-i, DDD";
const borders = `
2024-03-31T00:59:59Z | Europe/Berlin | 2024-03-31 01:59:59 +01:00, 2024-W13-7, 091
2024-03-31T01:00:00Z | Europe/Berlin | 2024-03-31 03:00:00 +02:00, 2024-W13-7, 091
2024-10-27T00:30:00Z | Europe/Berlin | 2024-10-27 02:30:00 +02:00, 2024-W43-7, 301
2024-10-27T01:30:00Z | Europe/Berlin | 2024-10-27 02:30:00 +01:00, 2024-W43-7, 301
2024-03-10T06:59:59Z | America/New_York | 2024-03-10 01:59:59 -05:00, 2024-W10-7, 070
2024-03-10T07:00:00Z | America/New_York | 2024-03-10 03:00:00 -04:00, 2024-W10-7, 070
2024-11-03T05:30:00Z | America/New_York | 2024-11-03 01:30:00 -04:00, 2024-W44-7, 308
2024-11-03T06:30:00Z | America/New_York | 2024-11-03 01:30:00 -05:00, 2024-W44-7, 308
2024-04-06T14:59:59Z | Australia/Lord_Howe | 2024-04-07 01:59:59 +11:00, 2024-W14-7, 098
2024-04-06T15:00:00Z | Australia/Lord_Howe | 2024-04-07 01:30:00 +10:30, 2024-W14-7, 098
2024-10-05T15:30:00Z | Australia/Lord_Howe | 2024-10-06 02:30:00 +11:00, 2024-W40-7, 280
2024-02-28T18:30:00Z | Asia/Kolkata | 2024-02-29 00:00:00 +05:30, 2024-W09-4, 060
2020-12-31T12:00:00Z | UTC | 2020-12-31 12:00:00 Z, 2020-W53-4, 366
2021-01-03T23:59:59Z | UTC | 2021-01-03 23:59:59 Z, 2020-W53-7, 003
2021-01-04T00:00:00Z | UTC | 2021-01-04 00:00:00 Z, 2021-W01-1, 004
2018-12-31T00:00:00Z | UTC | 2018-12-31 00:00:00 Z, 2019-W01-1, 365
2015-12-31T23:00:00Z | Europe/Berlin | 2016-01-01 00:00:00 +01:00, 2015-W53-5, 001
0999-07-04T10:00:00Z | UTC | 0999-07-04 10:00:00 Z, 0999-W27-4, 185
0044-03-15T10:00:00Z | UTC | 0044-03-15 10:00:00 Z, 0044-W11-2, 075
0000-06-01T10:00:00Z | UTC | 0000-06-01 10:00:00 Z, 0000-W22-4, 153
-000043-03-15T10:00:00Z | UTC | -0043-03-15 10:00:00 Z, -0043-W11-5, 074
+012345-12-31T23:00:00Z | UTC | 12345-12-31 23:00:00 Z, 12346-W01-1, 365
+012345-12-31T23:00:00Z | Asia/Kolkata | 12346-01-01 04:30:00 +05:30, 12346-W01-2, 001
1880-01-01T00:00:00Z | Europe/Berlin | 1880-01-01 00:53:28 +00:53, 1880-W01-4, 001`;

/** `YYY/w/e` of some days, by the rules of the United States, of ISO 8601 (Germany) and of Spain. */
const weeks: [string, string, string, string][] = [
  ["2026-12-27", "2027/1/1", "2026/52/7", "2026/52/7"],
  ["2026-12-31", "2027/1/5", "2026/53/4", "2027/1/4"],
  ["2027-01-01", "2027/1/6", "2026/53/5", "2027/1/5"],
  ["2027-01-04", "2027/2/2", "2027/1/1", "2027/2/1"],
  ["2023-01-01", "2023/1/1", "2022/52/7", "2023/1/7"],
];

describe("a date pattern", () => {
  const leapDay = Date.parse("2024-02-29T13:05:09.250Z");
  for (const [list, texts] of tokens) {
    it(`prints ${texts} for ${list}`, () => {
      const india = { timeZone: "Asia/Kolkata" };
      const all = list
        .split(" ")
        .map((token) => printed(leapDay, token, india));
      expect(all.join("|")).to.equal(texts);
    });
  }

  for (const row of locales.trim().split("\n")) {
    const [locale = "", text = ""] = row.split(/: (.*)/);
    it(`prints the forms and names of ${locale}`, () => {
      const time = Date.parse("2027-01-01T14:05:00Z");
      const all = printed(time, forms, { locale });
      expect(all.normalize()).to.equal(text.normalize());
    });
  }

  for (const row of borders.trim().split("\n")) {
    const [at = "", timeZone = "", text] = row.split(" | ");
    it(`prints ${text} at ${at} in ${timeZone}`, () => {
      expect(printed(Date.parse(at), fields, { timeZone })).to.equal(text);
    });
  }

  for (const [day, ...texts] of weeks) {
    it(`numbers the weeks of ${day} as the locale does`, () => {
      const all = ["en-US", "de-DE", "es-ES"].map((locale) =>
        printed(Date.parse(day), "YYY/w/e", { locale }),
      );
      expect(all).to.deep.equal(texts);
    });
  }

  it("counts the years of an era from 1", () => {
    const year = Date.parse("-000043-03-15T10:00:00Z");
    expect(printed(year, "y G, yyyy GGGG, yy")).to.equal(
      "44 BC, 0044 Before Christ, 44",
    );
    expect(printed(Date.parse("0000-06-01"), "y u")).to.equal("1 0");
  });

  it("prints the parts of a day", () => {
    const parts = [0, 4, 12, 17].map((hour) =>
      printed(Date.UTC(2024, 0, 1, hour), "h aaa, b, B, bbbbb"),
    );
    expect(parts).to.deep.equal([
      "12 am, midnight, at night, mi",
      "4 am, AM, in the morning, a",
      "12 pm, noon, in the afternoon, n",
      "5 pm, PM, in the evening, p",
    ]);
  });

  it("prints an ordinal only for the first day of a French month", () => {
    const [first, second] = [Date.UTC(2024, 2, 1), Date.UTC(2024, 2, 2)];
    const french = { locale: "fr-FR" };
    expect(printed(first, "do MMMM", french)).to.equal("1er mars");
    expect(printed(second, "do MMMM", french)).to.equal("2 mars");
    expect(printed(second, "do", french)).to.equal("2ème");
  });

  it("prints the same month names in all English regions", () => {
    const september = Date.UTC(2024, 8, 1);
    for (const locale of ["en-US", "en-GB", "en-AU", "en-SG"])
      expect(printed(september, "d MMM", { locale })).to.equal("1 Sep");
  });

  it("prints names of Gregorian months where another calendar is usual", () => {
    const march = Date.UTC(2024, 2, 1);
    expect(printed(march, "y MMMM", { locale: "fa-IR" })).to.equal("۲۰۲۴ مارس");
    expect(printed(march, "y MMMM", { locale: "th-TH" })).to.equal(
      "2024 มีนาคม",
    );
  });
});
