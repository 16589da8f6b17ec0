import { Icon } from "../ui/icon.js";
import { type AssetKind, assetKinds, kindWords } from "./asset.js";
import type { Uploads } from "./use-uploads.js";

interface UploadButtonProps {
  uploads: Uploads;
  /** null: whatever the library takes. */
  kind: AssetKind | null;
}

/** Asks for files and sends them. */
export function UploadButton({ uploads, kind }: UploadButtonProps) {
  const kinds = kind === null ? assetKinds : [kind];
  return (
    <label class="button primary upload">
      <Icon name="upload" />
      Upload
      <input
        class="hidden-text"
        type="file"
        multiple
        accept={kinds.map((one) => kindWords[one].accept).join()}
        onChange={(event) => {
          const { files } = event.currentTarget;
          if (files) void uploads.add([...files]);
          // The same file may be chosen once more.
          event.currentTarget.value = "";
        }}
      />
    </label>
  );
}
