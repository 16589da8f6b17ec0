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
import { PictureField, TemplateRow } from "../controls/template-fields.js";
import { FormatFields, PdfFields } from "./pdf-fields.js";
import { setProperty } from "./set-property.js";
import { SigningFields } from "./signing-fields.js";

/** Settings of the whole template, shown while nothing is selected. */
export function PagePanel() {
  const editor = useEditor();
  const isEmail = editor.templateType === "email";
  return (
    <div class="inspector">
      <header class="inspector-head">
        <h2>{isEmail ? "Email" : "Page"}</h2>
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
  ["portrait", "Portrait", "page"],
  ["landscape", "Landscape", "landscape"],
] as const;

function PaperFields() {
  const editor = useEditor();
  const { page = {} } = editor.definition.value;
  const sizes = sizeOptions(editor.design.paper);
  return (
    <Group title="Paper">
      <SelectField
        label="Size"
        value={page.size ?? "A4"}
        options={sizes}
        onChange={(size) => setProperty(editor, "page", "size", size)}
      />
      {page.size === "Custom" && <CustomSize />}
      <ChoiceField
        label="Orientation"
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
        label="Margins"
        value={page.margin}
        placeholder="Default"
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
        label="Width"
        value={page.width}
        onChange={(width) => setProperty(editor, "page", "width", width)}
      />
      <LengthField
        label="Height"
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
    const millimetres = `${Math.round(width)} × ${Math.round(height)} mm`;
    return [name, `${name} (${millimetres})`] as const;
  });
  return [...known, ["Custom", "Custom"]];
}

const words: Readonly<Record<BandName, string>> = {
  header: "Header",
  footer: "Footer",
  firstHeader: "First header",
  firstFooter: "First footer",
};
const hints: Partial<Record<BandName, string>> = {
  firstHeader: "Replaces the header on the first page.",
  firstFooter: "Replaces the footer on the first page.",
};

function BandFields() {
  return (
    <Group title="Headers and footers">
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
          label="Minimum height"
          value={Array.isArray(band) ? undefined : band.height}
          placeholder="Automatic"
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
  ["cover", "Fill the page"],
  ["contain", "Show all of it"],
  ["fill", "Stretch"],
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
    <Group title="Background" isFolded={background === undefined}>
      <ColorField
        label="Color"
        value={parts.color}
        onChange={(color) => set({ color })}
        onLeave={() => editor.endThread()}
      />
      <PictureField
        label="Picture"
        value={parts.image ?? ""}
        owner={null}
        onChange={(image) => set({ image: image || undefined })}
      />
      {parts.image && (
        <SelectField
          label="Fill"
          value={parts.fit}
          none="Default"
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
    <Group title="Watermark" isFolded={watermark === undefined}>
      <TemplateRow
        label="Words"
        value={parts.text ?? ""}
        owner={null}
        placeholder="Draft"
        onChange={(text) => set({ text: text || undefined })}
      />
      <PictureField
        label="Picture"
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
        label="Opacity, %"
        value={opacity}
        min={0}
        max={100}
        placeholder="Default"
        onChange={(percent) =>
          set({ opacity: percent === undefined ? undefined : percent / 100 })
        }
      />
      <NumberField
        label="Angle, °"
        value={parts.angle}
        min={-360}
        max={360}
        placeholder="Default"
        onChange={(angle) => set({ angle })}
      />
      <LengthField
        label="Font size"
        value={parts.fontSize}
        unit="pt"
        placeholder="Default"
        onChange={(fontSize) => set({ fontSize })}
      />
      <ColorField
        label="Color"
        value={parts.color}
        placeholder="Default"
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
    <Group title="Email">
      <TemplateRow
        label="Subject"
        value={email?.subject ?? ""}
        owner={null}
        onChange={(subject) => setProperty(editor, "email", "subject", subject)}
      />
      <TemplateRow
        label="Preheader"
        value={email?.preheader ?? ""}
        owner={null}
        hint="Shown next to the subject in the inbox."
        onChange={(text) =>
          setProperty(editor, "email", "preheader", text || undefined)
        }
      />
      <NumberField
        label="Width, px"
        value={email?.width}
        min={200}
        max={1200}
        placeholder="600"
        onChange={(width) => setProperty(editor, "email", "width", width)}
      />
      <ColorField
        label="Background"
        value={email?.background}
        onChange={(color) => setProperty(editor, "email", "background", color)}
        onLeave={() => editor.endThread()}
      />
    </Group>
  );
}
