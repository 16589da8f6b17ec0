import {
  isInline,
  TOKEN_LENGTH,
  TOKEN_START,
  type AssetReference,
  placeholder,
} from "../definition/asset-registry.js";
import { escapeHtml } from "../definition/expressions/index.js";
import { toPx } from "../definition/page/layout.js";
import { cssString, percentEncoded } from "./markup.js";

/**
 * Replaces the image tokens in the html.
 * @param resolved base64 data URLs by token; a placeholder is drawn for null and for a missing token, unless its source
 * is a data URL.
 */
export function inlineAssets(
  merged: { html: string; assets: readonly AssetReference[] },
  resolved: ReadonlyMap<string, string | null>,
): string {
  return replaceTokens(merged.html, merged.assets, (reference) =>
    addressIn(resolved, reference),
  );
}

/**
 * Replaces the image tokens in an email, whose reader fetches images itself: remote images keep their address.
 * @param addresses of stored images, by token.
 */
export function linkAssets(
  merged: { html: string; assets: readonly AssetReference[] },
  resolved: ReadonlyMap<string, string | null>,
  addresses: ReadonlyMap<string, string>,
): string {
  const html = writeDrawnWidths(merged, resolved);
  return replaceTokens(html, merged.assets, (reference) => {
    const address =
      addresses.get(reference.token) ??
      (isRemote(reference) ? reference.source : undefined);
    return address === undefined
      ? addressIn(resolved, reference)
      : escapeHtml(address);
  });
}

const OWN_WIDTH =
  /<img src="(platen-asset-[0-9a-f]{32})"[^>]*;width:auto;[^>]*>/g;

/** Mail programs get drawings as PNG, twice as wide: those that are to have their own width get it here. */
function writeDrawnWidths(
  { html, assets }: { html: string; assets: readonly AssetReference[] },
  resolved: ReadonlyMap<string, string | null>,
): string {
  const byToken = new Map(assets.map((asset) => [asset.token, asset]));
  return html.replace(OWN_WIDTH, (image, token: string) => {
    const reference = byToken.get(token);
    const width = reference && findDrawnWidth(reference, resolved);
    return width ? image.replace(";width:auto;", `;width:${width};`) : image;
  });
}

/** Of an SVG without a width, that of the column, as in browsers; null for images of pixels and on other servers. */
function findDrawnWidth(
  reference: AssetReference,
  resolved: ReadonlyMap<string, string | null>,
): string | null {
  if (reference.drawing) return `${reference.drawing.widthPx}px`;
  if (isRemote(reference)) return null;
  const address = addressIn(resolved, reference);
  if (!/^data:image\/svg\+xml[;,]/i.test(address)) return null;
  const svg = decodeDataUrl(address).toString();
  const [root = ""] = /<svg\b[^>]*>/.exec(svg) ?? [];
  const [, width = ""] = /\swidth="([^"]*)"/.exec(root) ?? [];
  const px = toPx(/^\s*[\d.]+\s*$/.test(width) ? `${width.trim()}px` : width);
  return px === null ? "100%" : `${px}px`;
}

function addressIn(
  resolved: ReadonlyMap<string, string | null>,
  reference: AssetReference,
): string {
  const { token, source, alt } = reference;
  const address = resolved.get(token);
  if (address === undefined && isInline(reference)) return inBase64(source);
  return address ?? placeholder(alt);
}

/** Percent signs would be lost when the image is embedded in the image of a header. */
function inBase64(dataUrl: string): string {
  const [type = ""] = dataUrl.split(/[;,]/, 1);
  return `${type};base64,${decodeDataUrl(dataUrl).toString("base64")}`;
}

/** A drawing of ours with the size in which it is shown; null for other images. */
export function getDrawing({ source, drawing }: AssetReference) {
  if (!drawing) return null;
  return { ...drawing, svg: decodeDataUrl(source).toString() };
}

export function isRemote({ source }: Pick<AssetReference, "source">): boolean {
  return /^https?:/i.test(source);
}

function replaceTokens(
  html: string,
  assets: readonly AssetReference[],
  addressOf: (reference: AssetReference) => string,
): string {
  if (assets.length === 0) return html;
  const byToken = new Map(assets.map((asset) => [asset.token, asset]));
  const [start = "", ...rest] = html.split(TOKEN_START);
  const length = TOKEN_LENGTH - TOKEN_START.length;
  const replaced = rest.map((text) => {
    const reference = byToken.get(TOKEN_START + text.slice(0, length));
    return reference === undefined
      ? TOKEN_START + text
      : addressOf(reference) + text.slice(length);
  });
  return start + replaced.join("");
}

/** Does not check the URL: one without a comma is decoded as a whole. */
export function decodeDataUrl(url: string): Buffer {
  const comma = url.indexOf(",");
  const bytes = unescaped(url.slice(comma + 1));
  return /;\s*base64\s*$/i.test(url.slice(0, comma))
    ? Buffer.from(bytes.toString("latin1"), "base64")
    : bytes;
}

/** Unescaped characters are UTF-8; escaped ones may be any byte. */
function unescaped(text: string): Buffer {
  if (!text.includes("%")) return Buffer.from(text);
  const bytes = Buffer.from(text)
    .toString("latin1")
    .replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, "latin1");
}

const IMAGE =
  /(<a\b[^>]*>)?<img\b[^>]*\bsrc="(platen-asset-[0-9a-f]{32})"[^>]*>/g;
const MJML_IMAGE = /<mj-image\b[^>]*\bsrc="(platen-asset-[0-9a-f]{32})"[^>]*>/g;

/**
 * Links video posters in html or MJML to their videos, except those that the template links elsewhere.
 * @param videos addresses by token.
 */
export function linkVideos(
  text: string,
  videos: ReadonlyMap<string, string>,
): string {
  if (videos.size === 0) return text;
  return text
    .replace(IMAGE, (image, link: string | undefined, token: string) => {
      const url = videos.get(token);
      if (url === undefined || link !== undefined) return image;
      return `<a href="${escapeHtml(url)}">${image}</a>`;
    })
    .replace(MJML_IMAGE, (image, token: string) => {
      const url = videos.get(token);
      if (url === undefined || / href="/.test(image)) return image;
      return image.replace(
        "<mj-image",
        () => `<mj-image href="${escapeHtml(url)}"`,
      );
    });
}

/** One font file, embedded in documents that use its family. */
export interface FontFace {
  family: string;
  /** In CSS syntax: `400`, or `100 900` for a variable font. */
  weight: string;
  style: "normal" | "italic";
  /** A base64 data URL. */
  dataUrl: string;
}

/** Families are compared case-insensitively, as in CSS. */
export function findFontFamilies(
  html: string,
  families: readonly string[],
): Set<string> {
  const text = html.toLowerCase();
  return new Set(
    families.filter((family) => text.includes(family.toLowerCase())),
  );
}

/**
 * Headers and footers are separate images (see `headerImage`) that load nothing, so each one embeds the fonts that it
 * uses.
 */
export const HEADER_IMAGES =
  /url\("data:image\/svg\+xml;charset=utf-8,%3Csvg[^"]*"\)/g;
const HEADER_STYLE_TAG = "%3Cstyle%3E";

export function inlineFonts(html: string, faces: readonly FontFace[]): string {
  if (faces.length === 0) return html;
  const withHeaders = html.replace(HEADER_IMAGES, (header) =>
    embedInHeader(header, faces),
  );
  const rules = faces.map(rule).join("\n");
  return nameFontFiles(withHeaders, faces).replace(
    "</head>",
    () => `<style>${rules}</style>\n</head>`,
  );
}

/** Style sheets of markup name the file of a font in `@font-face` rules of their own. */
function nameFontFiles(html: string, faces: readonly FontFace[]): string {
  return faces.reduce(
    (text, { family, dataUrl }) =>
      family.startsWith("asset:")
        ? text.replaceAll(`url("${family}")`, () => `url("${dataUrl}")`)
        : text,
    html,
  );
}

function embedInHeader(header: string, faces: readonly FontFace[]): string {
  const named = findFontFamilies(
    header,
    faces.map(({ family }) => family),
  );
  if (named.size === 0) return header;
  const usedFaces = faces.filter(({ family }) => named.has(family));
  const rules = percentEncoded(escapeHtml(usedFaces.map(rule).join("")));
  return header.replace(HEADER_STYLE_TAG, () => HEADER_STYLE_TAG + rules);
}

function rule({ family, weight, style, dataUrl }: FontFace): string {
  return (
    `@font-face{font-family:${cssString(family)};font-weight:${weight};` +
    `font-style:${style};src:url("${dataUrl}")}`
  );
}
