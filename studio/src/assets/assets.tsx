import { useEffect, useState } from "preact/hooks";
import { local, type Schemas } from "../api.js";
import { secondsOf, sizeOf } from "../format.js";
import { askListPage, type Paged, usePaged } from "../resource.js";
import { Icon, type IconName } from "../ui/icon.js";
import { t } from "../messages/index.js";

export type AssetKind = "image" | "font" | "video" | "pdf";

/** An asset as the public API returns it. */
export type Asset = Schemas["Asset"] & {
  details: {
    family?: string;
    weight?: number | string;
    style?: string;
    durationSeconds?: number;
    /** What was left out of an SVG, in sentences of the service. */
    changes?: readonly string[];
  } | null;
};

interface AssetKindInfo {
  singular: string;
  many: string;
  choose: string;
  search: string;
  noneYet: string;
  noneInFolder: string;
  /** The message for an asset of another kind. */
  getMismatch: (name: string) => string;
  icon: IconName;
  accept: string;
}

export const kindWords: Record<AssetKind, AssetKindInfo> = {
  image: {
    singular: t("common.image"),
    many: t("assets.images"),
    choose: t("assets.chooseImage"),
    search: t("assets.searchImages"),
    noneYet: t("assets.noImagesYet"),
    noneInFolder: t("assets.noImagesInFolder"),
    getMismatch: (name) => t("assets.notImage", { name }),
    icon: "image",
    accept: "image/*,.svg",
  },
  font: {
    singular: t("style.font"),
    many: t("brand.fonts"),
    choose: t("assets.chooseFont"),
    search: t("assets.searchFonts"),
    noneYet: t("assets.noFontsYet"),
    noneInFolder: t("assets.noFontsInFolder"),
    getMismatch: (name) => t("assets.notFont", { name }),
    icon: "font",
    accept: ".ttf,.otf,.woff,.woff2",
  },
  video: {
    singular: t("assets.video"),
    many: t("assets.videos"),
    choose: t("assets.chooseVideo"),
    search: t("assets.searchVideos"),
    noneYet: t("assets.noVideosYet"),
    noneInFolder: t("assets.noVideosInFolder"),
    getMismatch: (name) => t("assets.notVideo", { name }),
    icon: "video",
    accept: "video/mp4,video/webm,video/quicktime",
  },
  pdf: {
    singular: "PDF",
    many: t("assets.pdfs"),
    choose: t("assets.choosePdf"),
    search: t("assets.searchPdfs"),
    noneYet: t("assets.noPdfsYet"),
    noneInFolder: t("assets.noPdfsInFolder"),
    getMismatch: (name) => t("assets.notPdf", { name }),
    icon: "templates",
    accept: "application/pdf",
  },
};

export const assetKinds: readonly AssetKind[] = [
  "image",
  "font",
  "video",
  "pdf",
];

export interface AssetsAsked {
  q: string;
  kind: AssetKind | null;
  folderId: string | null;
  isTrash: boolean;
}

/** The matching assets, newest first. */
export function useAssets(filter: AssetsAsked): Paged<Asset> {
  const { q, kind, folderId, isTrash } = filter;
  const read = (page: number) => {
    const query = new URLSearchParams({
      page: String(page),
      pageSize: "24",
      ...(q !== "" && { q }),
      ...(kind && { assetType: kind }),
      ...(folderId !== null && { folderId }),
      ...(isTrash && { onlyTrashed: "true" }),
    });
    return askListPage<Asset>(`assets?${query.toString()}`);
  };
  const ground = folderId ?? (isTrash ? "trash" : "all");
  return usePaged(JSON.stringify(filter), read, ground);
}

/** Such as "PNG, 1200 × 800, 34 kB". */
export function assetFacts(asset: Asset): string {
  const { width, height, details, sizeBytes } = asset;
  const seconds = details?.durationSeconds;
  return (
    [
      formatOf(asset),
      width !== null && height !== null && `${width} × ${height}`,
      seconds !== undefined && secondsOf(seconds),
      details?.family,
      sizeOf(sizeBytes),
    ]
      .filter((detail) => typeof detail === "string")
      // No line break between a number and its unit.
      .map((detail) => detail.replaceAll(" ", "\u00a0"))
      .join(", ")
  );
}

function formatOf({ mimeType }: Asset): string {
  const format = mimeType.split("/").at(-1)?.split("+")[0] ?? "";
  return format.toUpperCase();
}

const shownChanges = 3;

/** What is missing of the file as it was uploaded: the first kinds of it, each once, and the others on request. */
export function AssetChanges({ changes }: { changes: readonly string[] }) {
  const kinds = groupChanges(changes);
  const others = kinds.slice(shownChanges);
  if (kinds.length === 0) return null;
  return (
    <div class="why warns">
      {t("assets.changedAtUpload")}
      <ChangeList kinds={kinds.slice(0, shownChanges)} />
      {others.length > 0 && (
        <details>
          <summary>
            {t("fromFile.otherProblems", { count: others.flat().length })}
          </summary>
          <ChangeList kinds={others} />
        </details>
      )}
    </div>
  );
}

type ChangeKind = readonly [first: string, ...others: string[]];

/** Sentences that differ only in what they quote, such as an address, are of one kind. */
function groupChanges(changes: readonly string[]): ChangeKind[] {
  const kinds = new Map<string, [string, ...string[]]>();
  for (const change of changes) {
    const key = change.replaceAll(/"[^"]*"/g, '""');
    const kind = kinds.get(key);
    if (kind) kind.push(change);
    else kinds.set(key, [change]);
  }
  return [...kinds.values()];
}

function ChangeList({ kinds }: { kinds: readonly ChangeKind[] }) {
  return (
    <ul>
      {kinds.map(([first, ...others]) => (
        <li key={first}>
          {others.length > 0 && <strong>{others.length + 1} ×</strong>} {first}
        </li>
      ))}
    </ul>
  );
}

/** The image, the poster of a video or a sample of a font. */
export function AssetPreview({ asset }: { asset: Asset }) {
  const { assetType, url, urls } = asset;
  if (assetType === "font") return <FontSample asset={asset} />;
  const picture = assetType === "image" ? url : urls.poster;
  if (picture === undefined)
    return (
      <span class="asset-preview">
        <Icon name={kindWords[assetType].icon} size={34} />
      </span>
    );
  return <Picture url={picture} isVideo={assetType === "video"} />;
}

function Picture({ url, isVideo }: { url: string; isVideo: boolean }) {
  const [isLost, setLost] = useState(false);
  return (
    <span class="asset-preview checkered">
      {isLost ? (
        <span class="muted small">{t("assets.noImage")}</span>
      ) : (
        <img
          src={local(url)}
          alt=""
          loading="lazy"
          draggable={false}
          onError={() => setLost(true)}
        />
      )}
      {isVideo && (
        <span class="play">
          <Icon name="video" size={22} />
        </span>
      )}
    </span>
  );
}

function FontSample({ asset }: { asset: Asset }) {
  const { id, url, details } = asset;
  const face = `asset-${id}`;
  useEffect(() => {
    const loaded = new FontFace(face, `url("${local(url)}")`);
    document.fonts.add(loaded);
    // If the font cannot be loaded, the sample uses the page's font.
    void loaded.load().catch(() => undefined);
    return () => {
      document.fonts.delete(loaded);
    };
  }, [face, url]);
  return (
    <span class="asset-preview sample" aria-hidden="true">
      <span class="letters" style={{ fontFamily: `"${face}"` }}>
        AaGg 123
      </span>
      <span class="muted small">{details?.family}</span>
    </span>
  );
}
