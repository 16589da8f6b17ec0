import { local } from "../../api.js";
import { type Asset, assetFacts } from "../../assets/asset.js";
import { AssetPreview } from "../../assets/asset-preview.js";
import { momentOf } from "../../format.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { copied } from "./copied.js";

interface AssetDetailsProps {
  asset: Asset;
  onClose: () => void;
}

/** What there is to know of an asset, and how templates and others get at it. */
export function AssetDetails({ asset, onClose }: AssetDetailsProps) {
  const { name, url, use, details, createdAt } = asset;
  return (
    <Dialog title={name} onClose={onClose}>
      <div class="asset-shown">
        <AssetPreview asset={asset} />
      </div>
      <dl class="facts">
        <dt>File</dt>
        <dd>{assetFacts(asset)}</dd>
        {details?.family !== undefined && (
          <>
            <dt>Font</dt>
            <dd>
              {details.family}, weight {details.weight}, {details.style}
            </dd>
          </>
        )}
        <dt>Uploaded</dt>
        <dd>{momentOf(createdAt)}</dd>
        <dt>In a template</dt>
        <Copied what="what a template says" text={use} />
        <dt>Address</dt>
        <Copied what="the address" text={url} />
      </dl>
      <p class="muted small">
        Whoever has the address can open the file without signing in.
      </p>
      <div class="dialog-end">
        <a class="button" href={local(url)} target="_blank" rel="noreferrer">
          <Icon name="open" />
          Open the file
        </a>
        <Button kind="primary" onPress={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

function Copied({ what, text }: { what: string; text: string }) {
  return (
    <dd class="copied">
      <code>{text}</code>
      <Button
        kind="quiet"
        isIcon
        label={`Copy ${what}`}
        onPress={() => copied(text, "Copied.")}
      >
        <Icon name="copy" />
      </Button>
    </dd>
  );
}
