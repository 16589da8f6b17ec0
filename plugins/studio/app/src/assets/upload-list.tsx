import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import type { Upload, Uploads } from "./use-uploads.js";

/** What is on its way, how far it is, and what went wrong. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  if (uploads.all.length === 0) return null;
  return (
    <ul class="card lines uploads" aria-label="Uploads">
      {uploads.all.map((upload) => (
        <UploadLine upload={upload} uploads={uploads} key={upload.id} />
      ))}
    </ul>
  );
}

interface UploadLineProps {
  upload: Upload;
  uploads: Uploads;
}

function UploadLine({ upload, uploads }: UploadLineProps) {
  const { file, done, fault } = upload;
  return (
    <li class="line">
      <div class="words">
        <strong>{file.name}</strong>
        {fault !== null && <span class="why">{fault}</span>}
      </div>
      {fault === null ? (
        <progress aria-label={`Upload of ${file.name}`} max={1} value={done} />
      ) : (
        <div class="row">
          <Button
            label={`Upload ${file.name} again`}
            onPress={() => uploads.again(upload)}
          >
            Try again
          </Button>
          <Button
            kind="quiet"
            isIcon
            label={`Forget ${file.name}`}
            onPress={() => uploads.forget(upload)}
          >
            <Icon name="close" />
          </Button>
        </div>
      )}
    </li>
  );
}
