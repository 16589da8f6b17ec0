import { useEditor } from "../../model/editor.js";
import { Group } from "../controls/group.js";
import { SuggestField } from "../controls/suggest-field.js";
import { TemplateRow } from "../controls/template-row.js";
import { setWhole } from "./set-at.js";

const locales = [
  "en-US en-GB en-CA en-AU de-DE de-AT de-CH fr-FR fr-CA fr-CH es-ES es-MX it-IT",
  "nl-NL pt-PT pt-BR da-DK sv-SE nb-NO fi-FI pl-PL cs-CZ tr-TR el-GR ru-RU uk-UA",
  "ar-SA he-IL hi-IN th-TH ja-JP ko-KR zh-CN",
].flatMap((line) => line.split(" "));

/** How dates and money are written, and what the file is called. */
export function FormatFields() {
  const editor = useEditor();
  const { locale, currency, timeZone, fileName } = editor.definition.value;
  return (
    <Group title="Language and file">
      <SuggestField
        label="Language"
        value={locale}
        placeholder="en-US"
        options={locales.map((one) => [one, languageName(one)])}
        isSound={isLocale}
        onChange={(value) => setWhole(editor, "locale", value)}
      />
      <SuggestField
        label="Currency"
        value={currency}
        placeholder="USD"
        options={Intl.supportedValuesOf("currency").map((one) => [one, one])}
        isSound={isCurrency}
        onChange={(value) => setWhole(editor, "currency", value)}
      />
      <SuggestField
        label="Time zone"
        value={timeZone}
        placeholder="UTC"
        options={Intl.supportedValuesOf("timeZone").map((one) => [one, one])}
        isSound={isTimeZone}
        onChange={(value) => setWhole(editor, "timeZone", value)}
      />
      <p class="prop-example">{exampleOf(locale, currency)}</p>
      <TemplateRow
        label="File name"
        value={fileName ?? ""}
        owner={null}
        placeholder="Words and /"
        onChange={(value) => setWhole(editor, "fileName", value || undefined)}
      />
    </Group>
  );
}

function languageName(locale: string): string {
  return new Intl.DisplayNames("en", { type: "language" }).of(locale) ?? locale;
}

function isLocale(text: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
}

/** Of three letters: which of them are money is not asked. */
function isCurrency(text: string): boolean {
  return /^[A-Z]{3}$/.test(text);
}

function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions();
    return true;
  } catch {
    return false;
  }
}

/** A date and an amount as the document will have them. */
function exampleOf(locale = "en-US", currency = "USD"): string {
  if (!isLocale(locale) || !isCurrency(currency)) return "";
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "long" });
  const amount = new Intl.NumberFormat(locale, { style: "currency", currency });
  return `${date.format(new Date())} · ${amount.format(1234.5)}`;
}
