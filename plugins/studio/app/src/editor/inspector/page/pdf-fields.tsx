import { useState } from "preact/hooks";
import { AssetPicker } from "../../../assets/asset-picker.js";
import { Button } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { useEditor } from "../../model/editor-context.js";
import { Group, SuggestField, SwitchField } from "../controls/fields.js";
import { TemplateRow } from "../controls/template-fields.js";
import { setProperty, setRootProperty } from "./set-property.js";
import { locale as userLocale, t } from "../../../messages/index.js";

const texts = [
  ["title", t("page.title")],
  ["author", t("page.author")],
  ["subject", t("common.subject")],
] as const;

export function PdfFields() {
  const editor = useEditor();
  const { pdf = {} } = editor.definition.value;
  return (
    <Group title="PDF" isFolded>
      {texts.map(([key, words]) => (
        <TemplateRow
          label={words}
          value={pdf[key] ?? ""}
          owner={null}
          onChange={(text) =>
            setProperty(editor, "pdf", key, text || undefined)
          }
          key={key}
        />
      ))}
      <TemplateRow
        label={t("page.keywords")}
        value={pdf.keywords?.join(", ") ?? ""}
        owner={null}
        hint={t("page.separatedByCommas")}
        onChange={(text) =>
          setProperty(editor, "pdf", "keywords", parseKeywords(text))
        }
      />
      <SwitchField
        label={t("page.accessible")}
        hint={t("page.addsStructureForScreenReaders")}
        value={pdf.tagged === true}
        onChange={(on) => setProperty(editor, "pdf", "tagged", on || undefined)}
      />
      <SwitchField
        label={t("page.bookmarks")}
        hint={t("page.oneForEachHeading")}
        value={pdf.outline === true}
        onChange={(on) =>
          setProperty(editor, "pdf", "outline", on || undefined)
        }
      />
      <JoinedPdfs place="before" words={t("page.before")} />
      <JoinedPdfs place="after" words={t("page.after")} />
    </Group>
  );
}

function parseKeywords(text: string): string[] | undefined {
  const words = text.split(",").map((word) => word.trim());
  return text.trim() === "" ? undefined : words;
}

interface JoinedPdfsProps {
  place: "before" | "after";
  words: string;
}

function JoinedPdfs({ place, words }: JoinedPdfsProps) {
  const editor = useEditor();
  const [isOpen, setOpen] = useState(false);
  const joined = editor.definition.value.pdf?.[place] ?? [];
  const set = (next: { asset: string }[]) =>
    setProperty(editor, "pdf", place, next.length === 0 ? undefined : next);
  return (
    <div class="prop-row tall">
      <span class="prop-label">{words}</span>
      <div class="prop-control">
        {joined.map(({ asset }, index) => (
          <div class="prop-pair" key={asset}>
            <code class="asset-id">{asset}</code>
            <Button
              kind="quiet"
              isIcon
              label={t("page.removePdfNumber", { number: index + 1 })}
              onPress={() => set(joined.filter((_one, at) => at !== index))}
            >
              <Icon name="close" size={14} />
            </Button>
          </div>
        ))}
        <Button onPress={() => setOpen(true)}>{t("page.addPdf")}</Button>
      </div>
      {isOpen && (
        <AssetPicker
          kind="pdf"
          onChoose={({ id }) => {
            set([...joined, { asset: id }]);
            setOpen(false);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

const locales = [
  "en-US en-GB en-CA en-AU de-DE de-AT de-CH fr-FR fr-CA fr-CH es-ES es-MX it-IT",
  "nl-NL pt-PT pt-BR da-DK sv-SE nb-NO fi-FI pl-PL cs-CZ tr-TR el-GR ru-RU uk-UA",
  "ar-SA he-IL hi-IN th-TH ja-JP ko-KR zh-CN",
].flatMap((line) => line.split(" "));

export function FormatFields() {
  const editor = useEditor();
  const { locale, currency, timeZone, fileName } = editor.definition.value;
  return (
    <Group title={t("page.languageAndFile")}>
      <SuggestField
        label={t("page.language")}
        value={locale}
        placeholder="en-US"
        options={locales.map((one) => [one, languageName(one)])}
        isValid={isLocale}
        onChange={(value) => setRootProperty(editor, "locale", value)}
      />
      <SuggestField
        label={t("page.currency")}
        value={currency}
        placeholder="USD"
        options={Intl.supportedValuesOf("currency").map((one) => [one, one])}
        isValid={isCurrency}
        onChange={(value) => setRootProperty(editor, "currency", value)}
      />
      <SuggestField
        label={t("page.timeZone")}
        value={timeZone}
        placeholder="UTC"
        options={Intl.supportedValuesOf("timeZone").map((one) => [one, one])}
        isValid={isTimeZone}
        onChange={(value) => setRootProperty(editor, "timeZone", value)}
      />
      <p class="prop-example">{formatExample(locale, currency)}</p>
      <TemplateRow
        label={t("page.fileName")}
        value={fileName ?? ""}
        owner={null}
        placeholder={t("text.placeholder")}
        onChange={(value) =>
          setRootProperty(editor, "fileName", value || undefined)
        }
      />
    </Group>
  );
}

function languageName(locale: string): string {
  return (
    new Intl.DisplayNames(userLocale, { type: "language" }).of(locale) ?? locale
  );
}

function isLocale(text: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
}

/** Any three capital letters, whether or not such a currency exists. */
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

/** A date and an amount as the document formats them. */
function formatExample(locale = "en-US", currency = "USD"): string {
  if (!isLocale(locale) || !isCurrency(currency)) return "";
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "long" });
  const amount = new Intl.NumberFormat(locale, { style: "currency", currency });
  return `${date.format(new Date())} · ${amount.format(1234.5)}`;
}
