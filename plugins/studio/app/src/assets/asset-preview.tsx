import { useEffect, useState } from "preact/hooks";
import { local } from "../api.js";
import { Icon } from "../ui/icon.js";
import { type Asset, kindWords } from "./asset.js";

/** A look at an asset: a picture, a video's still picture, a font's own letters. */
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
        <span class="muted small">No picture</span>
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
    // One that cannot be loaded shows the letters of the page's own font.
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
