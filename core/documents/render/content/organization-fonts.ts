import { buffer } from "node:stream/consumers";
import { LRUCache } from "lru-cache";
import { AssetLinks } from "../../../assets/index.js";
import {
  type FontFace,
  type MergedDocument,
  findFontFamilies,
  overlayHtml,
} from "../../../compiler/index.js";
import { Compute } from "../../../compute/index.js";
import { clock } from "../../../lib/clock.js";
import { inject, Lifecycle, scoped } from "../../../lib/injection.js";
import { type FileStore, PlatenError } from "../../../plugin-api/index.js";
import { Asset, type Store, STORE } from "../../../storage/database/index.js";
import { FILE_STORE } from "../../../lib/process-values.js";

/** Memory for the organizations' font files. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** Every document searches the organization's fonts by name, so their number is limited. */
const MAX_FONTS = 200;

/** The fonts in organizations' libraries: a document that uses a family gets its files. */
@scoped(Lifecycle.ContainerScoped)
export class OrganizationFonts {
  readonly characters: FontCharacters;
  private readonly dataUrls: LRUCache<string, string>;

  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read">,
    @inject(FILE_STORE) private readonly files: FileStore,
    @inject(AssetLinks) private readonly links: Pick<AssetLinks, "url">,
    @inject(Compute) compute: Compute,
  ) {
    this.characters = new FontCharacters(compute);
    this.dataUrls = new LRUCache({
      maxSize: CACHE_BYTES,
      sizeCalculation: (url) => url.length,
    });
  }

  /**
   * Every face of each family that the document uses, headers and footers included. A style may also refer to one font
   * as `asset:<id>` or by its URL.
   * @param writtenAt when the template was written: fonts that were moved to the trash since then are still used for it.
   */
  async findFaces(
    organizationId: string,
    { html, overlay }: Pick<MergedDocument, "html" | "overlay">,
    writtenAt: Date = clock.date(),
  ): Promise<FontFace[]> {
    if (!(await this.#hasAny(organizationId))) return [];
    const text = html + (overlay ? overlayHtml(overlay, 1) : "");
    const fonts = await this.#listFonts(organizationId);
    const faces: FontFace[] = [];
    for (const { asset, face } of selectUsed(
      text,
      fonts,
      this.links,
      writtenAt,
    )) {
      const dataUrl = await this.#readDataUrl(asset);
      if (dataUrl !== null) faces.push({ ...face, dataUrl });
    }
    return faces;
  }

  /** Every face that is not in the trash, with its file's URL. */
  async faces(organizationId: string) {
    const fonts = await this.#listFonts(organizationId);
    return fonts
      .filter(({ asset }) => asset.trashedAt === null)
      .map(({ asset, face }) => ({ ...face, url: this.links.url(asset) }));
  }

  /** Most organizations have none, and every document checks: plain SQL costs a tenth of a built query. */
  async #hasAny(organizationId: string): Promise<boolean> {
    const rows: unknown[] = await this.store.read.query(
      "SELECT 1 FROM asset WHERE organization_id = ? AND asset_type = 'font' LIMIT 1",
      [organizationId],
    );
    return rows.length > 0;
  }

  /**
   * Of two files for one face, CSS uses the last one: so the newest come last, after those in the trash.
   */
  async #listFonts(organizationId: string): Promise<LibraryFont[]> {
    const rows = await this.store.read.find(Asset, {
      where: { organizationId, assetType: "font" },
      order: { trashedAt: "ASC", createdAt: "DESC", id: "DESC" },
      take: MAX_FONTS,
    });
    return rows.toReversed().flatMap((asset) => {
      const face = getFace(asset);
      return face ? [{ asset, face }] : [];
    });
  }

  async #readDataUrl(asset: Asset): Promise<string | null> {
    const key = `${asset.organizationId} ${asset.contentHash}`;
    const cached = this.dataUrls.get(key);
    if (cached !== undefined) return cached;
    const file = await this.files.open(asset.storageKey);
    if (!file) return null;
    const bytes = await buffer(file.stream);
    const url = `data:${asset.mimeType};base64,${bytes.toString("base64")}`;
    this.dataUrls.set(key, url);
    return url;
  }
}

type Face = Pick<FontFace, "family" | "weight" | "style">;

interface LibraryFont {
  asset: Asset;
  face: Face;
}

/**
 * The fonts that a text uses, each under the name that the text uses: its family, `asset:<id>` or its URL. Templates
 * written after a font was moved to the trash cannot use its family.
 */
function selectUsed(
  text: string,
  fonts: readonly LibraryFont[],
  links: Pick<AssetLinks, "url">,
  writtenAt: Date,
): LibraryFont[] {
  const families = fonts.filter(
    ({ asset: { trashedAt } }) => trashedAt === null || trashedAt > writtenAt,
  );
  // Few documents refer to a font by its URL, and each such reference costs a search.
  const linked = /asset:|\/cdn\//i.test(text) ? fonts : [];
  const byUrl = linked.flatMap(({ asset, face }) =>
    [`asset:${asset.id}`, links.url(asset)].map((family) => ({
      asset,
      face: { ...face, family },
    })),
  );
  const all = [...families, ...byUrl];
  const names = all.map(({ face: { family } }) => family);
  const used = findFontFamilies(text, names);
  return all.filter(({ face: { family } }) => used.has(family));
}

/** The face that was read from the file when it was uploaded. */
function getFace({ details }: Asset): Face | null {
  const { family, weight, style } = details ?? {};
  if (typeof family !== "string" || typeof weight !== "string") return null;
  return { family, weight, style: style === "italic" ? "italic" : "normal" };
}

/** Number of fonts whose characters are cached. */
const MAX_CHARACTER_SETS = 50;

/** The characters of organizations' fonts; the renderer knows only its own fonts. */
class FontCharacters {
  private readonly sets = new LRUCache<string, ReadonlySet<number>>({
    max: MAX_CHARACTER_SETS,
  });

  constructor(private readonly compute: Pick<Compute, "readFont">) {}

  /** The characters that none of the fonts has. */
  async findMissing<T extends { character: string }>(
    organizationId: string,
    characters: readonly T[],
    faces: readonly FontFace[],
  ): Promise<T[]> {
    if (characters.length === 0) return [];
    const sets = await Promise.all(
      faces.map((face) => this.#readCharacters(organizationId, face)),
    );
    return characters.filter(({ character }) => {
      const codePoint = character.codePointAt(0) ?? 0;
      return !sets.some((set) => set.has(codePoint));
    });
  }

  /** Empty for a font that cannot be opened: an earlier version accepted it. */
  async #readCharacters(
    organizationId: string,
    { family, dataUrl }: FontFace,
  ): Promise<ReadonlySet<number>> {
    const cached = this.sets.get(dataUrl);
    if (cached) return cached;
    const bytes = Buffer.from(dataUrl.split(",")[1] ?? "", "base64");
    const caller = { organizationId, subject: `The font "${family}"` };
    const characters = await this.compute.readFont(bytes, caller).then(
      (font) => font.characters,
      (error: unknown) => {
        if (isDamagedFont(error)) return [];
        throw error;
      },
    );
    const set = new Set(characters);
    this.sets.set(dataUrl, set);
    return set;
  }
}

function isDamagedFont(error: unknown): boolean {
  return error instanceof PlatenError && error.code === "invalid_request";
}
