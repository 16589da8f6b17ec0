import { toPx } from "../../../../core/definition/page/layout.js";
import { SIZES } from "../../../../core/definition/page/paper.js";
import { clock } from "../../../../core/lib/clock.js";
import {
  type Background,
  type Band,
  type Conformance,
  CONFORMANCES,
  type EmailSetup,
  type PageSetup,
  type PageSize,
  type PdfSetup,
  type ProjectData,
  type Watermark,
} from "../../../../core/plugin-api/definition.js";
import { AssetPicker } from "../../assets/asset-picker.js";
import { Button } from "../../ui/button.js";
import { IconButton } from "../../ui/icon-button.js";
import { EinvoiceFields } from "../einvoice/einvoice-fields.js";
import type { Editor } from "../model/editor.js";
import { useEditor } from "../model/editor-context.js";
import { setBand } from "../model/edits.js";
import { type BandName, BANDS, componentsOf } from "../model/tree.js";
import { describeSchemaProperty } from "../session/descriptions.js";
import type { Control } from "./control.js";
import { assignProperty, ControlFields } from "./control-fields.js";
import {
  ChoiceField,
  Group,
  NumberField,
  SelectField,
  SuggestField,
  SwitchField,
  TemplateRow,
} from "./fields.js";
import { LengthField, SidesField } from "./length-field.js";
import { SigningFields } from "./signing-fields.js";
import { locale as userLocale, t } from "../../messages/index.js";

/** Settings of the whole template, shown while nothing is selected. */
export function PagePanel() {
  const editor = useEditor();
  const isEmail = editor.templateType === "email";
  return (
    <div class="inspector">
      <header class="inspector-head">
        <h2>{isEmail ? t("common.email") : t("common.page")}</h2>
      </header>
      {isEmail ? (
        <EmailFields />
      ) : (
        <>
          <PaperFields />
          <BandFields />
          <BackgroundFields />
          <WatermarkFields />
        </>
      )}
      <FormatFields />
      {!isEmail && (
        <>
          <PdfFields />
          <EinvoiceFields />
          <SigningFields />
        </>
      )}
    </div>
  );
}

/**
 * Sets a property of the page, email or PDF settings, or of the template itself if `part` is null. Undefined removes
 * it, and the settings with their last property.
 */
function setProperty(
  editor: Editor,
  part: "page" | "email" | "pdf" | null,
  key: string,
  value: unknown,
): void {
  editor.change(
    t("style.changeProperty", { property: describeSchemaProperty([key]) }),
    (draft) => {
      if (part === null) {
        assignProperty(draft, key, value);
        return;
      }
      const settings: object = { ...draft[part] };
      assignProperty(settings, key, value);
      const isGone = Object.keys(settings).length === 0 && part !== "email";
      assignProperty(draft, part, isGone ? undefined : settings);
    },
    part === null ? key : `${part}.${key}`,
  );
}

const orientations = [
  ["portrait", t("common.portrait"), "page"],
  ["landscape", t("common.landscape"), "landscape"],
] as const;

const customSize: readonly Control<keyof PageSetup>[] = [
  { property: "width", label: t("common.width"), kind: "size" },
  { property: "height", label: t("common.height"), kind: "size" },
];

function PaperFields() {
  const editor = useEditor();
  const { page = {} } = editor.definition.value;
  const set = (property: keyof PageSetup, value: unknown) =>
    setProperty(editor, "page", property, value);
  return (
    <Group title={t("page.paper")}>
      <SelectField
        label={t("common.size")}
        value={page.size ?? "A4"}
        options={listSizes()}
        onChange={(size) => set("size", size)}
      />
      {page.size === "Custom" && (
        <ControlFields
          controls={customSize}
          values={page}
          owner={null}
          onChange={set}
        />
      )}
      <ChoiceField
        label={t("page.orientation")}
        value={page.landscape === true ? "landscape" : "portrait"}
        options={orientations}
        onChange={(chosen) =>
          set("landscape", chosen === "landscape" || undefined)
        }
      />
      <SidesField
        label={t("common.margins")}
        value={page.margin}
        placeholder={t("common.default")}
        onChange={(margin) => set("margin", margin)}
        onLeave={() => editor.endThread()}
      />
    </Group>
  );
}

function listSizes(): (readonly [PageSize, string])[] {
  const names = ["A4", "A3", "A5", "Letter", "Legal", "Tabloid"] as const;
  const namedSizes = names.map((name) => {
    const [width, height] = SIZES[name];
    const millimetres = t("page.widthHeightMm", {
      width: toMillimetres(width),
      height: toMillimetres(height),
    });
    return [name, `${name} (${millimetres})`] as const;
  });
  return [...namedSizes, ["Custom", t("page.customSize")]];
}

function toMillimetres(length: string): number {
  return Math.round(((toPx(length) ?? 0) * 25.4) / 96);
}

const bandLabels: Readonly<Record<BandName, string>> = {
  header: t("common.header"),
  footer: t("common.footer"),
  firstHeader: t("page.firstHeader"),
  firstFooter: t("page.firstFooter"),
};
const bandHints: Partial<Record<BandName, string>> = {
  firstHeader: t("page.firstHeaderHelp"),
  firstFooter: t("page.firstFooterHelp"),
};

function BandFields() {
  return (
    <Group title={t("page.headersAndFooters")}>
      {BANDS.map((name) => (
        <BandField name={name} key={name} />
      ))}
    </Group>
  );
}

function BandField({ name }: { name: BandName }) {
  const editor = useEditor();
  const band = editor.definition.value.page?.[name];
  const hint = bandHints[name];
  return (
    <>
      <SwitchField
        label={bandLabels[name]}
        value={band !== undefined}
        {...(hint !== undefined && { hint })}
        onChange={(isThere) => setBand(editor, name, isThere)}
      />
      {band !== undefined && componentsOf(band).length > 0 && (
        <LengthField
          label={t("page.minimumHeight")}
          value={Array.isArray(band) ? undefined : band.height}
          placeholder={t("common.automatic")}
          onChange={(height) =>
            setProperty(editor, "page", name, withHeight(band, height))
          }
        />
      )}
    </>
  );
}

function withHeight(band: Band, height: string | undefined): Band {
  const components = [...componentsOf(band)];
  return height === undefined ? components : { components, height };
}

type BackgroundParts = Exclude<Background, string>;

const backgroundControls: readonly Control<keyof BackgroundParts>[] = [
  { property: "color", label: t("common.color"), kind: "color" },
  { property: "image", label: t("common.image"), kind: "image" },
];
const backgroundFit: Control<keyof BackgroundParts> = {
  property: "fit",
  label: t("content.scaling"),
  kind: "select",
  none: t("common.default"),
  options: [
    ["cover", t("page.fillPage")],
    ["contain", t("content.fitInside")],
    ["fill", t("content.stretch")],
  ],
};

function BackgroundFields() {
  const editor = useEditor();
  const background = editor.definition.value.page?.background;
  const parts: BackgroundParts =
    typeof background === "string" ? { color: background } : (background ?? {});
  const set = (property: keyof BackgroundParts, value: unknown) => {
    const next: BackgroundParts = { ...parts };
    assignProperty(next, property, value);
    setProperty(editor, "page", "background", simplifyBackground(next));
  };
  return (
    <Group title={t("style.background")} isFolded={background === undefined}>
      <ControlFields
        controls={
          parts.image
            ? [...backgroundControls, backgroundFit]
            : backgroundControls
        }
        values={parts}
        owner={null}
        onChange={set}
      />
    </Group>
  );
}

/** The shortest form: a color alone is a string, an empty background is undefined. */
function simplifyBackground(parts: BackgroundParts): Background | undefined {
  const names = Object.keys(parts);
  if (names.length === 0) return undefined;
  return names.length === 1 && parts.color !== undefined ? parts.color : parts;
}

type WatermarkParts = Exclude<Watermark, string>;

const watermarkControls: readonly Control<keyof WatermarkParts>[] = [
  {
    property: "text",
    label: t("common.text"),
    kind: "template",
    placeholder: t("page.draft"),
  },
  { property: "image", label: t("common.image"), kind: "image" },
];
const watermarkLook: readonly Control<keyof WatermarkParts>[] = [
  {
    property: "angle",
    label: t("page.angle"),
    kind: "number",
    min: -360,
    max: 360,
    placeholder: t("common.default"),
  },
  {
    property: "fontSize",
    label: t("page.fontSize"),
    kind: "size",
    unit: "pt",
    placeholder: t("common.default"),
  },
  {
    property: "color",
    label: t("common.color"),
    kind: "color",
    placeholder: t("common.default"),
  },
];

function WatermarkFields() {
  const editor = useEditor();
  const watermark = editor.definition.value.page?.watermark;
  const parts: WatermarkParts =
    typeof watermark === "string" ? { text: watermark } : (watermark ?? {});
  const { opacity } = parts;
  const set = (property: keyof WatermarkParts, value: unknown) => {
    const next: WatermarkParts = { ...parts };
    assignProperty(next, property, value);
    setProperty(editor, "page", "watermark", simplifyWatermark(next));
  };
  const fields = { values: parts, owner: null, onChange: set };
  return (
    <Group title={t("page.watermark")} isFolded={watermark === undefined}>
      <ControlFields {...fields} controls={watermarkControls} />
      {watermark !== undefined && (
        <>
          <NumberField
            label={t("page.opacity")}
            value={
              opacity === undefined ? undefined : Math.round(opacity * 100)
            }
            min={0}
            max={100}
            placeholder={t("common.default")}
            onChange={(percent) =>
              set("opacity", percent === undefined ? undefined : percent / 100)
            }
          />
          <ControlFields {...fields} controls={watermarkLook} />
        </>
      )}
    </Group>
  );
}

/** The shortest form: text alone is a string, an empty watermark is undefined. */
function simplifyWatermark(parts: WatermarkParts): Watermark | undefined {
  const { text, image } = parts;
  if (text === undefined && image === undefined) return undefined;
  return text !== undefined && Object.keys(parts).length === 1 ? text : parts;
}

const emailControls: readonly Control<keyof EmailSetup>[] = [
  {
    property: "subject",
    label: t("common.subject"),
    kind: "template",
    isRequired: true,
  },
  {
    property: "preheader",
    label: t("components.preheader"),
    kind: "template",
    hint: t("page.shownNextToSubjectIn"),
  },
  {
    property: "width",
    label: t("page.widthPx"),
    kind: "number",
    min: 200,
    max: 1200,
    placeholder: "600",
  },
  { property: "background", label: t("style.background"), kind: "color" },
  {
    property: "darkMode",
    label: t("page.darkMode"),
    kind: "select",
    none: t("common.automatic"),
    options: [["off", t("page.keepColors")]],
    hint: t("page.darkModeHint"),
  },
];

function EmailFields() {
  const editor = useEditor();
  return (
    <Group title={t("common.email")}>
      <ControlFields
        controls={emailControls}
        values={editor.definition.value.email ?? {}}
        owner={null}
        onChange={(property, value) =>
          setProperty(editor, "email", property, value)
        }
      />
    </Group>
  );
}

const pdfTexts: readonly Control<keyof PdfSetup>[] = [
  { property: "title", label: t("page.title"), kind: "template" },
  { property: "author", label: t("page.author"), kind: "template" },
  { property: "subject", label: t("common.subject"), kind: "template" },
];
const pdfFeatures: readonly Control<keyof PdfSetup>[] = [
  {
    property: "sign",
    label: t("page.signPdf"),
    kind: "switch",
    hint: t("page.withTheCertificate"),
  },
  {
    property: "tagged",
    label: t("page.accessible"),
    kind: "switch",
    hint: t("page.addsStructureForScreenReaders"),
  },
  {
    property: "outline",
    label: t("page.bookmarks"),
    kind: "switch",
    hint: t("page.oneForEachHeading"),
  },
];

function PdfFields() {
  const editor = useEditor();
  const { pdf = {} } = editor.definition.value;
  const set = (property: keyof PdfSetup, value: unknown) =>
    setProperty(editor, "pdf", property, value);
  const fields = { values: pdf, owner: null, onChange: set };
  return (
    <Group title="PDF" isFolded>
      <ControlFields {...fields} controls={pdfTexts} />
      <TemplateRow
        label={t("page.keywords")}
        value={pdf.keywords?.join(", ") ?? ""}
        owner={null}
        hint={t("page.separatedByCommas")}
        onChange={(text) => set("keywords", parseKeywords(text))}
      />
      <ConformanceFields
        value={pdf.conformance}
        onChange={(value) => set("conformance", value)}
      />
      <ControlFields {...fields} controls={pdfFeatures} />
      <JoinedPdfs place="before" words={t("page.before")} />
      <JoinedPdfs place="after" words={t("page.after")} />
    </Group>
  );
}

interface ConformanceFieldsProps {
  value: PdfSetup["conformance"];
  onChange: (value: PdfSetup["conformance"]) => void;
}

const ACCESSIBLE: Conformance = "pdf/ua-1";
const archivalOptions = CONFORMANCES.filter(
  (conformance) => conformance !== ACCESSIBLE,
).map(
  (conformance) => [conformance, `PDF/A-${conformance.slice(-2)}`] as const,
);

/** An archival standard, and the accessible one. */
function ConformanceFields({ value = [], onChange }: ConformanceFieldsProps) {
  const list = typeof value === "string" ? [value] : value;
  const archival = list.find((conformance) => conformance !== ACCESSIBLE);
  const isAccessible = list.includes(ACCESSIBLE);
  const set = (standard: Conformance | undefined, hasTags: boolean) => {
    const next = [
      ...(standard ? [standard] : []),
      ...(hasTags ? [ACCESSIBLE] : []),
    ];
    onChange(next.length > 1 ? next : next[0]);
  };
  return (
    <>
      <SelectField
        label={t("page.archive")}
        value={archival}
        none={t("common.none")}
        options={archivalOptions}
        onChange={(standard) => set(standard, isAccessible)}
      />
      <SwitchField
        label={t("page.accessibleByStandard")}
        value={isAccessible}
        hint={t("page.imagesNeedDescriptions")}
        onChange={(isOn) => set(archival, isOn)}
      />
    </>
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
            <IconButton
              icon="close"
              label={t("page.removePdfNumber", { number: index + 1 })}
              onPress={() => set(joined.toSpliced(index, 1))}
            />
          </div>
        ))}
        <Button
          dialog={(close) => (
            <AssetPicker
              kind="pdf"
              onChoose={({ id }) => {
                set([...joined, { asset: id }]);
                close();
              }}
              onClose={close}
            />
          )}
        >
          {t("page.addPdf")}
        </Button>
      </div>
    </div>
  );
}

const locales = [
  "en-US en-GB en-CA en-AU de-DE de-AT de-CH fr-FR fr-CA fr-CH es-ES es-MX it-IT",
  "nl-NL pt-PT pt-BR da-DK sv-SE nb-NO fi-FI pl-PL cs-CZ tr-TR el-GR ru-RU uk-UA",
  "ar-SA he-IL hi-IN th-TH ja-JP ko-KR zh-CN",
].flatMap((line) => line.split(" "));

function FormatFields() {
  const editor = useEditor();
  const definition = editor.definition.value;
  const { locale, currency, timeZone } = definition;
  const set = (property: keyof ProjectData) => (value: unknown) =>
    setProperty(editor, null, property, value);
  return (
    <Group title={t("page.languageAndFile")}>
      <SuggestField
        label={t("common.language")}
        value={locale}
        placeholder="en-US"
        options={locales.map((tag) => [tag, getLanguageName(tag)])}
        // An expression takes it from the record.
        isValid={(text) => isLocale(text) || text.includes("{{")}
        onChange={set("locale")}
      />
      <SuggestField
        label={t("page.currency")}
        value={currency}
        placeholder="USD"
        options={Intl.supportedValuesOf("currency").map((code) => [code, code])}
        isValid={isCurrency}
        onChange={set("currency")}
      />
      <SuggestField
        label={t("page.timeZone")}
        value={timeZone}
        placeholder="UTC"
        options={Intl.supportedValuesOf("timeZone").map((zone) => [zone, zone])}
        isValid={isTimeZone}
        onChange={set("timeZone")}
      />
      <p class="prop-example">{formatExample(locale, currency)}</p>
      <TemplateRow
        label={t("page.fileName")}
        value={definition.fileName ?? ""}
        owner={null}
        placeholder={t("text.placeholder")}
        onChange={(value) => set("fileName")(value || undefined)}
      />
    </Group>
  );
}

function getLanguageName(locale: string): string {
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
  return `${date.format(clock.date())} · ${amount.format(1234.5)}`;
}
