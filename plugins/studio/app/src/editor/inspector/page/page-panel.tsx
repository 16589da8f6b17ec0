import type {
  PageSize,
  Band,
  Background,
  Watermark,
} from "../../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../../model/editor-context.js";
import { setBand } from "../../model/edits.js";
import { type BandName, BANDS, componentsOf } from "../../model/tree.js";
import { ColorField } from "../controls/color-field.js";
import {
  ChoiceField,
  Group,
  SelectField,
  SwitchField,
  NumberField,
} from "../controls/fields.js";
import { LengthField, SidesField } from "../controls/length-field.js";
import { PictureField, TemplateRow } from "../controls/template-fields.js";
import { FormatFields, PdfFields } from "./pdf-fields.js";
import { setPart } from "./set-property.js";
import { SigningFields } from "./signing-fields.js";

/** What holds for the template as a whole: shown while nothing on the page is selected. */
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
  ["portrait", "Upright", "page"],
  ["landscape", "Sideways", "landscape"],
] as const;

/** Which paper, which way, and how far from its edges. */
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
        onChange={(size) => setPart(editor, "page", "size", size)}
      />
      {page.size === "Custom" && <OwnSize />}
      <ChoiceField
        label="Turned"
        value={page.landscape === true ? "landscape" : "portrait"}
        options={ways}
        onChange={(way) =>
          setPart(
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
        placeholder="As usual"
        onChange={(margin) => setPart(editor, "page", "margin", margin)}
        onLeave={() => editor.endThread()}
      />
    </Group>
  );
}

/** Of paper that has no name. */
function OwnSize() {
  const editor = useEditor();
  const { page = {} } = editor.definition.value;
  return (
    <>
      <LengthField
        label="Width"
        value={page.width}
        onChange={(width) => setPart(editor, "page", "width", width)}
      />
      <LengthField
        label="Height"
        value={page.height}
        onChange={(height) => setPart(editor, "page", "height", height)}
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
  return [...known, ["Custom", "Another size"]];
}

const words: Readonly<Record<BandName, string>> = {
  header: "Header",
  footer: "Footer",
  firstHeader: "First header",
  firstFooter: "First footer",
};
const hints: Partial<Record<BandName, string>> = {
  firstHeader: "Instead of the header, on the first page.",
  firstFooter: "Instead of the footer, on the first page.",
};

/** What stands at the top and at the bottom of every page. */
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
          label="At least"
          value={Array.isArray(band) ? undefined : band.height}
          placeholder="As high as needed"
          onChange={(height) =>
            setPart(editor, "page", name, withHeight(band, height))
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

/** What is behind everything, to the edges of the paper. */
function BackgroundFields() {
  const editor = useEditor();
  const background = editor.definition.value.page?.background;
  const parts: PageBackground =
    typeof background === "string" ? { color: background } : (background ?? {});
  const set = (change: PageBackground) =>
    setPart(
      editor,
      "page",
      "background",
      simplifyBackground({ ...parts, ...change }),
    );
  return (
    <Group title="Background" isFolded={background === undefined}>
      <ColorField
        label="Colour"
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
          none="As usual"
          options={fits}
          onChange={(fit) => set({ fit })}
        />
      )}
    </Group>
  );
}

/** A colour alone is written as such; nothing at all is nothing. */
function simplifyBackground(parts: PageBackground): Background | undefined {
  const set = Object.entries(parts).filter(([, value]) => value !== undefined);
  if (set.length === 0) return undefined;
  if (set.length === 1 && parts.color !== undefined) return parts.color;
  return Object.fromEntries(set);
}

type PageWatermark = Exclude<Watermark, string>;

/** What is printed across every page. */
function WatermarkFields() {
  const editor = useEditor();
  const watermark = editor.definition.value.page?.watermark;
  const parts: PageWatermark =
    typeof watermark === "string" ? { text: watermark } : (watermark ?? {});
  const set = (change: PageWatermark) =>
    setPart(
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
        label="Strength, %"
        value={opacity}
        min={0}
        max={100}
        placeholder="As usual"
        onChange={(percent) =>
          set({ opacity: percent === undefined ? undefined : percent / 100 })
        }
      />
      <NumberField
        label="Angle, °"
        value={parts.angle}
        min={-360}
        max={360}
        placeholder="As usual"
        onChange={(angle) => set({ angle })}
      />
      <LengthField
        label="Letter size"
        value={parts.fontSize}
        unit="pt"
        placeholder="As usual"
        onChange={(fontSize) => set({ fontSize })}
      />
      <ColorField
        label="Colour"
        value={parts.color}
        placeholder="As usual"
        onChange={(color) => set({ color })}
      />
    </>
  );
}

/** Words alone are written as such; nothing at all is nothing. */
function simplifyWatermark(parts: PageWatermark): Watermark | undefined {
  const set = Object.entries(parts).filter(([, value]) => value !== undefined);
  if (parts.text === undefined && parts.image === undefined) return undefined;
  if (set.length === 1 && parts.text !== undefined) return parts.text;
  return Object.fromEntries(set);
}

/** What an inbox shows, and the frame of the email. */
function EmailFields() {
  const editor = useEditor();
  const { email } = editor.definition.value;
  return (
    <Group title="Email">
      <TemplateRow
        label="Subject"
        value={email?.subject ?? ""}
        owner={null}
        onChange={(subject) => setPart(editor, "email", "subject", subject)}
      />
      <TemplateRow
        label="Preheader"
        value={email?.preheader ?? ""}
        owner={null}
        hint="What inboxes show beside the subject."
        onChange={(text) =>
          setPart(editor, "email", "preheader", text || undefined)
        }
      />
      <NumberField
        label="Width, px"
        value={email?.width}
        min={200}
        max={1200}
        placeholder="600"
        onChange={(width) => setPart(editor, "email", "width", width)}
      />
      <ColorField
        label="Background"
        value={email?.background}
        onChange={(color) => setPart(editor, "email", "background", color)}
        onLeave={() => editor.endThread()}
      />
    </Group>
  );
}
