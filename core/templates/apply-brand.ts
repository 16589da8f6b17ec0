import { isDeepStrictEqual } from "node:util";
import type { EntityManager } from "typeorm";
import { z } from "zod";
import type { ProjectData } from "../definition/index.js";
import { idInput, timestampSchema } from "../lib/schemas.js";
import { Asset, Organization } from "../storage/database/index.js";
import type { BlueprintBrand } from "./blueprints/index.js";

// Brand kits in definitions, which contain plain colors, fonts and images: the values of one kit are replaced by those of
// another.

const colorSchema = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, "must be a color such as #1446a0");

/** Nothing that could leave a font-family. */
const fontSchema = z
  .string()
  .regex(/^[\p{L}\p{N} _.-]{1,100}$/u, "must be the name of a font family")
  .nullable();

export const brandKitSchema = z
  .strictObject({
    colors: z
      .record(
        z.string().regex(/^[a-z][a-zA-Z0-9-]{0,31}$/, "must be a short name"),
        colorSchema,
      )
      .refine(
        (colors) => Object.keys(colors).length <= 16,
        "must have at most 16 colors",
      )
      .meta({
        description:
          "By name. The example templates use `primary`, `text`, `muted` and `background`.",
      }),
    headingFont: fontSchema.meta({
      description: "A font family; null for none.",
    }),
    bodyFont: fontSchema.meta({ description: "A font family; null for none." }),
    logo: idInput
      .nullable()
      .meta({ description: "The id of an image; null for none." }),
    textStyles: z
      .record(
        z.string().regex(/^[A-Za-z][\w-]{0,63}$/, "must be a name of a style"),
        z.record(z.string(), z.string()),
      )
      .refine(
        (styles) => Object.keys(styles).length <= 20,
        "must have at most 20 styles",
      )
      .meta({
        description:
          "Named styles, as in `styles` of a definition; templates that are made from an example get them.",
      }),
  })
  .meta({ id: "BrandKit" });

export const brandSchema = z
  .strictObject({
    kit: brandKitSchema,
    version: z
      .number()
      .int()
      .meta({ description: "Counts the changes; 0 before the first." }),
    updatedAt: timestampSchema.nullable(),
  })
  .meta({ id: "Brand" });

export type BrandKit = z.output<typeof brandKitSchema>;
export type BrandView = z.output<typeof brandSchema>;

const NO_KIT: BrandKit = {
  colors: {},
  headingFont: null,
  bodyFont: null,
  logo: null,
  textStyles: {},
};

const NEVER = { kit: NO_KIT, version: 0, updatedAt: null };

/** The stored kit; an empty one of version 0 when there is none. */
export async function readBrand(
  read: EntityManager,
  organizationId: string,
): Promise<BrandView> {
  const row = await read.findOne(Organization, {
    where: { id: organizationId },
    select: { id: true, brand: {} },
  });
  return toBrandView(row);
}

export function toBrandView(
  row: Pick<Organization, "brand"> | null,
): BrandView {
  // Only checked kits are stored.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (row?.brand ?? NEVER) as unknown as BrandView;
}

/** A blueprint's definition with the organization's brand instead of its own. */
export async function brandBlueprint(
  read: EntityManager,
  organizationId: string,
  definition: ProjectData,
  brand: BlueprintBrand,
): Promise<ProjectData> {
  const { kit, version } = await readBrand(read, organizationId);
  if (version === 0) return definition;
  const from: BrandKit = {
    ...NO_KIT,
    ...brand,
    logo: findLogo(definition.components) ?? findLogo(definition.page),
  };
  const branded = structuredClone(rewriteBrand(definition, from, kit));
  if (from.headingFont === null && kit.headingFont !== null)
    setHeadingFont(branded, kit.headingFont);
  if (from.logo !== null && kit.logo !== null) {
    const ratio = await readAspectRatio(read, organizationId, kit.logo);
    fitLogo(branded, toSource(kit.logo), ratio);
  }
  return { ...branded, styles: { ...kit.textStyles, ...branded.styles } };
}

/** Calls `visit` for each component below a value, with those that contain it, the nearest last. */
function visitComponents(
  value: unknown,
  visit: (component: Record<string, unknown>, parents: object[]) => void,
  parents: object[] = [],
): void {
  if (typeof value !== "object" || value === null) return;
  const inner = "type" in value ? [...parents, value] : parents;
  if ("type" in value) visit(Object(value), parents);
  for (const child of Object.values(value))
    visitComponents(child, visit, inner);
}

/** Gives the named styles of headings a font, before the fallbacks that they had. */
function setHeadingFont({ styles = {}, ...rest }: ProjectData, font: string) {
  visitComponents([rest.components, rest.page], ({ type, class: names }) => {
    if (type !== "heading" || typeof names !== "string") return;
    const [name = ""] = names.split(" ");
    const style = Object.hasOwn(styles, name) ? styles[name] : null;
    if (!style) return;
    const [, ...fallbacks] = (style["font-family"] ?? "").split(",");
    const others = fallbacks.length > 0 ? fallbacks : [" sans-serif"];
    style["font-family"] = [`'${font}'`, ...others].join(",");
  });
}

async function readAspectRatio(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<number> {
  const { width, height } = (await read.findOne(Asset, {
    where: { id, organizationId },
    select: { id: true, width: true, height: true },
  })) ?? { width: null, height: null };
  return width && height ? width / height : 1;
}

/** How much wider than the square mark of a blueprint a logo may be. */
const MAX_LOGO_RATIO = 5;

/** Makes the place of a square mark, and the column that is as wide, as wide as a logo of the same height. */
function fitLogo(definition: ProjectData, logo: string, ratio: number): void {
  if (ratio <= 1) return;
  const { components, page } = definition;
  visitComponents([components, page], (component, parents) => {
    const width = toPixels(component["width"]);
    if (component["src"] !== logo || width === null) return;
    const fitted = Math.round(width * Math.min(ratio, MAX_LOGO_RATIO));
    component["width"] = `${fitted}px`;
    const column = Object(parents.at(-1));
    const around = column.type === "column" ? toPixels(column.width) : null;
    if (around !== null) column.width = `${around + fitted - width}px`;
  });
}

function toPixels(length: unknown): number | null {
  const [, number] = /^(\d+)px$/.exec(String(length)) ?? [];
  return number === undefined ? null : Number(number);
}

/** The first image that a blueprint contains, which is its logo. */
function findLogo(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const { type, src } = Object(value);
  if (type === "image" && typeof src === "string" && src.startsWith("data:"))
    return src;
  for (const inner of Object.values(value)) {
    const logo = findLogo(inner);
    if (logo !== null) return logo;
  }
  return null;
}

/**
 * Replaces the values of one kit by those of another, where both have one: colors and fonts of styles, other colors of
 * the page, the logo, and text styles that were not changed. Texts, data and samples stay as they are.
 */
export function rewriteBrand<T extends object>(
  definition: T,
  from: BrandKit,
  to: BrandKit,
): T {
  const colors = new Map<string, string>();
  for (const [name, color] of Object.entries(from.colors)) {
    const next = Object.hasOwn(to.colors, name) ? to.colors[name] : undefined;
    if (next !== undefined && !colors.has(toHex(color)))
      colors.set(toHex(color), next);
  }
  const fonts = new Map<string, string>();
  for (const role of ["bodyFont", "headingFont"] as const) {
    const [old, next] = [from[role], to[role]];
    if (old !== null && next !== null && !fonts.has(old)) fonts.set(old, next);
  }
  const logos = new Map<string, string>();
  if (from.logo !== null && to.logo !== null)
    logos.set(toSource(from.logo), toSource(to.logo));
  const rewriter = new BrandRewriter({ colors, fonts, logos }, from, to);
  // The same structure with other strings.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return rewriter.rewrite(definition, [], false) as T;
}

interface Replacements {
  colors: ReadonlyMap<string, string>;
  fonts: ReadonlyMap<string, string>;
  logos: ReadonlyMap<string, string>;
}

const KEPT = new Set(["sample", "schema"]);

class BrandRewriter {
  constructor(
    private readonly replacements: Replacements,
    private readonly from: BrandKit,
    private readonly to: BrandKit,
  ) {}

  /** @returns the same value when nothing changes in it */
  rewrite(value: unknown, keys: readonly string[], isStyle: boolean): unknown {
    const key = keys.at(-1) ?? "";
    if (typeof value === "string")
      return this.#rewriteText(key, value, isStyle);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const list = value.map((item) => this.rewrite(item, keys, isStyle));
      return list.some((item, index) => item !== value[index]) ? list : value;
    }
    if (keys.length === 1 && (KEPT.has(key) || key.startsWith("x-")))
      return value;
    const isNamed = keys.length === 2 && keys[0] === "styles";
    const whole = isNamed ? this.#rewriteNamed(key, value) : null;
    if (whole) return whole;
    const isInside = isStyle || isNamed || key === "style";
    const entries = Object.entries(value).map(
      ([name, child]) =>
        [name, this.rewrite(child, [...keys, name], isInside)] as const,
    );
    const old = Object.values(value);
    return entries.some(([, child], index) => child !== old[index])
      ? Object.fromEntries(entries)
      : value;
  }

  /** A text style of the kit that the template has as it was. */
  #rewriteNamed(name: string, style: object): object | null {
    const { from, to } = this;
    const [old, next] = [from, to].map(({ textStyles }) =>
      Object.hasOwn(textStyles, name) ? textStyles[name] : undefined,
    );
    return old && next && isDeepStrictEqual(style, old) ? next : null;
  }

  #rewriteText(key: string, text: string, isStyle: boolean): string {
    const { fonts, logos } = this.replacements;
    if (isStyle && key === "font-family") {
      const [first = "", ...others] = text.split(",");
      const next = fonts.get(first.trim().replaceAll(/["']/g, ""));
      return next === undefined ? text : [`'${next}'`, ...others].join(",");
    }
    if (isStyle || key === "color" || key === "background")
      return logos.get(text) ?? this.#rewriteColors(text);
    return key === "src" || key === "image" ? (logos.get(text) ?? text) : text;
  }

  #rewriteColors(text: string): string {
    return text.replaceAll(
      /#(?:[0-9a-f]{6}|[0-9a-f]{3})\b/gi,
      (color) => this.replacements.colors.get(toHex(color)) ?? color,
    );
  }
}

/** Six lower-case digits. */
function toHex(color: string): string {
  const digits = color.slice(1).toLowerCase();
  const isShort = digits.length === 3;
  return `#${isShort ? digits.replaceAll(/./g, "$&$&") : digits}`;
}

/** How a definition refers to a logo: an asset by its id, the own image of a blueprint by its data URL. */
function toSource(logo: string): string {
  return logo.startsWith("data:") ? logo : `asset:${logo}`;
}
