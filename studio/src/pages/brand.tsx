import type { EditorDesign } from "../../../core/compiler/views.js";
import "./brand.css";
import { useEffect, useState } from "preact/hooks";
import { clock } from "../../../core/lib/clock.js";
import { ask, askBytes, askPublic, type Schemas } from "../api.js";
import { AssetPicker } from "../assets/asset-picker.js";
import { t } from "../messages/index.js";
import { useResource } from "../resource.js";
import { may } from "../session.js";
import { Button } from "../ui/button.js";
import { Dialog, askName } from "../ui/dialog.js";
import { FormActions, Form, toggleItem, useAction } from "../ui/form.js";
import { AddButton, IconButton } from "../ui/icon-button.js";
import { Icon } from "../ui/icon.js";
import { LoadStatus } from "../ui/loading.js";
import { Notice } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { Select } from "../ui/select.js";
import { toast } from "../ui/toast.js";

interface OpenedBrand {
  brand: Schemas["Brand"];
  design: EditorDesign;
}

/** The organization's colors, fonts, logo and text styles. */
export function BrandPage() {
  const opened = useResource("", async (): Promise<OpenedBrand> => {
    const [brand, design] = await Promise.all([
      askPublic<Schemas["Brand"]>("brand"),
      ask<EditorDesign>("design"),
    ]);
    return { brand, design };
  });
  const { data } = opened;
  return (
    <>
      <PageTitle title={t("brand.title")} lead={t("brand.lead")} />
      <LoadStatus resource={opened} what={t("brand.couldntLoad")} />
      {data && (
        <BrandForm {...data} key={data.brand.version} onSaved={opened.reload} />
      )}
    </>
  );
}

/** The colors that the example templates have; others are those of the organization. */
const roles: readonly (readonly [name: string, words: string])[] = [
  ["primary", t("brand.primary")],
  ["text", t("common.text")],
  ["muted", t("brand.muted")],
  ["background", t("brand.background")],
];

interface BrandFormProps extends OpenedBrand {
  onSaved: () => Promise<void>;
}

type BrandKit = Schemas["BrandKit"];
/** A template that uses values of a kit. */
type BrandUse = Pick<Schemas["Template"], "id" | "name">;
type FollowResult = Schemas["ChangedBrand"];

function BrandForm({ brand, design, onSaved }: BrandFormProps) {
  const [kit, setKit] = useState(brand.kit);
  const [uses, setUses] = useState<BrandUse[] | null>(null);
  const set = (part: Partial<BrandKit>) => setKit({ ...kit, ...part });
  const isChanged = JSON.stringify(kit) !== JSON.stringify(brand.kit);
  const send = async (templateIds: string[]) => {
    const { version: expectedVersion } = brand;
    const body = { kit, expectedVersion, templateIds };
    const { templates } = await askPublic<FollowResult>("brand", "PUT", body);
    const failed = templates.filter(({ error }) => error !== null);
    toast(
      failed.length > 0
        ? t("brand.someFailed", {
            names: failed.map(({ name }) => name).join(", "),
          })
        : t("brand.saved", { count: templates.length }),
    );
    await onSaved();
  };
  const save = useAction(async () => {
    const { data } = await askPublic<{ data: BrandUse[] }>(
      "brand/uses",
      "POST",
      { kit },
    );
    if (data.length === 0) await send([]);
    else setUses(data);
  });
  return (
    <div class="brand-page">
      <Form class="brand-form" onSend={save.run}>
        <fieldset disabled={!may("editor")}>
          <ColorFields kit={kit} onChange={set} />
          <FontFields kit={kit} design={design} onChange={set} />
          <LogoField kit={kit} onChange={set} />
          <TextStyleFields kit={kit} onChange={set} />
        </fieldset>
        {save.fault && <Notice tone="bad" title={save.fault} />}
        {may("editor") && (
          <div class="row">
            <Button
              kind="primary"
              type="submit"
              isBusy={save.isBusy}
              reason={isChanged ? null : t("blocks.nothingToSave")}
            >
              {t("common.save")}
            </Button>
          </div>
        )}
      </Form>
      <BrandSample kit={kit} />
      {uses && (
        <FollowDialog uses={uses} onSend={send} onClose={() => setUses(null)} />
      )}
    </div>
  );
}

interface PartProps {
  kit: BrandKit;
  onChange: (part: Partial<BrandKit>) => void;
}

function ColorFields({ kit: { colors }, onChange }: PartProps) {
  const customNames = Object.keys(colors).filter(
    (name) => !roles.some(([role]) => role === name),
  );
  const rows = [...roles, ...customNames.map((name) => [name, name] as const)];
  const set = (name: string, color: string | null) => {
    const { [name]: _old, ...others } = colors;
    onChange({
      colors: color === null ? others : { ...colors, [name]: color },
    });
  };
  return (
    <section class="card brand-part">
      <h2>{t("brand.colors")}</h2>
      {rows.map(([name, words]) => (
        <div class="brand-row" key={name}>
          <span id={`color-${name}`}>{words}</span>
          <input
            type="color"
            aria-labelledby={`color-${name}`}
            value={colors[name] ?? "#ffffff"}
            data-empty={colors[name] === undefined}
            onInput={({ currentTarget }) => set(name, currentTarget.value)}
          />
          <code>{colors[name] ?? t("common.default")}</code>
          {colors[name] !== undefined && (
            <IconButton
              icon="close"
              label={t("common.removeName", { name: words })}
              onPress={() => set(name, null)}
            />
          )}
        </div>
      ))}
    </section>
  );
}

const fontRoles = [
  ["headingFont", t("brand.headingFont")],
  ["bodyFont", t("common.text")],
] as const;

interface FontFieldsProps extends PartProps {
  design: EditorDesign;
}

function FontFields({ kit, design, onChange }: FontFieldsProps) {
  const options = design.fontFamilies.map(
    (family) => [family, family] as const,
  );
  return (
    <section class="card brand-part">
      <h2>{t("brand.fonts")}</h2>
      {fontRoles.map(([role, words]) => (
        <label class="brand-row" key={role}>
          <span>{words}</span>
          <Select
            label={words}
            value={kit[role] ?? undefined}
            options={options}
            none={t("common.default")}
            onChange={(font) => onChange({ [role]: font ?? null })}
          />
        </label>
      ))}
    </section>
  );
}

function LogoField({ kit: { logo }, onChange }: PartProps) {
  return (
    <section class="card brand-part">
      <h2>{t("brand.logo")}</h2>
      <div class="row">
        <Button
          dialog={(close) => (
            <AssetPicker
              kind="image"
              onChoose={({ id }) => {
                onChange({ logo: id });
                close();
              }}
              onClose={close}
            />
          )}
        >
          <Icon name="image" />
          {logo === null ? t("connections.choose") : t("common.change")}
        </Button>
        {logo !== null && (
          <Button kind="quiet" onPress={() => onChange({ logo: null })}>
            {t("common.remove")}
          </Button>
        )}
      </div>
    </section>
  );
}

const sizes = ["7pt", "8pt", "9pt", "10pt", "11pt", "12pt", "14pt", "18pt"];
const weights: readonly (readonly [string, string])[] = [
  ["400", t("style.regular")],
  ["600", t("style.semibold")],
  ["700", t("style.bold")],
];

function TextStyleFields({ kit, onChange }: PartProps) {
  const { textStyles, colors } = kit;
  const set = (name: string, property: string, value: string | undefined) => {
    const { [property]: _old, ...others } = textStyles[name] ?? {};
    const style = value ? { ...others, [property]: value } : others;
    onChange({ textStyles: { ...textStyles, [name]: style } });
  };
  const remove = (name: string) => {
    const { [name]: _old, ...others } = textStyles;
    onChange({ textStyles: others });
  };
  const colorOptions = Object.entries(colors).map(
    ([name, color]) =>
      [color, roles.find(([role]) => role === name)?.[1] ?? name] as const,
  );
  return (
    <section class="card brand-part">
      <h2>{t("brand.textStyles")}</h2>
      <p class="hint">{t("brand.textStylesHelp")}</p>
      {Object.entries(textStyles).map(([name, style]) => (
        <div class="brand-style" role="group" aria-label={name} key={name}>
          <strong>{name}</strong>
          <Select
            label={t("brand.sizeOf", { name })}
            value={style["font-size"]}
            options={sizes.map((size) => [size, size] as const)}
            none={t("common.size")}
            onChange={(value) => set(name, "font-size", value)}
          />
          <Select
            label={t("brand.weightOf", { name })}
            value={style["font-weight"]}
            options={weights}
            none={t("style.weight")}
            onChange={(value) => set(name, "font-weight", value)}
          />
          <Select
            label={t("brand.colorOf", { name })}
            value={style["color"]}
            options={colorOptions}
            none={t("common.color")}
            onChange={(value) => set(name, "color", value)}
          />
          <IconButton
            icon="close"
            label={t("common.removeName", { name })}
            onPress={() => remove(name)}
          />
        </div>
      ))}
      <AddButton
        words={t("brand.addTextStyle")}
        dialog={askName({
          title: t("brand.addTextStyle"),
          hint: t("brand.styleNameHelp"),
          act: t("common.add"),
          onName: async (said) => {
            const name = toStyleName(said);
            onChange({ textStyles: { ...textStyles, [name]: {} } });
          },
        })}
      />
    </section>
  );
}

/** A name that starts with a letter and has only letters, digits and hyphens. */
function toStyleName(said: string): string {
  const plain = said
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^[^A-Za-z]+|-+$/g, "")
    .slice(0, 64);
  return plain === "" ? "style" : plain;
}

const printDelayMs = 500;

/** A page in the brand, printed shortly after each change. */
function BrandSample({ kit }: { kit: BrandKit }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const print = async () => {
      const order = { templateType: "document", format: "png" };
      const body = { ...order, definition: toSample(kit) };
      const picture = await askBytes("drafts/print", body, stop.signal);
      setUrl(await toDataUrl(picture));
    };
    // The last good picture stays.
    const timer = clock.after(
      printDelayMs,
      () => void print().catch(() => undefined),
    );
    return () => {
      timer.cancel();
      stop.abort();
    };
  }, [kit]);
  return (
    <figure class="brand-sample">
      {url && <img src={url} alt={t("brand.samplePage")} />}
      <figcaption class="hint">{t("brand.sampleHelp")}</figcaption>
    </figure>
  );
}

/** The pages may not show other URLs. */
function toDataUrl(picture: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      if (typeof reader.result === "string") resolve(reader.result);
    });
    reader.readAsDataURL(picture);
  });
}

function toFamily(font: string | null) {
  return font === null ? {} : { "font-family": `'${font}'` };
}

function toSample({
  colors,
  headingFont,
  bodyFont,
  logo,
  textStyles,
}: BrandKit) {
  const color = (name: string) => {
    const value = colors[name];
    return value === undefined ? {} : { color: value };
  };
  const accent = colors["primary"] ?? "#16181d";
  return {
    schema: [{ id: "root", fields: [] }],
    styles: textStyles,
    page: {
      size: "A5",
      ...(colors["background"] && { background: colors["background"] }),
    },
    components: [
      {
        type: "container",
        style: { ...toFamily(bodyFont), ...color("text") },
        components: [
          ...(logo === null
            ? []
            : [{ type: "image", src: `asset:${logo}`, height: "12mm" }]),
          {
            type: "heading",
            text: t("brand.sampleHeading"),
            style: { ...toFamily(headingFont ?? bodyFont), color: accent },
          },
          { type: "text", text: t("brand.sampleText") },
          {
            type: "text",
            text: t("brand.sampleNote"),
            style: color("muted"),
          },
          {
            type: "divider",
            style: { "border-top": `2px solid ${accent}`, margin: "12px 0" },
          },
          ...Object.keys(textStyles).map((name) => ({
            type: "text",
            text: name,
            class: name,
          })),
        ],
      },
    ],
  };
}

interface FollowDialogProps {
  uses: readonly BrandUse[];
  onSend: (templateIds: string[]) => Promise<void>;
  onClose: () => void;
}

/** Asks which templates get the new values. */
function FollowDialog({ uses, onSend, onClose }: FollowDialogProps) {
  const [chosen, setChosen] = useState(uses.map(({ id }) => id));
  const { isBusy, fault, run } = useAction(async () => {
    await onSend(chosen);
    onClose();
  });
  return (
    <Dialog title={t("brand.whichFollow")} onClose={onClose}>
      <Form onSend={run}>
        <p>{t("brand.whichFollowHelp")}</p>
        <ul class="brand-uses">
          {uses.map(({ id, name }) => (
            <li key={id}>
              <label>
                <input
                  type="checkbox"
                  checked={chosen.includes(id)}
                  onChange={() => setChosen(toggleItem(chosen, id))}
                />
                {name}
              </label>
            </li>
          ))}
        </ul>
        <FormActions
          act={t("brand.saveAndChange", { count: chosen.length })}
          fault={fault}
          isBusy={isBusy}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}
