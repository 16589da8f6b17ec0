import type {
  Background,
  Band,
  PageSize,
  Watermark,
} from "../../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../../model/editor-context.js";
import { setBand } from "../../model/edits.js";
import { type BandName, BANDS, componentsOf } from "../../model/tree.js";
import { ColorField } from "../controls/color-field.js";
import {
  ChoiceField,
  Group,
  NumberField,
  SelectField,
  SwitchField,
} from "../controls/fields.js";
import { LengthField, SidesField } from "../controls/length-field.js";
import { ImageField, TemplateRow } from "../controls/template-fields.js";
import { FormatFields, PdfFields } from "./pdf-fields.js";
import { setProperty } from "./set-property.js";
import { SigningFields } from "./signing-fields.js";
import { t } from "../../../messages/index.js";

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
          <SigningFields />
        </>
      )}
    </div>
  );
}

const ways = [
  ["portrait", t("common.portrait"), "page"],
  ["landscape", t("common.landscape"), "landscape"],
] as const;

function PaperFields() {
  const editor = useEditor();
  const { page = {} } = editor.definition.value;
  const sizes = sizeOptions(editor.design.paper);
  return (
    <Group title={t("page.paper")}>
      <SelectField
        label={t("common.size")}
        value={page.size ?? "A4"}
        options={sizes}
        onChange={(size) => setProperty(editor, "page", "size", size)}
      />
      {page.size === "Custom" && <CustomSize />}
      <ChoiceField
        label={t("page.orientation")}
        value={page.landscape === true ? "landscape" : "portrait"}
        options={ways}
        onChange={(way) =>
          setProperty(
            editor,
            "page",
            "landscape",
            way === "landscape" ? true : undefined,
          )
        }
      />
      <SidesField
        label={t("common.margins")}
        value={page.margin}
        placeholder={t("common.default")}
        onChange={(margin) => setProperty(editor, "page", "margin", margin)}
        onLeave={() => editor.endThread()}
      />
    </Group>
  );
}

function CustomSize() {
  const editor = useEditor();
  const { page = {} } = editor.definition.value;
  return (
    <>
      <LengthField
        label={t("common.width")}
        value={page.width}
        onChange={(width) => setProperty(editor, "page", "width", width)}
      />
      <LengthField
        label={t("common.height")}
        value={page.height}
        onChange={(height) => setProperty(editor, "page", "height", height)}
      />
    </>
  );
}

function sizeOptions(
  paper: Record<string, readonly [number, number]>,
): (readonly [PageSize, string])[] {
  const names = ["A4", "A3", "A5", "Letter", "Legal", "Tabloid"] as const;
  const known = names.map((name) => {
    const [width, height] = paper[name] ?? [0, 0];
    const millimetres = t("page.widthHeightMm", {
      width: Math.round(width),
      height: Math.round(height),
    });
    return [name, `${name} (${millimetres})`] as const;
  });
  return [...known, ["Custom", t("page.customSize")]];
}

const words: Readonly<Record<BandName, string>> = {
  header: t("common.header"),
  footer: t("common.footer"),
  firstHeader: t("page.firstHeader"),
  firstFooter: t("page.firstFooter"),
};
const hints: Partial<Record<BandName, string>> = {
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
  const hint = hints[name];
  return (
    <>
      <SwitchField
        label={words[name]}
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

type PageBackground = Exclude<Background, string>;

const fits = [
  ["cover", t("page.fillPage")],
  ["contain", t("content.fitInside")],
  ["fill", t("content.stretch")],
] as const;

function BackgroundFields() {
  const editor = useEditor();
  const background = editor.definition.value.page?.background;
  const parts: PageBackground =
    typeof background === "string" ? { color: background } : (background ?? {});
  const set = (change: PageBackground) =>
    setProperty(
      editor,
      "page",
      "background",
      simplifyBackground({ ...parts, ...change }),
    );
  return (
    <Group title={t("style.background")} isFolded={background === undefined}>
      <ColorField
        label={t("common.color")}
        value={parts.color}
        onChange={(color) => set({ color })}
        onLeave={() => editor.endThread()}
      />
      <ImageField
        label={t("common.image")}
        value={parts.image ?? ""}
        owner={null}
        onChange={(image) => set({ image: image || undefined })}
      />
      {parts.image && (
        <SelectField
          label={t("content.scaling")}
          value={parts.fit}
          none={t("common.default")}
          options={fits}
          onChange={(fit) => set({ fit })}
        />
      )}
    </Group>
  );
}

/** The shortest form: a color alone is a string, an empty background is undefined. */
function simplifyBackground(parts: PageBackground): Background | undefined {
  const set = Object.entries(parts).filter(([, value]) => value !== undefined);
  if (set.length === 0) return undefined;
  if (set.length === 1 && parts.color !== undefined) return parts.color;
  return Object.fromEntries(set);
}

type PageWatermark = Exclude<Watermark, string>;

function WatermarkFields() {
  const editor = useEditor();
  const watermark = editor.definition.value.page?.watermark;
  const parts: PageWatermark =
    typeof watermark === "string" ? { text: watermark } : (watermark ?? {});
  const set = (change: PageWatermark) =>
    setProperty(
      editor,
      "page",
      "watermark",
      simplifyWatermark({ ...parts, ...change }),
    );
  return (
    <Group title={t("page.watermark")} isFolded={watermark === undefined}>
      <TemplateRow
        label={t("common.text")}
        value={parts.text ?? ""}
        owner={null}
        placeholder={t("page.draft")}
        onChange={(text) => set({ text: text || undefined })}
      />
      <ImageField
        label={t("common.image")}
        value={parts.image ?? ""}
        owner={null}
        onChange={(image) => set({ image: image || undefined })}
      />
      {watermark !== undefined && <LookFields parts={parts} set={set} />}
    </Group>
  );
}

interface LookFieldsProps {
  parts: PageWatermark;
  set: (change: PageWatermark) => void;
}

function LookFields({ parts, set }: LookFieldsProps) {
  const opacity =
    parts.opacity === undefined ? undefined : Math.round(parts.opacity * 100);
  return (
    <>
      <NumberField
        label={t("page.opacity")}
        value={opacity}
        min={0}
        max={100}
        placeholder={t("common.default")}
        onChange={(percent) =>
          set({ opacity: percent === undefined ? undefined : percent / 100 })
        }
      />
      <NumberField
        label={t("page.angle")}
        value={parts.angle}
        min={-360}
        max={360}
        placeholder={t("common.default")}
        onChange={(angle) => set({ angle })}
      />
      <LengthField
        label={t("page.fontSize")}
        value={parts.fontSize}
        unit="pt"
        placeholder={t("common.default")}
        onChange={(fontSize) => set({ fontSize })}
      />
      <ColorField
        label={t("common.color")}
        value={parts.color}
        placeholder={t("common.default")}
        onChange={(color) => set({ color })}
      />
    </>
  );
}

/** The shortest form: text alone is a string, an empty watermark is undefined. */
function simplifyWatermark(parts: PageWatermark): Watermark | undefined {
  const set = Object.entries(parts).filter(([, value]) => value !== undefined);
  if (parts.text === undefined && parts.image === undefined) return undefined;
  if (set.length === 1 && parts.text !== undefined) return parts.text;
  return Object.fromEntries(set);
}

function EmailFields() {
  const editor = useEditor();
  const { email } = editor.definition.value;
  return (
    <Group title={t("common.email")}>
      <TemplateRow
        label={t("common.subject")}
        value={email?.subject ?? ""}
        owner={null}
        onChange={(subject) => setProperty(editor, "email", "subject", subject)}
      />
      <TemplateRow
        label={t("page.preheader")}
        value={email?.preheader ?? ""}
        owner={null}
        hint={t("page.shownNextToSubjectIn")}
        onChange={(text) =>
          setProperty(editor, "email", "preheader", text || undefined)
        }
      />
      <NumberField
        label={t("page.widthPx")}
        value={email?.width}
        min={200}
        max={1200}
        placeholder="600"
        onChange={(width) => setProperty(editor, "email", "width", width)}
      />
      <ColorField
        label={t("style.background")}
        value={email?.background}
        onChange={(color) => setProperty(editor, "email", "background", color)}
        onLeave={() => editor.endThread()}
      />
    </Group>
  );
}
